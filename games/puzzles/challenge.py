"""A challenge: a position with a task, and the judgement of the moves that are tried.

A puzzle is one, and so is a position of a finished game with a better move than the played one.
Everything is known beforehand, so no move needs a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.contract import (
    BadNotation,
    IllegalMove,
    MoveError,
    Position,
    Refutation,
    Rules,
    SeatKey,
    Text,
    Turn,
    text,
)
from games.puzzles.catalogue import Entry


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A position with the turns of the solver, see `games.contract.Puzzle`. ``reason`` returns why
    a wrong move fails, from the position before it, the move and its refutation."""

    rules: Rules
    start: Position
    turns: Sequence[Turn]
    task: Text
    praise: Text
    reason: Callable[[Position, str, Refutation], Text]
    any_order: bool = False
    unoffered: frozenset[str] = frozenset()

    @property
    def seat(self) -> SeatKey:
        return min(self.start.to_move())

    @property
    def solution(self) -> list[Played]:
        """The moves of the solver and the replies, one after the other."""
        return [
            Played(move, is_own=number == 0)
            for turn in self.turns
            for number, move in enumerate((turn.right[0], *turn.replies))
        ]

    def label(self, position: Position, move: str) -> Text | str:
        """Return a move as lists show it: the word of a card, or the move in the reader's
        language."""
        label = position.label_move(move)
        return label.text if label else self.rules.display_move(move)


class Played(NamedTuple):
    """A move on the board, by the solver or by the opponent."""

    move: str
    is_own: bool


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The position after ``moves``, of which the solver ``tried`` some: the solver is to move
    (``open``), the last move was ``wrong`` and is refuted on the board for the ``reason``, the task
    is ``solved``, or the solution is ``shown``. ``left`` counts the moves still to be found."""

    position: Position
    state: Literal["open", "wrong", "solved", "shown"]
    moves: Sequence[Played]
    tried: Sequence[str] = ()
    reason: Text | None = None
    left: int = 0

    @property
    def right(self) -> Sequence[str]:
        return self.tried[:-1] if self.state == "wrong" else self.tried


def challenge_of(entry: Entry) -> Challenge:
    book, puzzle = entry.book, entry.puzzle
    return Challenge(
        rules=entry.rules,
        start=entry.start,
        turns=puzzle.turns,
        task=entry.task,
        praise=book.praise(puzzle),
        reason=lambda before, move, refutation: book.reason(puzzle, before, move, refutation),
        any_order=puzzle.any_order,
        unoffered=book.unoffered,
    )


def show_solution(challenge: Challenge, plies: int) -> Answer:
    """Return the position after so many moves of the solution, as an answer."""
    position, moves = challenge.start.copy(), challenge.solution[: max(0, plies)]
    for move, _ in moves:
        position.play(min(position.to_move()), move)
    return Answer(position=position, state="shown", moves=moves)


def judge(challenge: Challenge, tried: Sequence[str]) -> Answer:
    """Return the answer to the moves of the solver; moves after the solution or after a wrong one
    are dropped. Raises MoveError for an illegal move."""
    position, turns, moves = challenge.start.copy(), list(challenge.turns), list[Played]()
    for number, move in enumerate(tried, start=1):
        if not turns:
            tried = tried[: number - 1]
            break
        before = position.copy()
        _play(challenge, position, move)
        moves.append(Played(move, is_own=True))
        if move not in _accepted(challenge, turns):
            refutation = turns[0].refutation(move)
            reason = challenge.reason(before, move, refutation)
            moves += _replies(position, filter(None, [refutation.reply]))
            made = tried[:number]
            return Answer(position=position, state="wrong", moves=moves, tried=made, reason=reason)
        if challenge.any_order:
            turns = [turn for turn in turns if turn.right[0] != move]
        elif move != turns[0].right[0]:
            turns = []
        else:
            moves += _replies(position, turns.pop(0).replies)
    state: Literal["open", "solved"] = "open" if turns else "solved"
    return Answer(position=position, state=state, moves=moves, tried=tried, left=len(turns))


def judge_address(challenge: Challenge, written: str) -> Answer:
    """Return the answer to the moves in an address, up to the first illegal one."""
    tried = [move for move in written[:400].split(",") if move][:12]
    while True:
        try:
            return judge(challenge, tried)
        except MoveError:
            tried = tried[:-1]


def _play(challenge: Challenge, position: Position, move: str) -> None:
    """Play a move in the notation of the game. Raises MoveError; nobody resigns a puzzle."""
    seat = min(position.to_move())
    if move not in position.legal_moves(seat) or move in challenge.unoffered:
        if move in {"resign", "timeout", "draw"}:
            raise BadNotation(text("There is nothing to resign here."))
        position.copy().play(seat, move)
        raise IllegalMove(text("That is no move here."))
    position.play(seat, move)


def _accepted(challenge: Challenge, turns: Sequence[Turn]) -> set[str]:
    if challenge.any_order:
        return {turn.right[0] for turn in turns}
    return set(turns[0].right)


def _replies(position: Position, replies: Iterable[str]) -> list[Played]:
    moves = [Played(move, is_own=False) for move in replies]
    for move, _ in moves:
        position.play(min(position.to_move()), move)
    return moves
