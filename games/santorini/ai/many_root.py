"""Deepening for three and four players, and their placements."""

from __future__ import annotations

from itertools import combinations
from math import log
from random import Random

import numpy as np

from games.santorini.ai.bits import SPACES
from games.santorini.ai.evaluation import UNIT, evaluate, load_weights
from games.santorini.ai.many import CERTAIN, GONE, Table, after, next_of, search, turns_of
from games.santorini.ai.placement import first_values
from games.santorini.ai.root import Budget, Line
from games.santorini.ai.seen import Pair, Seen
from games.santorini.ai.tools import LIMIT, MOVES, NODES, SURE, new_tools

_DEEPEST = 40
_WIDTH = 6
"""How many of his best turns each player looks into."""
_ROOT_WIDTH = 20


def table_of(seen: Seen) -> Table:
    """The table of the search; players who have placed are numbered in turn order."""
    spaces = [space for pair in seen.pairs if pair is not None for space in pair]
    spaces += [GONE] * (8 - len(spaces))
    return (*seen.towers, sum(space << 5 * index for index, space in enumerate(spaces)))


def think_many(
    seen: Seen,
    budget: Budget,
    *,
    depth: int = _DEEPEST,
    wide: bool = False,
    rng: Random,
) -> list[Line]:
    """The moves of the player to move but for winning climbs, the best first.

    Values are chances to win in log odds, or forced wins and losses, as in `root.think`. Unless
    ``wide`` only the best moves of the first iteration are looked into, and others when those lose.
    """
    table = table_of(seen)
    tools = new_tools(load_weights(), 1)
    room = tools[0], tools[2], tools[4]
    turns = np.zeros(MOVES, dtype=np.int64)
    order = [turn for turn in map(int, turns[: turns_of(table, 0, turns)]) if _is_turn(table, turn)]
    rng.shuffle(order)
    width = len(order) if wide else _ROOT_WIDTH
    lines: list[Line] = []
    for step in range(1, depth + 1):
        budget.allow(room[2])
        if step == 1:
            room[2][LIMIT] = max(room[2][LIMIT], 10_000)
        found = _iteration(table, order, step, len(order) if step == 1 else width, room)
        budget.spend(room[2])
        if not found or room[2][NODES] > room[2][LIMIT]:
            break
        lines = sorted(found, key=lambda line: -line.value)
        searched = [line.move for line in lines]
        order = searched + [move for move in order if move not in searched]
        if lines[0].is_decided:
            break
    return [Line(_with_space(table, line.move), line.value) for line in lines]


def _iteration(
    table: Table, order: list[int], depth: int, width: int, room: tuple[np.ndarray, ...]
) -> list[Line]:
    """The values to one depth of the first ``width`` moves, and of more of them as long as all
    lose; fewer if the nodes ran out."""
    found: list[Line] = []
    for turn in order:
        if len(found) >= width and any(line.value > -SURE for line in found):
            break
        child = after(table, turn)
        hope = int(search(child, next_of(child, 0), depth - 1, _WIDTH, 1, room)[0])
        if room[2][NODES] > room[2][LIMIT]:
            break
        found.append(Line(turn, hope if abs(hope) > SURE else _log_odds(hope / CERTAIN)))
    return found


def _log_odds(chance: float) -> int:
    """The value of a chance, in the units of `evaluation`."""
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return round(UNIT * log(chance / (1 - chance)))


def _is_turn(table: Table, turn: int) -> bool:
    """Whether a move does not end on a third level, where nothing is built any more."""
    return not table[2] >> (turn >> 5 & 31) & 1


def _with_space(table: Table, turn: int) -> int:
    """A turn of `many` as a move of `bits`: the worker's space in place of his number."""
    return turn & ~31 | table[4] >> 5 * (turn & 31) & 31


def placement_values_among(seen: Seen) -> dict[Pair, int]:
    """A value for every free placement among several others, smaller space first.

    Against those who have placed the evaluation is asked, the mean of all; where nobody has,
    it is a game of two.
    """
    placed = [pair for pair in seen.pairs if pair is not None]
    if not placed:
        return first_values(nodes=20_000, seconds=2.0)
    weights = load_weights()
    taken = {space for pair in placed for space in pair}
    free = [space for space in range(SPACES) if space not in taken]
    return {
        pair: -sum(int(evaluate((0, 0, 0, 0, *other, *pair), weights)) for other in placed)
        // len(placed)
        for pair in combinations(free, 2)
    }
