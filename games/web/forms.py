"""Values of requests, read without trust."""

from __future__ import annotations

import re


def parse_ply(raw: str) -> int:
    """Return the ply that a form was made for; -1, which is always stale, for anything else."""
    return int(raw) if re.fullmatch(r"[0-9]{1,6}", raw, re.ASCII) else -1
