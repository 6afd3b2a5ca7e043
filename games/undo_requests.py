"""The wish to take moves back: who asks, how far, and who has yet to agree.

A game keeps it in ``undo_asked_by``: the seat that asks, and behind it the seats that have agreed.
Every move, and every one taken back, ends it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.contract import SeatKey
from games.models import Game
from games.replay import position_at


@dataclass(frozen=True)
class UndoRequest:
    """``asker`` wants the game to go back to ``ply``; ``waiting`` have yet to agree."""

    asker: SeatKey
    ply: int
    waiting: Collection[SeatKey]


def pending(game: Game) -> UndoRequest | None:
    """The wish that waits for answers, if there is one."""
    asker, *agreed = game.undo_asked_by.split() or [""]
    return request_for(game, [asker], agreed) if asker else None


def request_for(
    game: Game, seats: Collection[SeatKey], agreed: Collection[SeatKey] = ()
) -> UndoRequest | None:
    """The wish to take back the last move of ``seats`` and what followed; None if they have none.

    Everybody else agrees to it who is in the game where it goes back to: who has been out of it
    since before then is not asked, and who has got out of it since would be in it again.
    Computers agree to everything."""
    last = game.moves.filter(seat__in=seats).order_by("-ply").first()
    if last is None:
        return None
    before, places = position_at(game, last.ply - 1), game.seating.places
    askers = places[last.seat].players.keys()
    waiting = [
        seat
        for seat, place in places.items()
        if place.players and not askers & place.players.keys()
        if seat not in agreed and before.is_active(seat)
    ]
    return UndoRequest(last.seat, last.ply - 1, waiting)
