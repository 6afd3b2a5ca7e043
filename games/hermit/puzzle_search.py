"""The search for puzzles of Hermit: positions with one winning move, by the Grundy values of the
regions that every move leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from games.contract import Puzzle, Refutation, Turn, with_common_refutation
from games.hermit.ai.solver import Part, Solver, regions_of
from games.hermit.computer import choose
from games.hermit.counting import is_mirrored
from games.hermit.engine import COLOURS
from games.hermit.position import HermitPosition

LANGUAGES: Final = ("",)

MOST_MOVES: Final = 24
"""Legal moves of the first position at most."""
FEWEST_MOVES: Final = 6
LONGEST: Final = 3
"""Turns of the solver at most."""
_NODES: Final = 2_000_000


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield the puzzles of one game between computer players of levels 1 to 3."""
    size = rng.choice((4, 5, 5, 6, 6, 7))
    levels = {"first": rng.choice((1, 2, 3)), "second": rng.choice((1, 2, 3))}
    position, moves = HermitPosition(size), list[str]()
    while seats := position.to_move():
        (seat,) = seats
        if puzzle := _puzzle(position, {"size": size}, moves):
            yield puzzle
        move = choose(position, seat, levels[seat], rng).move
        position.play(seat, move)
        moves.append(move)


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of a finished game."""
    position = HermitPosition(setup["size"])
    for number, move in enumerate(moves):
        if puzzle := _puzzle(position, setup, moves[:number]):
            yield puzzle
        position.play(min(position.to_move()), move)


class _Judge:
    """Tells lost positions from won ones, with one table for a whole puzzle."""

    def __init__(self) -> None:
        self._solver = Solver(_NODES, seconds=600)
        self._known: dict[tuple[int, ...], bool] = {}

    def is_lost(self, position: HermitPosition) -> bool:
        """Return whether the player to move loses. Raises TooHard."""
        key = tuple(position.board.allowed(colour) for colour in COLOURS)
        if key not in self._known:
            lost = self._solver.is_lost(regions_of(position.board))
            if lost is None:
                raise TooHard
            self._known[key] = lost
        return self._known[key]

    def right(self, position: HermitPosition) -> list[str]:
        """Return the winning moves."""
        return [move for move in _legal(position) if self.is_lost(_after(position, move))]


class TooHard(Exception):
    """Raised for a position that is not solved within the nodes."""


def _legal(position: HermitPosition) -> list[str]:
    return [move for seat in position.to_move() for move in position.legal_moves(seat)]


def _after(position: HermitPosition, move: str) -> HermitPosition:
    return position.copy().play(min(position.to_move()), move)


def _puzzle(
    position: HermitPosition, setup: Mapping[str, Any], moves: Sequence[str]
) -> Puzzle | None:
    if not FEWEST_MOVES <= len(_legal(position)) <= MOST_MOVES:
        return None
    judge = _Judge()
    try:
        right = judge.right(position)
        if len(right) != 1:
            return None
        turns = tuple(_turns(position, right, judge))
    except TooHard:
        return None
    return Puzzle(
        key=_shape(position),
        task="win",
        setup=dict(setup),
        moves=tuple(moves),
        turns=turns,
        themes=tuple(_themes(position, right[0])),
    )


def _turns(position: HermitPosition, right: list[str], judge: _Judge) -> Iterator[Turn]:
    """Yield the turns of the solver against the replies that leave most moves."""
    for _ in range(LONGEST):
        wrong = [move for move in _legal(position) if move not in right]
        if not wrong:
            return
        refutations = _refutations(position, wrong, judge)
        position = _after(position, right[0])
        replies = []
        if not position.result():
            # Every reply loses, and the one that leaves most moves is the hardest to answer.
            replies = [min(_legal(position), key=lambda move: _ease(position, move))]
        turn = Turn(right=tuple(right), refutations=refutations, replies=tuple(replies))
        if replies:
            position = _after(position, replies[0])
            right = judge.right(position)
        yield with_common_refutation(turn)
        if not replies:
            return


def _ease(position: HermitPosition, move: str) -> tuple[int, str]:
    return -len(_legal(_after(position, move))), move


def _refutations(
    position: HermitPosition, wrong: Sequence[str], judge: _Judge
) -> dict[str, Refutation]:
    """Return a winning reply to each wrong move. Replies that refute others are tried first, so
    that there are few."""
    answers = {move: set(judge.right(_after(position, move))) for move in wrong}
    found: dict[str, Refutation] = {}
    while left := [move for move in wrong if move not in found]:
        replies = sorted({reply for move in left for reply in answers[move]})
        best = max(replies, key=lambda reply: sum(reply in answers[move] for move in left))
        found |= {move: Refutation(best) for move in left if best in answers[move]}
    return found


def _themes(position: HermitPosition, right: str) -> Iterator[str]:
    before, after = regions_of(position.board), regions_of(_after(position, right).board)
    if is_mirrored(_after(position, right).board) and after:
        yield "mirror"
    if len(after) > len(before):
        yield "cut"
    if len(before) > 1:
        yield "region"
    if after and all(part.weight <= 3 and part.mask.bit_count() == 1 for part in after):
        yield "parity"
    if right.endswith("U"):
        yield "upright"


def _shape(position: HermitPosition) -> str:
    """Return a text that is equal for positions with the same regions, up to symmetry and
    colours."""
    parts: list[Part] = regions_of(position.board)
    return " ".join(sorted(str([int(word) for word in part.state or ()]) for part in parts))
