"""The search for games of three and four players, and the values of their placements."""

from __future__ import annotations

from itertools import combinations
from math import log
from random import Random

import numpy as np

from games.santorini.ai.bits import SPACES
from games.santorini.ai.evaluation import UNIT, evaluate, load_weights
from games.santorini.ai.many import (
    GONE,
    OUT,
    Table,
    after,
    climbs_of,
    load_weights_of_many,
    next_of,
    turns_of,
)
from games.santorini.ai.many_tree import FIRST, MOVE, NUMBER, VISITS, WINNERS, Tree, grow, new_tree
from games.santorini.ai.placement import first_values
from games.santorini.ai.root import Budget, Line
from games.santorini.ai.spaces import Pair, Seen
from games.santorini.ai.tools import LIMIT, MOVES, NODES, SURE, WIN

_STEP = 20_000
"""Nodes, or visits that find hardly any new nodes, between two checks of the clock."""


def table_of(seen: Seen) -> Table:
    """Return the table of the search, with the players on the board numbered in turn order."""
    spaces = [space for pair in seen.pairs if pair is not None for space in pair]
    spaces += [GONE] * (8 - len(spaces))
    return (*seen.towers, sum(space << 5 * index for index, space in enumerate(spaces)))


def think_many(seen: Seen, budget: Budget, *, rng: Random) -> list[Line]:
    """Return the moves of the player to move without winning climbs, the best first.

    Values are chances to win in log odds, or certain wins and losses, as in `root.think`. The best
    move is the one with the most visits."""
    table = table_of(seen)
    tree = new_tree(0, budget.nodes, load_weights_of_many())
    nodes, counters = tree[0], tree[3]
    while True:
        budget.allow(counters)
        counters[LIMIT] = min(counters[LIMIT], _STEP)
        looks = grow(table, tree)
        budget.spend(counters)
        if counters[NODES] == 0 or looks > counters[LIMIT] or nodes[0, WINNERS]:
            break
    first = int(nodes[0, FIRST])
    children = list(range(first, first + int(nodes[0, NUMBER])))
    rng.shuffle(children)
    ranked = sorted(children, key=lambda child: _rank(table, child, tree), reverse=True)
    return [
        Line(_with_space(table, int(nodes[child, MOVE])), _value(table, child, tree))
        for child in ranked
    ]


def _rank(table: Table, child: int, tree: Tree) -> tuple[int, int, float]:
    """Return the rank of a move of the root: whether it is decided, its visits, its chances."""
    value, visits = _value(table, child, tree), int(tree[0][child, VISITS])
    return (value if abs(value) > SURE else 0), visits, value


def _value(table: Table, child: int, tree: Tree) -> int:
    """Return the value of a move of the root: a certain win, a certain loss, at once or later, or
    its chances."""
    move, mover, *_, visits, winners = map(int, tree[0][child])
    if winners == 1:
        return WIN - 1
    if winners and not winners & 1:
        return (2 if _next_turn_climbs(after(table, 0, move), mover) else 4) - WIN
    return _log_odds(float(tree[1][child, 0]) / visits)


def _next_turn_climbs(table: Table, mover: int) -> bool:
    """Return whether the next turn can end the game by a climb.

    Shut-in players take no turn: they are eliminated, and the turn passes to the next player.
    """
    moves = np.empty(MOVES, dtype=np.int64)
    while not (climbs := climbs_of(table, mover)) and not turns_of(table, mover, moves):
        table = after(table, mover, OUT)
        mover = next_of(table, mover)
    return bool(climbs)


def _log_odds(chance: float) -> int:
    """Return the value of a chance, in the units of `evaluation`."""
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return round(UNIT * log(chance / (1 - chance)))


def _with_space(table: Table, turn: int) -> int:
    """Return a turn of `many` as a move of `bits`: the worker's space in place of its number."""
    return turn & ~31 | table[4] >> 5 * (turn & 31) & 31


def placement_values_among(seen: Seen) -> dict[Pair, int]:
    """Return a value for every free placement among several others, smaller space first.

    It is the mean of the evaluations against the players on the board, or, before anybody has
    placed workers, that of a game of two."""
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
