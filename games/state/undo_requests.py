"""Undo requests: the seat that asks, the ply to go back to, and the seats still to accept.

A game stores its request in ``undo_request``: the seat that asks as ``asker``, and the seats that
have accepted so far as ``accepted``. Every move and every undo ends the request. It is granted in
`games.services.undo.answer_undo`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.contract import TIMEOUT, SeatKey, SeatSpec, Text, ntext, text
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True)
class UndoRequest:
    """A request of the seat ``asker`` to go back to ``ply``. The seats ``accepted`` have accepted,
    and the seats ``waiting`` have not answered yet."""

    asker: SeatKey
    ply: int
    waiting: Collection[SeatKey]
    accepted: Collection[SeatKey] = ()


def pending(snapshot: GameSnapshot) -> UndoRequest | None:
    stored = snapshot.game.undo_request
    return request_for(snapshot, [stored["asker"]], stored["accepted"]) if stored else None


def request_for(
    snapshot: GameSnapshot, seats: Collection[SeatKey], accepted: Collection[SeatKey] = ()
) -> UndoRequest | None:
    """Return a request to undo the last move of ``seats`` and all moves after it; None if they have
    not moved, or if a seat has lost on time since.

    All other players who were active at the ply to go back to have to accept. That includes players
    eliminated since, again in the game then. Computers accept."""
    last = next((move for move in reversed(snapshot.moves) if move.seat in seats), None)
    if last is None or any(move.text == TIMEOUT for move in snapshot.moves[last.ply - 1 :]):
        return None
    before, places = snapshot.at(last.ply - 1), snapshot.seating.places
    askers = places[last.seat].players.keys()
    waiting = [
        seat
        for seat, place in places.items()
        if place.players and not askers & place.players.keys()
        if seat not in accepted and before.is_active(seat)
    ]
    return UndoRequest(last.seat, last.ply - 1, waiting, accepted)


def taken_back(seat: Text, moves: int) -> Text:
    return ntext(
        "%(seat)s took back %(n)s move.",
        "%(seat)s took back %(n)s moves.",
        n=moves,
        seat=seat,
    )


def banner_for(banner: Text, held: Collection[SeatSpec]) -> Text:
    """Return a banner for the holder of the seats ``held``: one's own undo is about one's own move,
    whatever was taken back with it. On a shared device the seat is told."""
    is_undo = banner.message == taken_back(banner, 1).message
    if is_undo and [banner.params["seat"]] == [spec.name for spec in held]:
        return text("You took back your move.")
    return banner
