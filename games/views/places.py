"""The place in a list from which a page goes on, as its address has it: microseconds and id."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from games.game_lists import Place

_CURSOR = re.compile(r"([0-9]{1,17})-([0-9]{1,18})", re.ASCII)
_SECOND = 1_000_000


def format_place(place: Place) -> str:
    """Return a place as the address of the next page has it."""
    whole = int(place.ended.replace(microsecond=0).timestamp())
    return f"{whole * _SECOND + place.ended.microsecond}-{place.id}"


def parse_place(raw: str) -> Place | None:
    """Return the place in an address; None, for the first page, where there is none."""
    found = _CURSOR.fullmatch(raw)
    if found is None:
        return None
    seconds, micro = divmod(int(found[1]), _SECOND)
    try:
        return Place(datetime.fromtimestamp(seconds, UTC).replace(microsecond=micro), int(found[2]))
    except (OverflowError, ValueError, OSError):
        return None
