"""Marks: moves that players of a running game are considering, visible to everybody at the board.

Computers mark the moves between which they choose, if these are close; beside people on one seat
they mark the moves that they would make, and play none. A move that cannot be taken back is marked
before it is played (see `Step.confirm`), and the form that plays it names the mark. A player has at
most one mark; every move and every undo removes all marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from games.contract import IllegalMove, Position, SeatKey, Step, split_move

if TYPE_CHECKING:
    from games.state.snapshot import GameSnapshot


@dataclass(frozen=True)
class Mark:
    """The move that a player has marked, its last step, and the player's name; or one that a
    computer weighs, without an id and a name. ``number`` is the version of the game that has it
    first: no two marks of a player in a game have the same."""

    player_id: UUID | None
    name: str
    move: str
    step: Step
    number: int = 0


def step_to_confirm(position: Position, seat: SeatKey, move: str) -> Step | None:
    """Return the last step of a move to be marked before it is played, else None."""
    return _step_to_confirm(position, seat, move) if seat in position.to_move() else None


def _step_to_confirm(position: Position, seat: SeatKey, move: str) -> Step | None:
    steps = split_move(move)
    if not steps:
        return None
    try:
        stage = position.stage(seat, steps[:-1])
    except IllegalMove:
        return None
    found = (step for step in stage.steps if step.text == steps[-1])
    return next((step for step in found if step.confirm and step.cell), None)


def read_marks(snapshot: GameSnapshot) -> list[Mark]:
    """Return the marks of the players still holding their seats, the latest last."""
    marks = []
    for stored in snapshot.game.marks:
        seat, move = stored["seat"], stored["move"]
        place = snapshot.seating.places[seat]
        step = step_to_confirm(snapshot.position, seat, move)
        player_id = UUID(stored["player"]) if stored["player"] else None
        if step and player_id is None and place.level is not None:
            marks.append(Mark(None, "", move, step))
        # The version before stored no numbers; such a mark is set again.
        elif step and player_id in place.players and "number" in stored:
            marks.append(Mark(player_id, place.players[player_id], move, step, stored["number"]))
    return marks


def is_confirmed(
    snapshot: GameSnapshot, seat: SeatKey, move: str, player_id: UUID, number: int
) -> bool:
    """Return whether a player's page may send a legal move that names the mark ``number``: it is
    the player's own mark of that move, or none is needed, as where no other person plays."""
    own = {"player": str(player_id), "seat": seat, "move": move, "number": number}
    if own in snapshot.game.marks or snapshot.rules.undo or snapshot.seating.is_solo(player_id):
        return True
    return _step_to_confirm(snapshot.position, seat, move) is None
