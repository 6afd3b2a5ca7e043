"""The search from the position on the board: iterative deepening, then the exact ending.

Boards are pairs (own, opponent) of 64-bit masks of an 8x8 board. Each call starts with empty
memory, so that the same position and limits give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.othello.ai.bits import FULL, legal_moves, turned
from games.othello.ai.clock import Clock, stop_after
from games.othello.ai.endgame import LIMIT, NODES, STOP
from games.othello.ai.memory import new_memory
from games.othello.ai.midgame import CERTAIN, search
from games.othello.ai.patterns import UNIT, set_features
from games.othello.ai.table import INFINITE
from games.othello.ai.weights import EVALUATION, load

_WINDOW = 2 * UNIT
"""Half the width of the first window around the value of the previous iteration."""
_SURE = 1
"""The confidence of searches that do not go to the end."""
_ENDINGS = (0, 3, CERTAIN)
"""The confidences of successive searches to the end."""
_BEFORE_THE_END = 8
"""Plies before the end at which the last search before those to the end stops. It orders their
moves, and decides if the end is too far."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search: the depth in plies, the number of empty squares from which the end is
    searched, and the nodes for each of these two parts. ``smooth`` values are the mean of the last
    two depths: whoever moves last in a search has an advantage, which changes from ply to ply.
    """

    depth: int
    solve: int = 0
    nodes: int = 1 << 60
    end_nodes: int = 1 << 60
    smooth: bool = False


@dataclass(frozen=True)
class Value:
    """The value of a move, in discs for the side that plays it; exact if it was solved."""

    discs: float
    exact: bool


def squares(mask: int) -> Iterator[int]:
    """Yield the numbers of the set bits, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


class Root:
    """A position under search. ``order`` has its moves, the best known first."""

    def __init__(self, own: int, opponent: int, evaluation: Path = EVALUATION) -> None:
        self.own, self.opponent = own, opponent
        self.memory = new_memory(*load(evaluation))
        self.empties = 64 - (own | opponent).bit_count()
        self.order = list(squares(int(legal_moves(own, opponent, FULL))))
        self.value = 0
        self.exact = False

    @property
    def stopped(self) -> bool:
        """Return whether the time or the nodes have run out."""
        return bool(self.memory.counters[STOP])

    def allow(self, nodes: int) -> None:
        """Limit the nodes of the searches from here on."""
        self.memory.counters[LIMIT] = self.memory.counters[NODES] + nodes

    def child(self, square: int, depth: int, confidence: int, alpha: int, beta: int) -> int:
        """Return the value of a move within a window, for the side that plays it."""
        turn = int(turned(square, self.own, self.opponent))
        own, opponent = self.opponent ^ turn, self.own | turn | 1 << square
        set_features(self.memory.features, 0, own, opponent)
        return -int(search(own, opponent, depth - 1, confidence, -beta, -alpha, 0, self.memory))

    def iterate(self, depth: int, confidence: int) -> None:
        """Search all moves to a depth, starting with a narrow window around the last value."""
        low, high = self.value - _WINDOW, self.value + _WINDOW
        while not self.stopped:
            value = self._pass(depth, confidence, low, high)
            if self.stopped or low < value < high:
                break
            low = -INFINITE if value <= low else low
            high = INFINITE if value >= high else high

    def _pass(self, depth: int, confidence: int, low: int, high: int) -> int:
        """Return the value of one principal-variation search of the moves.

        A better move goes to the front of the order at once, so that it counts even if the search
        is stopped later."""
        best = -INFINITE
        for square in tuple(self.order):
            alpha = max(low, best)
            value = -INFINITE
            if best > -INFINITE:
                value = self.child(square, depth, confidence, alpha, alpha + 1)
            if best == -INFINITE or alpha < value < high:
                value = self.child(square, depth, confidence, alpha, high)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > low:
                    self.order.remove(square)
                    self.order.insert(0, square)
                    self.value = value
            if best >= high:
                break
        return best


