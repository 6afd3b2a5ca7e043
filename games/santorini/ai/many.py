"""Three and four players: each plays for himself (the max-n search of Luckhardt and Irani 1986).

So a player stops the climb of the one who is next, for nobody else will, and leaves other climbs
to those in between, who must stop them in their turn.

``table`` = (at least 1, at least 2, at least 3, dome, workers): the sets of `bits`, and the spaces
of the workers of up to four players in turn order, five bits each, GONE for who is out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from games.santorini.ai.bits import NEAR, lowest
from games.santorini.ai.evaluation import UNIT, evaluate
from games.santorini.ai.jit import kernel
from games.santorini.ai.tools import LIMIT, NODES, WIN, pick

GONE = 31
TABLE = "UniTuple(int64, 5)"
Table = tuple[int, int, int, int, int]
"""See the head of this module."""
ROOM = "Tuple((int32[::1], int64[:, :, ::1], int64[::1]))"
"""The weights, the stack and the counters of `tools`."""
CHANCES = "UniTuple(int64, 4)"
Chances = tuple[int, int, int, int]
"""What each player may hope for: his chance in 1/CERTAIN, or a win or loss (see `search`)."""
CERTAIN = 10_000


@kernel("int64(int64, int64)")
def _space(workers: int, worker: int) -> int:
    return workers >> 5 * worker & 31


@kernel(f"int64({TABLE}, int64)")
def _level(table: Table, space: int) -> int:
    return (table[0] >> space & 1) + (table[1] >> space & 1) + (table[2] >> space & 1)


@kernel("int64(int64)")
def _standing(workers: int) -> int:
    """The set of spaces with a worker."""
    taken = int64(0)
    for worker in range(8):
        space = _space(workers, worker)
        if space != GONE:
            taken |= int64(1) << space
    return taken


@kernel(f"int64({TABLE}, int64)")
def climbs_of(table: Table, player: int) -> int:
    """The third levels that a player can climb to now."""
    third = table[2] & ~table[3]
    if third == 0:
        return int64(0)
    found = int64(0)
    for worker in range(2 * player, 2 * player + 2):
        space = _space(table[4], worker)
        if space != GONE and table[1] >> space & 1:
            found |= NEAR[space]
    return found & third & ~_standing(table[4])


@kernel(f"int64({TABLE}, int64, int64[::1])")
def turns_of(table: Table, player: int, moves: Any) -> int:
    """Write the turns of a player who has no climb; returns their number.

    A turn is ``worker | target << 5 | build << 10``, the worker counting from 0 to 7.
    """
    number = 0
    taken = _standing(table[4])
    for worker in range(2 * player, 2 * player + 2):
        start = _space(table[4], worker)
        if start == GONE:
            continue
        too_high = table[min(_level(table, start) + 1, 3)]
        targets = NEAR[start] & ~taken & ~too_high
        free = ~(taken ^ int64(1) << start | table[3])
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            builds = NEAR[target] & free & ~(int64(1) << target)
            while builds:
                moves[number] = worker | target << 5 | lowest(builds) << 10
                builds &= builds - 1
                number += 1
    return number


@kernel(f"{TABLE}({TABLE}, int64)")
def after(table: Table, move: int) -> Table:
    """The table after a turn."""
    worker, target, bit = move & 31, move >> 5 & 31, int64(1) << (move >> 10)
    one, two, three, dome, workers = table
    workers = workers & ~(int64(31) << 5 * worker) | target << 5 * worker
    if not one & bit:
        one |= bit
    elif not two & bit:
        two |= bit
    elif not three & bit:
        three |= bit
    else:
        dome |= bit
    return (one, two, three, dome, workers)


@kernel(f"{TABLE}({TABLE}, int64)")
def without(table: Table, player: int) -> Table:
    """The table when a player is out."""
    return (table[0], table[1], table[2], table[3], table[4] | int64(1023) << 10 * player)


@kernel(f"int64({TABLE}, int64)")
def next_of(table: Table, player: int) -> int:
    """Who is next in turn after a player; the player himself if nobody else is left."""
    for step in range(1, 5):
        following = (player + step) & 3
        if _space(table[4], 2 * following) != GONE:
            return following
    return player


@kernel(f"{CHANCES}(int64, int64)")
def _won(winner: int, value: int) -> Chances:
    """The chances when a player has won; the others' are the same below zero."""
    zero, one, two, three = -value, -value, -value, -value
    if winner == 0:
        zero = value
    elif winner == 1:
        one = value
    elif winner == 2:
        two = value
    else:
        three = value
    return (zero, one, two, three)


