"""Small pictures of boards in lists of games."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract import MoveError
from games.models import Game
from games.presentation.lists import Entry, PicturedGame
from games.presentation.pictures import public_picture
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


def pictured(entries: Sequence[Entry]) -> list[PicturedGame]:
    return [
        PicturedGame(entry, thumbnail(entry.game) if number < PICTURES else "")
        for number, entry in enumerate(entries)
    ]
