"""The compiled search behind `Solver`: is the Grundy value of a position ``g``?

A position has the value g if no move leads to g and some move leads to each smaller value. The
value of a sum of independent components is the exclusive or of their values, so all components but
the hardest are solved outright, and the question is then about that one. Asking "is it g?" and not
"what is it?" lets most branches end at the first move that answers the question (Lemoine and
Viennot, "Nimbers are inevitable", 2012).
"""

from __future__ import annotations

import numpy as np
from numba import types

from games.hermit.ai.bits import (
    NOT_RIGHT,
    ONE,
    ROW,
    STATE,
    WORD,
    ZERO,
    State,
    Word,
    canonical,
    component,
    cornered,
    count,
    lowest,
    neighbours,
    settled,
    weight,
    within,
)
from games.hermit.ai.jit import compiled
from games.hermit.ai.mirror import is_mirrored
from games.hermit.ai.table import (
    EXACT,
    LARGEST,
    LIMIT,
    MEMORY,
    NODES,
    Memory,
    exact_value,
    is_exact,
    is_excluded,
    recall,
    remember,
)

YES, NO, OUT_OF_NODES, SEARCH = 1, 0, -1, 2

_GOAL, _WEIGHT = 4, 5
_REACHED = -1


@compiled(WORD(STATE))
def hardest_component(state: State) -> Word:
    """Return the squares of the component with the largest weight; none if all planes are empty."""
    a, b, c, _ = state
    rest = a | b | c
    hardest, most = ZERO, ZERO
    while rest != ZERO:
        cells = component(state, lowest(rest))
        rest &= ~cells
        size = weight(within(state, cells))
        if size > most:
            hardest, most = cells, size
    return hardest


@compiled(types.int64(STATE))
def loose_squares(state: State) -> int:
    """Return the number of free squares in no plane: components of value 1."""
    a, b, c, free = state
    return np.int64(count(free & ~(a | b | c)))  # type: ignore[return-value]


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _push(state: State, goal: int, memory: Memory, top: int) -> int:
    row = memory[2][top]
    row[0], row[1], row[2], row[3] = state
    row[_GOAL] = Word(goal)
    row[_WEIGHT] = weight(state)
    return top + 1


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _offer(state: State, goal: int, memory: Memory, top: int) -> int:
    """Push the position after a move on the stack, unless the table knows already whether its value
    is ``goal``.

    Returns the new top of the stack, or _REACHED if the value is the goal."""
    state = settled(state)
    a, b, c, free = state
    rest = a | b | c
    goal ^= loose_squares(state) & 1
    state = a, b, c, free & rest
    unknown = 0
    known = ZERO
    while rest != ZERO:
        cells = component(state, lowest(rest))
        rest &= ~cells
        part = recall(memory, canonical(within(state, cells)))
        if is_exact(part):
            goal ^= exact_value(part)
            state = within(state, ~cells)
        else:
            unknown += 1
            known = part
    if unknown == 0:
        return _REACHED if goal == 0 else top
    if unknown == 1 and is_excluded(known, goal):
        return top
    if unknown == 1 and goal == 0 and is_mirrored(cornered(state)):
        return _REACHED
    return _push(state, goal, memory, top)


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _offer_free(state: State, goal: int, memory: Memory, top: int) -> int:
    """Offer the moves that cover only a free square, see `_offer`."""
    left = state[3]
    while left != ZERO and top != _REACHED:
        block = lowest(left)
        left ^= block
        top = _offer(within(state, ~block), goal, memory, top)
    return top


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _offer_plane(state: State, goal: int, memory: Memory, top: int) -> int:
    """Offer the moves in the colour of the first plane, in its three placements, see `_offer`."""
    a, b, c, free = state
    for placement in range(3):
        starts, second = a, ZERO
        if placement == 1:
            starts, second = a & (a >> ONE) & NOT_RIGHT, ONE
        elif placement == 2:
            starts, second = a & (a >> ROW), ROW
        while starts != ZERO and top != _REACHED:
            block = lowest(starts)
            starts ^= block
            block |= block << second
            after = a & ~(block | neighbours(block)), b & ~block, c & ~block, free & ~block
            top = _offer(after, goal, memory, top)
    return top


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _offer_moves(state: State, goal: int, memory: Memory, top: int) -> int:
    """Offer every move, see `_offer`. Returns the new top of the stack, or _REACHED."""
    a, b, c, free = state
    top = _offer_free(state, goal, memory, top)
    if top != _REACHED:
        top = _offer_plane((a, b, c, free), goal, memory, top)
    if top != _REACHED:
        top = _offer_plane((b, a, c, free), goal, memory, top)
    if top != _REACHED:
        top = _offer_plane((c, a, b, free), goal, memory, top)
    return top