@kernel(f"int64({TABLE}, int64, int64, int32[::1])")
def _duel(table: Table, first: int, second: int, weights: Any) -> int:
    """The evaluation of two players' game, the first of them to move. The spaces of all others
    are closed to them as by domes."""
    workers = table[4]
    a, b = _space(workers, 2 * first), _space(workers, 2 * first + 1)
    c, d = _space(workers, 2 * second), _space(workers, 2 * second + 1)
    duellists = int64(1) << a | int64(1) << b | int64(1) << c | int64(1) << d
    closed = table[3] | (_standing(workers) & ~duellists)
    return evaluate((table[0], table[1], table[2], closed, a, b, c, d), weights)


@kernel(f"{CHANCES}({TABLE}, int64, int64, int32[::1])")
def chances(table: Table, player: int, ply: int, weights: Any) -> Chances:
    """Each player's chance to win, in 1/CERTAIN, ``player`` being to move.

    Whoever can climb does. Otherwise the log odds against each of the others are added up.
    """
    if climbs_of(table, player):
        return _won(player, WIN - ply - 1)
    odds = np.zeros(4, dtype=np.int64)
    in_turn, number = np.empty(4, dtype=np.int64), 0
    for step in range(4):
        following = (player + step) & 3
        if _space(table[4], 2 * following) != GONE:
            in_turn[number] = following
            number += 1
    for early in range(number):
        for late in range(early + 1, number):
            value = _duel(table, in_turn[early], in_turn[late], weights)
            odds[in_turn[early]] += value
            odds[in_turn[late]] -= value
    shares = np.zeros(4)
    for index in range(number):
        shares[in_turn[index]] = np.exp(odds[in_turn[index]] / (number * float(UNIT)))
    shares *= CERTAIN / shares.sum()
    return (int64(shares[0]), int64(shares[1]), int64(shares[2]), int64(shares[3]))


@kernel(f"{CHANCES}({TABLE}, int64, int64, {ROOM})")
def _glance(table: Table, player: int, ply: int, room: Any) -> Chances:
    """`chances`, counted as a node."""
    room[2][NODES] += 1
    return chances(table, player, ply, room[0])


@kernel(f"{CHANCES}({TABLE}, int64, int64, int64, int64, {ROOM})")
def search(table: Table, player: int, depth: int, width: int, ply: int, room: Any) -> Chances:
    """What comes of a table when each player plays for himself, ``player`` being to move.

    Each looks into the ``width`` turns that promise him most at a glance. A win n turns from
    the root is WIN - n, a loss the negative of it. Beyond the limit of nodes it returns at once,
    and the chances mean nothing.
    """
    stack, counters = room[1], room[2]
    if depth <= 0 or ply + 1 >= len(stack) or climbs_of(table, player):
        return _glance(table, player, ply, room)
    moves, values = stack[ply, 0], stack[ply, 1]
    number = turns_of(table, player, moves)
    if number == 0:
        left = without(table, player)
        following = next_of(left, player)
        if next_of(left, following) == following:
            return _won(following, WIN - ply)
        return search(left, following, depth, width, ply + 1, room)
    following = next_of(table, player)
    for index in range(number):
        child = after(table, moves[index])
        values[index] = _glance(child, following, ply + 1, room)[player]
    best = _won(player, -WIN)
    for index in range(min(number, width)):
        pick(index, number, ply, stack)
        if counters[NODES] > counters[LIMIT]:
            break
        child = after(table, moves[index])
        found = search(child, following, depth - 1, width, ply + 1, room)
        if found[player] > best[player]:
            best = found
    return best
