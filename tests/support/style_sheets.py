"""Style sheets with the sheets that they import."""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'@import "([\w./-]+)";')


def read_sheet(path: Path) -> str:
    """Return a style sheet with its imports in their places."""
    return IMPORT.sub(
        lambda found: read_sheet(path.parent / found[1]), path.read_text(encoding="utf-8")
    )
