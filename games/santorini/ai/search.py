"""Alpha-beta search for two players.

It is a principal variation search (Marsland and Campbell 1982) with a transposition table, killer
moves, the history heuristic (Schaeffer 1989), null moves, and late move reductions. At low depths
it skips late moves, and positions whose evaluation is far above the window. The deepening is done
outside. A player who can climb to a third level does so, and a player who faces a climb must close
it: such replies are forced, few, and do not count as depth. At the horizon the search continues
with the moves that threaten to climb. In spite of all that is skipped, a reported forced win is
always one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from games.santorini.ai.bits import BOARD, STATE, State, climbs, generate, hash_of, play, reach
from games.santorini.ai.evaluation import evaluate
from games.santorini.ai.jit import kernel
from games.santorini.ai.tools import (
    AT_LEAST,
    AT_MOST,
    DEEPEST,
    EXACT,
    LIMIT,
    MOVES,
    NODES,
    SURE,
    TOOLS,
    UNKNOWN,
    WIN,
    Tools,
    order,
    pick,
    recall,
    remember,
    store,
)

QUIET_TURNS = 4
"""Turns of threats searched beyond the horizon."""


@kernel(f"int64({STATE}, int64)")
def _decided(state: State, ply: int) -> int:
    """Return the value if a climb decides, or UNKNOWN.

    An own climb decides, and so do two climbs of the opponent, which cannot both be closed. The
    game is also decided if the player to move is shut in."""
    if climbs(state, state[4], state[5]):
        return WIN - ply - 1
    threats = climbs(state, state[6], state[7])
    if threats & (threats - 1):
        return ply + 2 - WIN
    if not reach(state, state[4]) and not reach(state, state[5]):
        return ply - WIN
    return UNKNOWN


@kernel(f"int64({STATE})")
def _can_threaten(state: State) -> int:
    """Return the second levels that the player to move occupies or can reach, from which a threat
    to climb can start."""
    own = np.int64(1) << state[4] | np.int64(1) << state[5]
    return (own | reach(state, state[4]) | reach(state, state[5])) & state[1]


@kernel(f"int64({STATE}, int64, int64, int64, int64, {TOOLS})")
def _quiet(state: State, turns: int, alpha: int, beta: int, ply: int, tools: Tools) -> int:
    """Return the value at the horizon: the evaluation, or the result of threats to climb."""
    weights, _, stack, _, counters = tools
    counters[NODES] += 1
    decided = _decided(state, ply)
    if decided != UNKNOWN:
        return decided
    threats = climbs(state, state[6], state[7])
    best = ply + 2 - WIN
    if ply >= DEEPEST or not threats:
        best = evaluate(state, weights)
        if best >= beta or turns <= 0 or not _can_threaten(state) or ply >= DEEPEST:
            return best
        alpha = max(alpha, best)
    number = generate(state, threats or int64(BOARD), stack[ply, 0])
    for index in range(number):
        child = play(state, stack[ply, 0, index])
        if not threats and not climbs(child, child[6], child[7]):
            continue
        best = max(best, -_quiet(child, turns - 1, -beta, -alpha, ply + 1, tools))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


_LESS = (0.5 + np.log1p(range(16))[:, None] * np.log1p(range(MOVES)) / 2).astype(np.int64)
"""int64 [depth, index]: the reduction of the depth at which a late move is searched first."""
_LATE = 5
"""Up to this depth, the last moves of many are skipped."""
_HOPELESS = 8
"""Up to this depth, a position far above the window is not searched."""


@kernel("int64(int64, int64)")
def _reduction(index: int, depth: int) -> int:
    """Return the reduction of the depth at which a move is searched first."""
    if index < 3 or depth < 2:
        return 0
    return _LESS[min(depth, len(_LESS) - 1), index]


@kernel(f"{STATE}({STATE})")
def _passed(state: State) -> State:
    one, two, three, dome, own, partner, theirs, other = state
    return (one, two, three, dome, theirs, other, own, partner)


@kernel(f"int64({STATE}, int64, int64, int64, int64, {TOOLS})")
def search(state: State, depth: int, alpha: int, beta: int, ply: int, tools: Tools) -> int:
    """Return the value of a position for the player to move, within (alpha, beta).

    A forced win in n turns (of both players, from the root) is WIN - n. Beyond ``counters[LIMIT]``
    nodes it returns at once, and the value is meaningless."""
    if depth <= 0 or ply >= DEEPEST:
        return _quiet(state, QUIET_TURNS, alpha, beta, ply, tools)
    weights, table, stack, history, counters = tools
    counters[NODES] += 1
    if counters[NODES] > counters[LIMIT]:
        return 0
    decided = _decided(state, ply)
    if decided != UNKNOWN:
        return decided
    key = hash_of(state)
    known, first = recall(table, key, depth, alpha, beta, ply)
    if known != UNKNOWN:
        return known

    threats = climbs(state, state[6], state[7])
    calm = not threats and beta - alpha == 1 and abs(beta) < SURE
    if calm:
        likely = evaluate(state, weights)
        if depth <= _HOPELESS and likely - 50 - 40 * depth >= beta:
            return likely
        if depth >= 2 and likely >= beta:
            left = depth - 3 - depth // 4
            value = -search(_passed(state), left, -beta, 1 - beta, ply + 1, tools)
            if beta <= value < SURE and counters[NODES] <= counters[LIMIT]:
                return value

    number = generate(state, threats or int64(BOARD), stack[ply, 0])
    if number == 0:
        return ply + 2 - WIN  # There is a climb that cannot be closed.
    order(state, number, first, ply, stack, history)
    left = depth if threats else depth - 1
    best, best_move, floor = -WIN, int64(0), alpha
    for index in range(number):
        move = pick(index, number, ply, stack)
        if calm and depth <= _LATE and index >= 4 + 8 * depth and best > -SURE:
            break
        child = play(state, move)
        value, less = WIN, 0 if threats else _reduction(index, depth)
        if index:
            value = -search(child, left - less, -alpha - 1, -alpha, ply + 1, tools)
        if index == 0 or (value > alpha and (less > 0 or value < beta)):
            value = -search(child, left, -beta, -alpha, ply + 1, tools)
        if counters[NODES] > counters[LIMIT]:
            return 0
        if value > best:
            best, best_move = value, move
        alpha = max(alpha, best)
        if alpha >= beta:
            remember(move, depth, ply, history)
            break
    bound = AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST
    store(table, key, depth, best, bound, best_move, ply)
    return best


@kernel(f"int64({STATE}, int64, int64[::1], int64[::1], int64, int64, {TOOLS})")
def search_root(
    state: State, depth: int, moves: Any, values: Any, number: int, wide: int, tools: Tools
) -> int:
    """Search the moves of the root in order, and return how many were finished.

    The best move is brought to the front. With ``wide`` each move gets its own exact value; without
    it the others get upper bounds.
    """
    counters = tools[4]
    alpha = -WIN
    for index in range(number):
        child = play(state, moves[index])
        value = WIN
        if index and not wide:
            value = -search(child, depth - 1, -alpha - 1, -alpha, int64(1), tools)
        if value > alpha:
            ceiling = WIN if wide else -alpha
            value = -search(child, depth - 1, -WIN, ceiling, int64(1), tools)
        if counters[NODES] > counters[LIMIT]:
            return index
        values[index] = value
        if value > alpha:
            alpha = value
            move = moves[index]
            for place in range(index, 0, -1):
                moves[place], values[place] = moves[place - 1], values[place - 1]
            moves[0], values[0] = move, value
    return number
