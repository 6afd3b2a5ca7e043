"""The wish to take moves back: who asks, how far, and who has yet to agree.

A game keeps it in ``undo_asked_by``: the seat that asks, and behind it the seats that have agreed.
Every move, and every one taken back, ends it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.contract import Seat
from games.models import Game
from games.replay import position_at


@dataclass(frozen=True)
class Wish:
    """``asker`` wants the game to go back to ``ply``; ``waiting`` have yet to agree."""

    asker: Seat
    ply: int
    waiting: Collection[Seat]


def standing(game: Game) -> Wish | None:
    """The wish that waits for answers, if there is one."""
    asker, *agreed = game.undo_asked_by.split() or [""]
    return wish_of(game, [asker], agreed) if asker else None


def wish_of(game: Game, seats: Collection[Seat], agreed: Collection[Seat] = ()) -> Wish | None:
    """The wish to take back the last move of ``seats`` and what followed; None if they have none.

    Everybody else agrees to it who is in the game where it goes back to: who has been out of it
    since before then is not asked, and who has got out of it since would be in it again.
    Computers agree to everything."""
    last = game.moves.filter(seat__in=seats).order_by("-ply").first()
    if last is None:
        return None
    before, places = position_at(game, last.ply - 1), game.sitting.places
    askers = places[last.seat].players.keys()
    waiting = [
        seat
        for seat, place in places.items()
        if place.players and not askers & place.players.keys()
        if seat not in agreed and before.is_in(seat)
    ]
    return Wish(last.seat, last.ply - 1, waiting)
