"""The search for puzzles of Hermit: positions with one winning move, by the Grundy values of the
regions that every move leaves. Some are to be saved: after any other move the game can end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple

from games.contract import Puzzle, Refutation, Turn, cell_name, with_common_refutation
from games.hermit.ai.solver import Part, Solver, regions_of
from games.hermit.counting import counts, is_mirrored
from games.hermit.engine import COLOURS
from games.hermit.position import HermitPosition, parse_move

LANGUAGES: Final = ("",)

SIZES: Final = (4, 5, 6, 6, 7, 7, 8)
MOST_MOVES: Final = 45
"""Legal moves of the first position at most."""
FEWEST_MOVES: Final = 6
LONGEST: Final = 3
"""Turns of the solver at most."""
SHORTER: Final = 0.3
"""The share of the shorter puzzles that are kept."""
COPYING: Final = 0.2
"""The share of the games in which one player copies the other."""
OPEN: Final = 2
"""The least number of wrong moves, in a position to be saved, after which the other player can
still go wrong."""
BROADEST: Final = 4
"""Replies of which the one is chosen that makes the longest puzzle."""
_NODES: Final = 300_000


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield the puzzles of one game of random moves, in which one player may copy the other."""
    setup = {"size": rng.choice(SIZES)}
    position, moves = HermitPosition(setup["size"]), list[str]()
    copies = rng.random() < COPYING
    while position.to_move():
        puzzle = _puzzle(position, setup, moves)
        if puzzle and (_is_special(puzzle) or rng.random() < SHORTER):
            yield puzzle
        legal = _legal(position)
        copy = _copy(moves, setup["size"]) if copies else ""
        moves.append(copy if copy in legal else rng.choice(legal))
        position.play(min(position.to_move()), moves[-1])


def _is_special(puzzle: Puzzle) -> bool:
    return len(puzzle.turns) == LONGEST or not {"save", "mirror"}.isdisjoint(puzzle.themes)


def _copy(moves: Sequence[str], size: int) -> str:
    """Return the move of a player who copies: the last one after half a turn, and on an odd board
    the centre first. It is '' for the other player."""
    if len(moves) % 2 == (size % 2 and bool(moves)):
        return ""
    if not moves:
        return f"R {cell_name(size // 2, size // 2)} U"
    colour, (row, column), placement = parse_move(moves[-1])
    row, column = size - 1 - row - (placement == "V"), size - 1 - column - (placement == "H")
    return f"{colour} {cell_name(row, column)} {placement}"


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of a finished game."""
    position = HermitPosition(setup["size"])
    for number, move in enumerate(moves):
        if puzzle := _puzzle(position, setup, moves[:number]):
            yield puzzle
        position.play(min(position.to_move()), move)


class _Reply(NamedTuple):
    """A reply, the position after it, and the moves that win there."""

    move: str
    position: HermitPosition
    right: Sequence[str]


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

    def winning(self, position: HermitPosition) -> Iterator[str]:
        return (move for move in _legal(position) if self.is_lost(_after(position, move)))

    def right(self, position: HermitPosition) -> list[str]:
        return list(self.winning(position))

    def length(self, position: HermitPosition, right: Sequence[str], most: int) -> int:
        """Return the number of turns with a wrong move from here, at most so many."""
        if not most or len(right) == len(_legal(position)):
            return 0
        after = _after(position, right[0])
        if after.result():
            return 1
        return 1 + max(
            self.length(reply.position, reply.right, most - 1) for reply in self.replies(after)
        )

    def replies(self, position: HermitPosition) -> list[_Reply]:
        """Return the replies that leave the smallest shares of winning moves."""
        found = []
        for move in _legal(position):
            after = _after(position, move)
            right, legal = self.right(after), len(_legal(after))
            found.append(((len(right) / legal, -legal, move), _Reply(move, after, right)))
        return [reply for _rank, reply in sorted(found, key=itemgetter(0))[:BROADEST]]


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
        right = list(islice(judge.winning(position), 2))
        if len(right) != 1:
            return None
        turns = tuple(_turns(position, right, judge))
    except TooHard:
        return None
    saves = _saves(position, right)
    return Puzzle(
        key=_shape(position),
        task="save" if saves else "win",
        setup=dict(setup),
        moves=tuple(moves),
        turns=turns,
        themes=(*(["save"] if saves else []), *_themes(position, right[0])),
    )


def _saves(position: HermitPosition, right: Sequence[str]) -> bool:
    """Return whether after all moves but the right one the other player can lay the last block."""
    wrong = [_after(position, move) for move in _legal(position) if move not in right]
    lost = all(_ending(after) for after in wrong)
    return lost and sum(len(counts(after.board)) > 1 for after in wrong) >= OPEN


def _ending(position: HermitPosition) -> set[str]:
    """Return the moves that lay the last block."""
    return {move for move in _legal(position) if _after(position, move).result()}


def _turns(position: HermitPosition, right: Sequence[str], judge: _Judge) -> Iterator[Turn]:
    """Yield the turns of the solver against the replies after which most are left."""
    for left in reversed(range(LONGEST)):
        wrong = [move for move in _legal(position) if move not in right]
        if not wrong:
            return
        after = _after(position, right[0])
        turn = Turn(right=tuple(right), refutations=_refutations(position, wrong, judge))
        if after.result():
            yield with_common_refutation(turn)
            return
        replies = judge.replies(after)
        longest = [judge.length(found.position, found.right, left) for found in replies]
        reply, position, right = replies[longest.index(max(longest))]
        yield with_common_refutation(replace(turn, replies=(reply,)))


def _refutations(
    position: HermitPosition, wrong: Sequence[str], judge: _Judge
) -> dict[str, Refutation]:
    """Return a winning reply to each wrong move, one that ends the game if there is one. Replies
    that refute others are tried first, so that there are few."""
    after = {move: _after(position, move) for move in wrong}
    answers = {move: _ending(after[move]) or set(judge.right(after[move])) for move in wrong}
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
