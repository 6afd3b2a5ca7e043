"""Lists of games: small pictures of boards, and the cursor of a page in its address, made of
microseconds and an id."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from games.contract import MoveError
from games.models import Game
from games.presentation.pictures import public_picture
from games.state.lists import Cursor
from games.state.replay import Unreadable
from games.state.snapshot import cached_snapshot, read_snapshot

PICTURES = 12
"""Games shown with a picture of their board; those after them have none."""


def thumbnail(game: Game) -> str:
    """Return a picture of the board as spectators see it, since a list shows no secrets; '' for a
    faulty game. It needs no query if this process knows the version of the row."""
    try:
        snapshot = cached_snapshot(game.id, game.version) or read_snapshot(game.id)
        return public_picture(snapshot.rules, snapshot.standing)
    except (Game.DoesNotExist, Unreadable, MoveError):
        return ""


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
