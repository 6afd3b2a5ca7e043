"""A challenge: a position with a task, and the judgement of the moves that are tried.

A puzzle is one, and so is a position of a finished game with a better move than the played one.
Everything is known beforehand, so no move needs a search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from games.contract import (
    BadNotation,
    IllegalMove,
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

    @property
    def seat(self) -> SeatKey:
        """The seat of the solver."""
        return min(self.start.to_move())

    @property
    def solution(self) -> list[str]:
        """The moves of the solver and the replies, one after the other."""
        return [move for turn in self.turns for move in (turn.right[0], *turn.replies)]

    def after_solution(self, plies: int) -> Position:
        """Return the position after so many moves of the solution."""
        position = self.start.copy()
        for move in self.solution[:plies]:
            position.play(min(position.to_move()), move)
        return position


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The position after the solver's moves ``tried``: the solver is to move (``open``), the last
    move was ``wrong`` and is refuted on the board for the ``reason``, or the task is ``solved``."""

    tried: Sequence[str]
    position: Position
    state: Literal["open", "wrong", "solved"]
    reason: Text | None = None
    left: int = 0

    @property
    def right(self) -> Sequence[str]:
        """The tried moves without a wrong one."""
        return self.tried[:-1] if self.state == "wrong" else self.tried


def challenge_of(entry: Entry) -> Challenge:
    """Return a puzzle as a challenge."""
    book, puzzle = entry.book, entry.puzzle
    return Challenge(
        rules=entry.rules,
        start=entry.start,
        turns=puzzle.turns,
        task=entry.task,
        praise=book.praise(puzzle),
        reason=lambda before, move, refutation: book.reason(puzzle, before, move, refutation),
        any_order=puzzle.any_order,
    )


def judge(challenge: Challenge, tried: Sequence[str]) -> Answer:
    """Return the answer to the moves of the solver; moves after the solution or after a wrong one
    are dropped. Raises MoveError for an illegal move."""
    position, turns = challenge.start.copy(), list(challenge.turns)
    for number, move in enumerate(tried, start=1):
        if not turns:
            return Answer(tried=tried[: number - 1], position=position, state="solved")
        before = position.copy()
        _play(position, move)
        if move not in _accepted(challenge, turns):
            refutation = turns[0].refutation(move)
            reason = challenge.reason(before, move, refutation)
            if refutation.reply:
                position.play(min(position.to_move()), refutation.reply)
            made = tried[:number]
            return Answer(tried=made, position=position, state="wrong", reason=reason)
        turns = _go_on(challenge, turns, position, move)
    state: Literal["open", "solved"] = "open" if turns else "solved"
    return Answer(tried=tried, position=position, state=state, left=len(turns))


def _play(position: Position, move: str) -> None:
    """Play a move in the notation of the game. Raises MoveError; nobody resigns a puzzle."""
    seat = min(position.to_move())
    if move not in position.legal_moves(seat):
        if move in {"resign", "timeout", "draw"}:
            raise BadNotation(text("There is nothing to resign here."))
        position.copy().play(seat, move)
        raise IllegalMove(text("That is no move here."))
    position.play(seat, move)


def _accepted(challenge: Challenge, turns: Sequence[Turn]) -> set[str]:
    if challenge.any_order:
        return {turn.right[0] for turn in turns}
    return set(turns[0].right)


def _go_on(
    challenge: Challenge, turns: Sequence[Turn], position: Position, move: str
) -> list[Turn]:
    """Play the replies to a right move, and return the turns that are left."""
    if challenge.any_order:
        return [turn for turn in turns if turn.right[0] != move]
    turn, *later = turns
    if move != turn.right[0]:
        return []
    for reply in turn.replies:
        position.play(min(position.to_move()), reply)
    return later if position.to_move() else []
