"""The parts of a game's page, each the value of its own template. Pure, like the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.contract import TIMEOUT, SeatKey, SeatSpec, Text, ntext
from games.core.levels import level_names
from games.presentation.absence import can_give_up
from games.presentation.analysis import may_analyse, never_evaluable
from games.presentation.board import Board
from games.presentation.move_list import LISTED_PLIES
from games.presentation.names import call_by_name, seat_names
from games.presentation.turn import DrawPrompt, SeatRow, draw_prompt
from games.presentation.visibility import Perspective
from games.state.absence import computer_fits
from games.state.draw_offers import can_offer
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot, Standing


@dataclass(frozen=True, kw_only=True)
class MoveList:
    """The value of `_moves.jinja`: the moves that are listed, and how many before them are not."""

    moves: Sequence[StoredMove]
    hidden: int

    @property
    def earlier(self) -> Text:
        """The sentence that says how many moves are not listed."""
        return ntext("%(n)s earlier move", "%(n)s earlier moves", n=self.hidden)


def move_list(snapshot: GameSnapshot, *, whole: bool) -> MoveList:
    """Return all moves, or the last ones."""
    moves = snapshot.moves if whole else snapshot.moves[-LISTED_PLIES:]
    return MoveList(moves=moves, hidden=max(0, snapshot.game.ply - len(moves)))


@dataclass(frozen=True, kw_only=True)
class Actions:
    """The value of `_actions.jinja` and `_menu.jinja`: what the viewer may do besides a move.

    ``analyse`` says that the game has something to analyse, ``computer`` that a computer can take a
    seat, ``sit_down`` that the viewer may take a listed seat, and ``close`` that the viewer may
    close the game to watchers or open it again."""

    undo: bool = False
    analyse: bool = False
    offer_draw: bool = False
    speak: bool = False
    give_up: bool = False
    resign: bool = False
    computer: bool = False
    sit_down: bool = False
    close: bool = False


def actions(
    snapshot: GameSnapshot,
    seen_by: Perspective,
    standing: Standing,
    *,
    seat: SeatKey | None,
    moves: Sequence[StoredMove],
    draw: DrawPrompt | None,
) -> Actions:
    """Return what the viewer may do on the current board; ``seat`` is the one for which the forms
    act, ``moves`` are those that are listed, and ``draw`` is an open offer."""
    held, position, running = seen_by.seats, standing.position, standing.result is None
    return Actions(
        undo=_can_undo(snapshot, seen_by, moves),
        analyse=bool(moves) and can_analyse(snapshot, seen_by),
        offer_draw=seat is not None and not draw and can_offer(snapshot, held),
        speak=seat is not None and not seen_by.is_solo and position.may_speak(seat),
        give_up=can_give_up(snapshot, seen_by),
        resign=seat is not None and running and position.is_active(seat),
        computer=computer_fits(snapshot),
        # Players are not offered a second seat, even in games that would allow it.
        sit_down=running and not held,
        close=seen_by.hosts,
    )


def can_analyse(snapshot: GameSnapshot, seen_by: Perspective) -> bool:
    """Return whether the viewer may analyse a game that has something to analyse."""
    return may_analyse(snapshot, seen_by.seats) and never_evaluable(snapshot) is None


def _can_undo(snapshot: GameSnapshot, seen_by: Perspective, moves: Sequence[StoredMove]) -> bool:
    """Return whether the viewer may undo one of the ``moves``, or ask the others for it."""
    if not snapshot.rules.undo or not moves or moves[-1].text == TIMEOUT:
        return False
    minds = snapshot.game.over and not seen_by.is_solo
    return not minds and any(move.seat in seen_by.seats for move in moves)


@dataclass(frozen=True, kw_only=True)
class HandOver:
    """The value of `_hand_over.jinja`: the secret seats of a shared device, whether one of them is
    opened, and those to whose players the device can be handed."""

    secrets: Sequence[SeatSpec]
    opened: bool
    seats: Sequence[SeatRow]


def hand_over(
    secrets: Sequence[SeatSpec], rows: Sequence[SeatRow], board: Board, *, over: bool
) -> HandOver:
    """Return the secret seats of a shared device. It is handed to nobody after the end of the game,
    and while the opened seat is to act."""
    keys = {spec.key for spec in secrets}
    opened = board.viewpoint in keys
    if over or (opened and board.stage):
        return HandOver(secrets=secrets, opened=opened, seats=[])
    others = keys - {board.viewpoint}
    seats = [row for row in rows if row.spec.key in others]
    return HandOver(secrets=secrets, opened=opened, seats=seats)


def draw_offer(snapshot: GameSnapshot, seen_by: Perspective) -> DrawPrompt | None:
    """Return the value of `_draw_offer.jinja`, with the names of people."""
    prompt = draw_prompt(snapshot, seen_by)
    return prompt and replace(prompt, told=call_by_name(prompt.told, seat_names(snapshot)))


def levels(snapshot: GameSnapshot, seen_by: Perspective) -> list[tuple[int, Text]]:
    """Return the value of `_levels.jinja`: the levels that the viewer may give the computers."""
    alone = seen_by.seats and seen_by.is_solo
    fixed = not alone or snapshot.changeable_level is None
    return [] if fixed else level_names(snapshot.rules)
