"""Validated values from requests."""

from __future__ import annotations

import re


def parse_ply(raw: str) -> int:
    """Return the ply in a form; -1, which is always stale, for any other text."""
    return int(raw) if re.fullmatch(r"[0-9]{1,6}", raw, re.ASCII) else -1