@compiled(types.int64(MEMORY, types.int64, types.int64))
def _lightest_to_top(memory: Memory, base: int, top: int) -> int:
    """Swap the lightest row of the stack from ``base`` to its top, and return the top row."""
    stack = memory[2]
    best = base
    for i in range(base + 1, top):
        if stack[i, _WEIGHT] < stack[best, _WEIGHT]:
            best = i
    for j in range(6):
        stack[best, j], stack[top - 1, j] = stack[top - 1, j], stack[best, j]
    return top - 1


@compiled(types.int64(STATE, types.int64, MEMORY))
def _told(state: State, goal: int, memory: Memory) -> int:
    """Return YES, NO or OUT_OF_NODES for a connected, canonical state that needs no search, else
    SEARCH."""
    known = recall(memory, state)
    if is_exact(known):
        return YES if exact_value(known) == goal else NO
    if goal > LARGEST or is_excluded(known, goal):
        return NO
    counters = memory[3]
    counters[NODES] += 1
    if counters[NODES] > counters[LIMIT]:
        return OUT_OF_NODES
    if known == ZERO and is_mirrored(state):
        remember(memory, state, EXACT)
        return YES if goal == 0 else NO
    return SEARCH


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def _questions(state: State, goal: int, memory: Memory, base: int) -> int:
    """Push the questions whose answer must be no for the value to be ``goal``. They are whether a
    move leads to it, and whether the value is smaller. Returns the new top of the stack, or
    _REACHED."""
    top = _offer_moves(state, goal, memory, base)
    if top != _REACHED:
        for smaller in range(goal):
            top = _push(state, smaller, memory, top)
    return top


@compiled(types.int64(STATE, types.int64, MEMORY, types.int64))
def solve(state: State, goal: int, memory: Memory, base: int) -> int:
    """Return whether the Grundy value of the position is ``goal``: YES, NO or OUT_OF_NODES.

    ``base`` is the first row of the stack that may be used. The function is not split further:
    mutually recursive functions cannot be compiled for one signature."""
    state = settled(state)
    goal ^= loose_squares(state) & 1
    hardest = hardest_component(state)
    if hardest == ZERO:
        return YES if goal == 0 else NO
    rest = (state[0] | state[1] | state[2]) & ~hardest
    while rest != ZERO:
        cells = component(state, lowest(rest))
        rest &= ~cells
        value, answer = -1, NO
        while answer == NO:
            value += 1  # never a literal: a call with one cannot be loaded from disk again
            answer = solve(within(state, cells), value, memory, base)
        if answer == OUT_OF_NODES:
            return OUT_OF_NODES
        goal ^= value

    state = canonical(within(state, hardest))
    answer = _told(state, goal, memory)
    if answer != SEARCH:
        return answer
    top = _questions(state, goal, memory, base)
    while top > base:
        top = _lightest_to_top(memory, base, top)
        row = memory[2][top]
        answer = solve((row[0], row[1], row[2], row[3]), np.int64(row[_GOAL]), memory, top)
        if answer == OUT_OF_NODES:
            return OUT_OF_NODES
        if answer == YES:
            top = _REACHED
    if top == _REACHED:
        remember(memory, state, ONE << Word(goal))
        return NO
    remember(memory, state, EXACT | Word(goal))
    return YES
