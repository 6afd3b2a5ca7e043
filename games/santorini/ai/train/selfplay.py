"""Games of the computer against itself, from random placements and with a few random turns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64

from games.santorini.ai.bits import BOARD, STATE, State, climbs, generate, play
from games.santorini.ai.jit import kernel
from games.santorini.ai.search import search_root
from games.santorini.ai.tools import LIMIT, MOVES, NODES, SURE, TOOLS, Tools

LONGEST = 120


@kernel("uint64(uint64[::1])")
def _random(seed: Any) -> int:
    """Return the next number of xorshift64* (Vigna 2016)."""
    x = seed[0]
    x ^= x >> uint64(12)
    x ^= x << uint64(25)
    x ^= x >> uint64(27)
    seed[0] = x
    return (x * uint64(0x2545F4914F6CDD1D)) >> uint64(33)


@kernel("int64(int64, uint64[::1])")
def _below(limit: int, seed: Any) -> int:
    return int64(_random(seed) % uint64(limit))


@kernel(f"{STATE}(uint64[::1])")
def _placed(seed: Any) -> State:
    """Return four workers on different spaces of an empty board."""
    spaces = np.arange(25)
    for index in range(4):
        other = index + _below(25 - index, seed)
        spaces[index], spaces[other] = spaces[other], spaces[index]
    zero = int64(0)
    return (zero, zero, zero, zero, spaces[0], spaces[1], spaces[2], spaces[3])


@kernel(f"Tuple((int64, int64))({STATE}, int64, int64[::1], int64[::1], {TOOLS})")
def think(state: State, limit: int, moves: Any, values: Any, tools: Tools) -> tuple[int, int]:
    """Return the best move and its value, deepening up to a number of nodes."""
    counters = tools[4]
    number = generate(state, int64(BOARD), moves)
    counters[NODES], counters[LIMIT] = 0, limit
    value = int64(0)
    for depth in range(1, 30):
        done = search_root(state, depth, moves, values, number, int64(0), tools)
        if done:
            value = values[0]
        if done < number or abs(value) > SURE:
            break
    return moves[0], value


@kernel(f"int64(int64, uint64[::1], {TOOLS}, int64[:, ::1], int32[::1], int8[::1])")
def play_games(limit: int, seed: Any, tools: Tools, states: Any, values: Any, results: Any) -> int:
    """Play until the arrays are full of quiet positions; returns the number of games.

    ``states`` int64 [positions, 8]; ``values`` of the search; ``results`` 1 where the player to
    move won the game and 0 where he lost it.
    """
    moves, scores = np.empty(MOVES, dtype=np.int64), np.empty(MOVES, dtype=np.int64)
    side = np.empty(LONGEST, dtype=np.int64)
    written, games, wanted = 0, 0, len(states)
    while written < wanted:
        games += 1
        tools[3][:] = 0
        state, begin, wild = _placed(seed), written, _below(int64(8), seed)
        turns = int64(0)
        while not climbs(state, state[4], state[5]):
            number = generate(state, int64(BOARD), moves)
            if number == 0:
                turns += 1  # Stuck: the other player wins.
                break
            move = moves[_below(number, seed)]
            if turns >= wild and _below(int64(30), seed):
                move, value = think(state, limit, moves, scores, tools)
                quiet = not climbs(state, state[6], state[7]) and abs(value) < SURE
                if quiet and written < wanted:
                    for part in range(8):
                        states[written, part] = state[part]
                    values[written] = value
                    side[written - begin] = turns & 1
                    written += 1
            state = play(state, move)
            turns += 1
        for index in range(begin, written):
            results[index] = side[index - begin] == turns & 1
    return games
