"""Iterative deepening: the limits of a search, and its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np

from games.contract import search_clock
from games.santorini.ai.bits import BOARD, State, generate, level_of
from games.santorini.ai.evaluation import Weights, load_weights
from games.santorini.ai.search import search_root
from games.santorini.ai.tools import DEEPEST, LIMIT, MOVES, NODES, SURE, Tools, new_tools

_SLOWEST = 100_000
"""Nodes a second, until the speed is measured."""


@dataclass
class Budget:
    """The limits of a search: nodes, by which it normally stops, and seconds.

    Matches that count several threads pass ``time.process_time`` as the ``clock``.
    """

    nodes: int
    seconds: float
    clock: Callable[[], float] = field(default_factory=search_clock)

    def __post_init__(self) -> None:
        self._begin = self.clock()
        self._used = 0

    def allow(self, counters: np.ndarray) -> None:
        """Set the limit of the next step of a search from the remaining nodes and time."""
        elapsed = self.clock() - self._begin
        speed = max(self._used / elapsed, _SLOWEST) if elapsed > 0 else _SLOWEST
        left = int(speed * (self.seconds - elapsed)) if elapsed < self.seconds else 0
        counters[NODES], counters[LIMIT] = 0, max(min(self.nodes - self._used, left), 0)

    def spend(self, counters: np.ndarray) -> None:
        """Count the nodes of a finished step."""
        self._used += int(counters[NODES])


@dataclass(frozen=True)
class Line:
    """A move of the root and its value for the player to move (see `search`)."""

    move: int
    value: int

    @property
    def is_decided(self) -> bool:
        """Return whether the value is a forced win or loss."""
        return abs(self.value) > SURE


def tools_for(nodes: int, weights: Weights | None = None) -> Tools:
    """Return tools with a table whose size suits a number of nodes (64 KB to 16 MB)."""
    known = load_weights() if weights is None else weights
    return new_tools(known, min(max(nodes.bit_length(), 12), 20))


def think(
    state: State,
    budget: Budget,
    *,
    depth: int = DEEPEST,
    wide: bool = False,
    rng: Random | None = None,
    weights: Weights | None = None,
) -> list[Line]:
    """Return the moves of a position without winning climbs, the best first; empty if there are
    none.

    With ``wide`` every value is exact and of the same depth; without it only the first one is.
    ``rng`` shuffles moves of equal rank. ``weights`` are those of `evaluation` by default."""
    tools = tools_for(budget.nodes, weights)
    moves, values = np.zeros(MOVES, dtype=np.int64), np.zeros(MOVES, dtype=np.int64)
    turns = [int(move) for move in moves[: generate(state, BOARD, moves)] if _is_turn(state, move)]
    if rng is not None:
        rng.shuffle(turns)
    number = len(turns)
    moves[:number] = turns
    lines: list[Line] = []
    for step in range(1, depth + 1):
        budget.allow(tools[4])
        if step == 1:
            tools[4][LIMIT] = max(tools[4][LIMIT], 100_000)
        done = search_root(state, step, moves, values, number, wide, tools)
        budget.spend(tools[4])
        if done == number or not wide:
            lines = [Line(int(m), int(v)) for m, v in zip(moves, values, strict=True)][:number]
        if not wide and 0 < done < number and values[0] < -SURE:
            lines = _best_hopes(lines, done)
        if done < number or all(line.is_decided for line in lines[: None if wide else 1]):
            break
        if wide:
            _sort(moves, values, number)
    return sorted(lines, key=lambda line: -line.value) if wide else lines


def _best_hopes(lines: list[Line], done: int) -> list[Line]:
    """Return the moves in a new order, after the first ``done`` have been found to lose.

    A move that was not reached may be better, unless an earlier step has shown that it loses. Among
    losing moves, the one that lasts longest comes first.
    """
    hopes = [line for line in lines[done:] if line.value >= -SURE]
    losses = lines[:done] + [line for line in lines[done:] if line.value < -SURE]
    return hopes + sorted(losses, key=lambda line: -line.value)


def _is_turn(state: State, move: int) -> bool:
    """Return whether a move does not end on a third level, where no build follows."""
    return level_of(state, int(move) >> 5 & 31) < 3


def _sort(moves: np.ndarray, values: np.ndarray, number: int) -> None:
    order = np.argsort(-values[:number], kind="stable")
    moves[:number], values[:number] = moves[order], values[order]