def think(
    own: int,
    opponent: int,
    limits: Limits,
    seconds: float,
    clock: Clock | None = None,
    evaluation: Path = EVALUATION,
) -> Root:
    """Search for the best move, and return the root, whose ``order`` begins with it."""
    root = Root(own, opponent, evaluation)
    if len(root.order) == 1:
        return root
    ending = root.empties <= limits.solve
    with stop_after(seconds, root.memory.counters, clock):
        root.allow(limits.nodes)
        for depth in range(1, min(limits.depth, root.empties) + 1):
            if ending and depth > root.empties - _BEFORE_THE_END:
                break
            root.iterate(depth, _SURE if depth < root.empties else CERTAIN)
        if ending and not _timed_out(root, limits.nodes):
            root.allow(limits.end_nodes)
            _search_the_end(root)
    return root


def _timed_out(root: Root, nodes: int) -> bool:
    """Return whether the time has run out, as opposed to the nodes of the first part."""
    if root.stopped and root.memory.counters[NODES] > root.memory.counters[LIMIT]:
        root.memory.counters[STOP] = 0
    return root.stopped


def _search_the_end(root: Root) -> None:
    for confidence in _ENDINGS:
        root.value = UNIT * round(root.value / UNIT)
        root.iterate(root.empties, confidence)
    root.exact = not root.stopped


def all_values(own: int, opponent: int, limits: Limits, seconds: float) -> dict[int, Value]:
    """Return the value of every move, by square.

    Values are exact if ``limits`` reach the end; otherwise they are those of the deepest search
    that was finished for all moves, the first one however little time there is."""
    root = Root(own, opponent)
    before: dict[int, Value] = {}
    ending = root.empties <= limits.solve
    last = min(limits.depth, root.empties)
    steps = [(depth, _SURE) for depth in range(1, last + 1)]
    if ending:
        steps = [step for step in steps if step[0] <= root.empties - _BEFORE_THE_END]
        steps += [(root.empties, confidence) for confidence in (_ENDINGS[0], CERTAIN)]
    root.allow(limits.end_nodes if ending else limits.nodes)
    values = _values_at(root, *steps[0])
    with stop_after(seconds, root.memory.counters):
        for depth, confidence in steps[1:]:
            found = _values_at(root, depth, confidence)
            if root.stopped:
                break
            before, values = values, found
    is_estimated = not any(value.exact for value in values.values())
    return _mean(before, values) if limits.smooth and before and is_estimated else values


def loss_of(
    own: int, opponent: int, square: int, limits: Limits, seconds: float
) -> tuple[int, float, list[float]]:
    """Return the best move, its value in discs, and the loss of a move against the best one at each
    of the last three depths that were finished."""
    root = Root(own, opponent)
    root.allow(limits.nodes)
    best, values, losses = square, [0.0], list[float]()
    with stop_after(seconds, root.memory.counters):
        for depth in range(1, min(limits.depth, root.empties) + 1):
            root.iterate(depth, _SURE)
            value = root.child(square, depth, _SURE, -INFINITE, INFINITE)
            if root.stopped:
                break
            best = root.order[0]
            values, losses = [*values[-1:], root.value / UNIT], [*losses[-2:]]
            losses.append(max(0.0, (root.value - value) / UNIT))
    return best, sum(values) / len(values), losses


def _mean(before: dict[int, Value], values: dict[int, Value]) -> dict[int, Value]:
    return {
        square: Value((value.discs + before[square].discs) / 2, exact=False)
        for square, value in values.items()
    }


def _values_at(root: Root, depth: int, confidence: int) -> dict[int, Value]:
    exact = confidence == CERTAIN and depth == root.empties
    values = {
        square: Value(root.child(square, depth, confidence, -INFINITE, INFINITE) / UNIT, exact)
        for square in root.order
    }
    root.order.sort(key=lambda square: -values[square].discs)
    return values
