"""Exact play: the independent regions of a board, and their Grundy values.

Hermit is an impartial game in which the last to move wins, so by the theorem of Sprague and Grundy
the value of a board is the exclusive or of the values of its regions, and a move to a board of
value 0 wins. Only the worker process imports this: it loads compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.contract import search_clock
from games.hermit.ai.bits import State, Word, canonical, settled, weight
from games.hermit.ai.search import OUT_OF_NODES, YES, solve
from games.hermit.ai.table import LIMIT, NODES, new_memory
from games.hermit.counting import regions
from games.hermit.engine import COLOURS, Board

WIDEST: Final = 8
"""Rows or columns of the widest region that is searched."""

_FIRST_SLICE: Final = 20_000
"""Nodes between two checks of the clock, at first."""


@dataclass(frozen=True, slots=True)
class Part:
    """A region: empty squares whose future is independent of all others.

    ``mask`` is a bitboard of its board; ``state`` its canonical form for the search, None if
    the region has more than `WIDEST` rows or columns."""

    mask: int
    state: State | None
    weight: int


def regions_of(board: Board) -> list[Part]:
    """Return the regions where a block still fits, in the order of their first squares."""
    allowed = [board.allowed(colour) for colour in COLOURS]
    return [_region(board, allowed, mask) for mask in regions(board)]


def _region(board: Board, allowed: Sequence[int], mask: int) -> Part:
    cells = list(board.cells(mask))
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    size = max(max(r - top, c - left) for r, c in cells) + 1
    if size > WIDEST:
        return Part(mask, None, sum((plane & mask).bit_count() for plane in allowed))
    planes = [
        Word(sum(1 << 8 * (r - top) + c - left for r, c in board.cells(plane & mask)))
        for plane in allowed
    ]
    state = canonical(settled((planes[0], planes[1], planes[2], Word(0))))
    return Part(mask, state, int(weight(state)))


def without_pairs(regions: Iterable[Part]) -> list[Part]:
    """Return the regions that count, lightest first. Two equal regions are left out, since together
    they have the value 0."""
    odd: dict[State | int, Part] = {}
    for region in regions:
        key = region.mask if region.state is None else region.state
        if odd.pop(key, None) is None:
            odd[key] = region
    return sorted(odd.values(), key=lambda region: region.weight)


class Solver:
    """A solver for exact values within a number of nodes, and within a time that no search should
    reach.

    Each decision gets a solver of its own, so that its knowledge, and the point where it runs out
    of nodes, depend on nothing else.
    """

    def __init__(self, nodes: int, *, seconds: float = 60.0, log2_entries: int = 18) -> None:
        self.nodes_left = nodes
        self._clock = search_clock()
        self._deadline = self._clock() + seconds
        self._memory = new_memory(log2_entries)

    def value(self, region: Part, nodes: int | None = None) -> int | None:
        """Return the Grundy value of a region, None if it was not found within ``nodes``."""
        for guess in range(64):
            answer = self._ask(region, guess, nodes)
            if answer is not False:
                return None if answer is None else guess
        return None

    def sum_of_values(self, regions: Iterable[Part], nodes: int | None = None) -> int | None:
        """Return the exclusive or of the values of regions; None if one was not found."""
        total = 0
        for region in without_pairs(regions):
            value = self.value(region, nodes)
            if value is None:
                return None
            total ^= value
        return total

    def is_lost(self, regions: Sequence[Part], nodes: int | None = None) -> bool | None:
        """Return whether the player to move loses because the values cancel out; None if that was
        not found."""
        counted = without_pairs(regions)
        if not counted:
            return True
        goal = self.sum_of_values(counted[:-1], nodes)
        return None if goal is None else self._ask(counted[-1], goal, nodes)

    def _ask(self, region: Part, goal: int, nodes: int | None) -> bool | None:
        """Return whether a region has the value ``goal``; None if that was not found."""
        if region.state is None:
            return None
        limit = self.nodes_left if nodes is None else min(nodes, self.nodes_left)
        for piece in _slices(limit):
            if self._clock() >= self._deadline:
                return None
            answer = self._search(region.state, goal, piece)
            if answer != OUT_OF_NODES:
                return answer == YES
        return None

    def _search(self, state: State, goal: int, nodes: int) -> int:
        counters = self._memory[3]
        counters[NODES], counters[LIMIT] = 0, nodes
        answer = solve(state, goal, self._memory, 0)
        self.nodes_left -= int(counters[NODES])
        return answer


def _slices(limit: int) -> Iterator[int]:
    """Yield growing numbers of nodes that sum up to ``limit``."""
    piece = _FIRST_SLICE
    while limit > 0:
        yield min(piece, limit)
        limit -= piece
        piece *= 2
