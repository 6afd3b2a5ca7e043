"""The cursor of a paged list in an address: microseconds and id."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from games.state.lists import Cursor

_CURSOR = re.compile(r"([0-9]{1,17})-([0-9]{1,18})", re.ASCII)
_SECOND = 1_000_000


def format_cursor(cursor: Cursor) -> str:
    whole = int(cursor.ended.replace(microsecond=0).timestamp())
    return f"{whole * _SECOND + cursor.ended.microsecond}-{cursor.id}"


def parse_cursor(raw: str) -> Cursor | None:
    """Return the cursor in an address; None, which stands for the first page, if it has none."""
    found = _CURSOR.fullmatch(raw)
    if found is None:
        return None
    seconds, micro = divmod(int(found[1]), _SECOND)
    try:
        return Cursor(
            datetime.fromtimestamp(seconds, UTC).replace(microsecond=micro), int(found[2])
        )
    except (OverflowError, ValueError, OSError):
        return None
