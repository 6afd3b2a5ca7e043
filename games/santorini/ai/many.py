"""The table of games of three and four players: turns, climbs, immediate winners, chances.

``table`` = (at least 1, at least 2, at least 3, dome, workers): the sets of `bits`, and the spaces
of the workers of up to four players in turn order, five bits each. The spaces of an eliminated
player are GONE.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import int64

from games.santorini.ai.bits import NEAR, STATE, State, lowest
from games.santorini.ai.evaluation import UNIT, WEIGHTS, Weights, evaluate, load_weights
from games.santorini.ai.jit import kernel

GONE = 31
TABLE = "UniTuple(int64, 5)"
Table = tuple[int, int, int, int, int]
"""See the docstring of this module."""
OUT = 1 << 15
"""The move that eliminates a player without a legal turn."""
FIRST_PAIR = np.array([0, 0, 0, 1, 4])
"""int64 [5]: the row of the weights of the first pair, by the number of players."""
PAIRS_IN_ALL = 10
FILE = Path(__file__).parent / "data" / "many.npy"


def pairs_of(players: int) -> slice:
    """Return the rows of the weights for ``players`` players (3 or 4)."""
    return slice(int(FIRST_PAIR[players]), (*map(int, FIRST_PAIR), PAIRS_IN_ALL)[players + 1])


@cache
def load_weights_of_many(file: Path = FILE) -> Weights:
    """Return the weights of the evaluation for every pair of turns, int32 [PAIRS_IN_ALL, WEIGHTS].

    The first row is that of two players. Then come those of three players, in the order of the
    turns (0, 1), (0, 2), (1, 2) counted from the player to move, and those of four. Raises
    ValueError for a file of another layout."""
    weights = np.load(file, allow_pickle=False)
    if weights.shape != (PAIRS_IN_ALL - 1, WEIGHTS):
        raise ValueError(f"{file.name} holds {weights.shape} weights")
    return np.concatenate([load_weights()[None], weights.astype(np.int32)])


@kernel("int64(int64, int64)")
def _space(workers: int, worker: int) -> int:
    return workers >> 5 * worker & 31


@kernel(f"int64({TABLE}, int64)")
def _level(table: Table, space: int) -> int:
    return (table[0] >> space & 1) + (table[1] >> space & 1) + (table[2] >> space & 1)


@kernel("int64(int64)")
def _standing(workers: int) -> int:
    """Return the set of spaces with a worker."""
    taken = int64(0)
    for worker in range(8):
        space = _space(workers, worker)
        if space != GONE:
            taken |= int64(1) << space
    return taken


@kernel(f"int64({TABLE}, int64)")
def climbs_of(table: Table, player: int) -> int:
    """Return the third levels that a player can climb to now."""
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
    """Write the turns of a player without those that climb, and return their number. The evaluation
    knows no worker on a third level, and reads outside its weights there.

    A turn is ``worker | target << 5 | build << 10``, with workers numbered 0 to 7.
    """
    number = 0
    taken = _standing(table[4])
    for worker in range(2 * player, 2 * player + 2):
        start = _space(table[4], worker)
        if start == GONE:
            continue
        too_high = table[min(_level(table, start) + 1, 2)]
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


@kernel(f"int64({TABLE}, int64, int64)")
def can_close(table: Table, player: int, climb: int) -> int:
    """Return whether a player without a climb can build on the only space of the set ``climb``."""
    if climb == 0:
        return 0
    taken = _standing(table[4])
    for worker in range(2 * player, 2 * player + 2):
        start = _space(table[4], worker)
        if start == GONE:
            continue
        too_high = table[min(_level(table, start) + 1, 2)]
        targets = NEAR[start] & NEAR[lowest(climb)] & ~taken & ~too_high & ~climb
        if targets:
            return 1
    return 0


@kernel(f"{TABLE}({TABLE}, int64, int64)")
def after(table: Table, player: int, move: int) -> Table:
    """Return the table after a player's turn, or after the player is eliminated (OUT)."""
    one, two, three, dome, workers = table
    if move == OUT:
        return (one, two, three, dome, workers | int64(1023) << 10 * player)
    worker, target, bit = move & 31, move >> 5 & 31, int64(1) << (move >> 10)
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


@kernel(f"int64({TABLE}, int64)")
def next_of(table: Table, player: int) -> int:
    """Return the next player in turn, or the same player if nobody else is left."""
    for step in range(1, 5):
        following = (player + step) & 3
        if _space(table[4], 2 * following) != GONE:
            return following
    return player


@kernel(f"int64({TABLE}, int64)")
def winner_of(table: Table, player: int) -> int:
    """Return the certain winner with ``player`` to move, without searching; -1 if there is none.

    A player climbs if possible, and only the player before can prevent that, by a dome."""
    following = next_of(table, player)
    if following == player or climbs_of(table, player):
        return player
    threats = climbs_of(table, following)
    if threats and (threats & (threats - 1) or not can_close(table, player, threats)):
        return following
    return -1


@kernel(f"{STATE}({TABLE}, int64, int64)")
def duel_of(table: Table, first: int, second: int) -> State:
    """Return the game of two of the players, with the first of them to move. The spaces of all
    others are closed, as if by domes."""
    workers = table[4]
    a, b = _space(workers, 2 * first), _space(workers, 2 * first + 1)
    c, d = _space(workers, 2 * second), _space(workers, 2 * second + 1)
    duellists = int64(1) << a | int64(1) << b | int64(1) << c | int64(1) << d
    closed = table[3] | (_standing(workers) & ~duellists)
    return (table[0], table[1], table[2], closed, a, b, c, d)


@kernel(f"void({TABLE}, int64, int32[:, ::1], float32[::1])")
def chances(table: Table, player: int, weights: Any, shares: Any) -> None:
    """Write each player's chance to win (0..1) into ``shares``, with ``player`` to move.

    It adds up the log odds against each of the others, by the weights of that pair of turns.
    """
    odds, in_turn = np.zeros(4, dtype=np.int64), np.empty(4, dtype=np.int64)
    number = 0
    for step in range(4):
        following = (player + step) & 3
        shares[following] = 0
        if _space(table[4], 2 * following) != GONE:
            in_turn[number] = following
            number += 1
    pair = FIRST_PAIR[number]
    for early in range(number):
        for late in range(early + 1, number):
            value = evaluate(duel_of(table, in_turn[early], in_turn[late]), weights[pair])
            pair += 1
            odds[in_turn[early]] += value
            odds[in_turn[late]] -= value
    for index in range(number):
        shares[in_turn[index]] = np.exp(odds[in_turn[index]] / (number * float(UNIT)))
    shares /= shares.sum()
