"""The values of the page of a challenge: its board, what the solver may do, and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

from games.contract import MoveError, Position, SeatSpec, Text, ntext
from games.presentation.board import Board, build_board
from games.presentation.replay import Stepper
from games.puzzles.challenge import Answer, Challenge, judge
from games.state.snapshot import Standing


class Tried(NamedTuple):
    """A move on the board, by the solver or by the opponent, as the page shows it."""

    move: Text | str
    is_own: bool


@dataclass(frozen=True, kw_only=True)
class ChallengePage:
    """The page of a challenge. ``retry`` is the address without a wrong last move, ``tried`` the
    solver's moves as text; the ``stepper`` goes through the solution once it is shown."""

    challenge: Challenge
    answer: Answer
    board: Board
    seat: SeatSpec
    moves: Sequence[Tried]
    tried: str
    retry: str = ""
    stepper: Stepper | None = None

    @property
    def is_open(self) -> bool:
        """Whether the solver is to move."""
        return self.answer.state == "open" and self.stepper is None

    @property
    def news(self) -> Sequence[Text]:
        """The sentences of the last move on the board; none before the first one."""
        return self.board.view["events"] if self.moves else ()

    @property
    def left(self) -> Text | None:
        """How many cards or moves are still to be found, after a right one."""
        if not self.is_open or not self.answer.tried:
            return None
        return ntext("Right! %(n)s more.", "Right! %(n)s more.", n=self.answer.left)


def read_tried(written: str) -> list[str]:
    """Return the moves in an address."""
    return [move for move in written[:400].split(",") if move][:12]


def write_tried(moves: Sequence[str]) -> str:
    """Return the address of a challenge after the solver's moves."""
    return "?" + urlencode({"tried": ",".join(moves)}, safe=",") if moves else "?"


def build_challenge_page(
    challenge: Challenge,
    answer: Answer,
    *,
    chosen: Sequence[str] = (),
    solution: int | None = None,
) -> ChallengePage:
    """Return the page after an answer, with the steps ``chosen`` of the next move; with
    ``solution``, the position after so many moves of the solution."""
    seat, moves, stepper = challenge.seat, _moves(challenge, answer), None
    position, offered = answer.position, seat if answer.state == "open" else None
    if solution is not None:
        last = len(challenge.solution)
        solution = max(0, min(solution, last))
        position, offered = challenge.after_solution(solution), None
        moves = _of_solution(challenge, solution)
        stepper = Stepper(solution, last, "?solution={}")
    board = build_board(
        challenge.rules,
        Standing.of(position),
        viewpoint=seat,
        seat=offered,
        chosen=chosen,
        tried=True,
    )
    moves = [solved._replace(move=_label(challenge, position, solved.move)) for solved in moves]
    return ChallengePage(
        challenge=challenge,
        answer=answer,
        board=replace(board, has_marks=False),
        seat=next(spec for spec in challenge.start.seats if spec.key == seat),
        moves=moves,
        tried=",".join(answer.tried),
        retry=write_tried(answer.right) if answer.state == "wrong" else "",
        stepper=stepper,
    )


def _moves(challenge: Challenge, answer: Answer) -> list[Tried]:
    """Return the moves that led to the answer: the solver's, and the replies."""
    moves: list[Tried] = []
    turns = list(challenge.turns)
    for number, move in enumerate(answer.tried):
        moves.append(Tried(move, is_own=True))
        if challenge.any_order or number >= len(turns):
            continue
        turn = turns[number]
        if move == turn.right[0]:
            moves += [Tried(reply, is_own=False) for reply in turn.replies]
        elif move not in turn.right and (reply := turn.refutation(move).reply):
            moves.append(Tried(reply, is_own=False))
    return moves


def _label(challenge: Challenge, position: Position, move: Text | str) -> Text | str:
    """Return a move as lists show it: the word of a card, or the move in the reader's language."""
    label = position.label_move(str(move))
    return label.text if label else challenge.rules.display_move(str(move))


def _of_solution(challenge: Challenge, plies: int) -> list[Tried]:
    pairs = [
        Tried(move, is_own)
        for turn in challenge.turns
        for move, is_own in [(turn.right[0], True), *((reply, False) for reply in turn.replies)]
    ]
    return pairs[:plies]


def judge_address(challenge: Challenge, tried: Sequence[str]) -> Answer:
    """Return the answer to the moves in an address, up to the first illegal one."""
    while True:
        try:
            return judge(challenge, tried)
        except MoveError:
            tried = tried[:-1]
