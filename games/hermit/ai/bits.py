"""Compiled bit operations on positions of at most 8 x 8 squares.

A set of squares is one 64-bit word; the square in row r and column c is bit ``8 r + c``. The rest
of a game is a `State`: three planes, each with the squares where one colour may still be placed
(the planes are interchangeable), and ``free``, the squares that can be covered without any effect
on other squares.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from games.hermit.ai.jit import compiled

Word = np.uint64
State = tuple[Word, Word, Word, Word]
"""(plane, plane, plane, free)."""

WORD: Final = types.uint64
STATE: Final = types.UniTuple(WORD, 4)

ZERO: Final = Word(0)
ONE: Final = Word(1)
ROW: Final = Word(8)
_LEFT: Final = Word(0x0101010101010101)
_RIGHT: Final = Word(0x8080808080808080)
_TOP: Final = Word(0xFF)
NOT_LEFT: Final = Word(~_LEFT)
NOT_RIGHT: Final = Word(~_RIGHT)


@compiled(WORD(WORD))
def count(word: Word) -> Word:
    """Return the number of squares in a set."""
    word = word - ((word >> ONE) & Word(0x5555555555555555))
    word = (word & Word(0x3333333333333333)) + ((word >> Word(2)) & Word(0x3333333333333333))
    word = (word + (word >> Word(4))) & Word(0x0F0F0F0F0F0F0F0F)
    return (word * _LEFT) >> Word(56)


@compiled(WORD(WORD))
def lowest(word: Word) -> Word:
    """Return the first square of a set, as a set."""
    return word & (~word + ONE)


@compiled(WORD(WORD))
def neighbours(word: Word) -> Word:
    """Return the squares with a neighbour in the set, diagonal ones included. Squares of the set
    itself are in the result only if they have such a neighbour."""
    beside = ((word << ONE) & NOT_LEFT) | ((word >> ONE) & NOT_RIGHT)
    rows = beside | word
    return beside | (rows << ROW) | (rows >> ROW)


@compiled(WORD(WORD))
def _flip_columns(word: Word) -> Word:
    word = ((word >> ONE) & Word(0x5555555555555555)) | ((word & Word(0x5555555555555555)) << ONE)
    word = ((word >> Word(2)) & Word(0x3333333333333333)) | (
        (word & Word(0x3333333333333333)) << Word(2)
    )
    return ((word >> Word(4)) & Word(0x0F0F0F0F0F0F0F0F)) | (
        (word & Word(0x0F0F0F0F0F0F0F0F)) << Word(4)
    )


@compiled(WORD(WORD))
def _flip_rows(word: Word) -> Word:
    word = ((word >> ROW) & Word(0x00FF00FF00FF00FF)) | ((word & Word(0x00FF00FF00FF00FF)) << ROW)
    word = ((word >> Word(16)) & Word(0x0000FFFF0000FFFF)) | (
        (word & Word(0x0000FFFF0000FFFF)) << Word(16)
    )
    return (word >> Word(32)) | (word << Word(32))


@compiled(WORD(WORD))
def _transpose(word: Word) -> Word:
    """Return the set with rows and columns swapped, by swapping blocks of 4, 2 and 1 squares."""
    swap = Word(0x0F0F0F0F00000000) & (word ^ (word << Word(28)))
    word = word ^ (swap ^ (swap >> Word(28)))
    swap = Word(0x3333000033330000) & (word ^ (word << Word(14)))
    word = word ^ (swap ^ (swap >> Word(14)))
    swap = Word(0x5500550055005500) & (word ^ (word << Word(7)))
    return word ^ (swap ^ (swap >> Word(7)))


@compiled(STATE(STATE))
def cornered(state: State) -> State:
    """Return the state shifted as far up and left as possible. It must not be empty."""
    a, b, c, free = state
    cells = a | b | c | free
    shift = ZERO
    while cells & _TOP == ZERO:
        cells >>= ROW
        shift += ROW
    while cells & _LEFT == ZERO:
        cells >>= ONE
        shift += ONE
    return a >> shift, b >> shift, c >> shift, free >> shift


@compiled(STATE(STATE, types.int64))
def turned(state: State, symmetry: int) -> State:
    """Return one of the eight images of a state: bit 0 of the number flips columns, bit 1 rows, and
    bit 2 then transposes."""
    a, b, c, free = state
    if symmetry & 1:
        a, b, c = _flip_columns(a), _flip_columns(b), _flip_columns(c)
        free = _flip_columns(free)
    if symmetry & 2:
        a, b, c, free = _flip_rows(a), _flip_rows(b), _flip_rows(c), _flip_rows(free)
    if symmetry & 4:
        a, b, c, free = _transpose(a), _transpose(b), _transpose(c), _transpose(free)
    return cornered((a, b, c, free))


@compiled(STATE(STATE))
def _sorted_planes(state: State) -> State:
    a, b, c, free = state
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    return a, b, c, free


@compiled(types.UniTuple(types.int64, 2)(WORD))
def extent(cells: Word) -> tuple[int, int]:
    """Return (height, width) of a set of squares that touches the top edge and the left edge."""
    height = width = 0
    columns = cells
    while cells != ZERO:
        columns |= cells
        cells >>= ROW
        height += 1
    columns &= _TOP
    while columns != ZERO:
        columns >>= ONE
        width += 1
    return height, width


@compiled(STATE(STATE, types.int64))
def _columns_flipped(state: State, width: int) -> State:
    """Return the mirror image of a cornered state, cornered again."""
    a, b, c, free = state
    shift = Word(8 - width)
    return (
        _flip_columns(a) >> shift,
        _flip_columns(b) >> shift,
        _flip_columns(c) >> shift,
        _flip_columns(free) >> shift,
    )


@compiled(STATE(STATE, types.int64))
def _rows_flipped(state: State, height: int) -> State:
    """Return a cornered state upside down, cornered again."""
    a, b, c, free = state
    shift = Word(64 - 8 * height)
    return (
        _flip_rows(a) >> shift,
        _flip_rows(b) >> shift,
        _flip_rows(c) >> shift,
        _flip_rows(free) >> shift,
    )


@compiled(STATE(STATE))
def canonical(state: State) -> State:
    """Return the state that represents all shifts, rotations, reflections and recolourings of a
    state.

    It is the least of the eight images; each is made from the one before by a single reflection."""
    a, b, c, free = cornered(state)
    height, width = extent(a | b | c | free)
    image = a, b, c, free
    best = _sorted_planes(image)
    for step in range(1, 8):
        if step == 4:
            a, b, c, free = image
            image = _transpose(a), _transpose(b), _transpose(c), _transpose(free)
            height, width = width, height
        elif step & 1:
            image = _columns_flipped(image, width)
        else:
            image = _rows_flipped(image, height)
        candidate = _sorted_planes(image)
        if candidate < best:
            best = candidate
    return best


@compiled(STATE(STATE))
def settled(state: State) -> State:
    """Return an equivalent state in which every square that is isolated in its plane counts as
    ``free``.

    Covering it in that colour has no effect on other squares, and neither has a second such
    colour."""
    a, b, c, free = state
    alone_a = a & ~neighbours(a)
    alone_b = b & ~neighbours(b)
    alone_c = c & ~neighbours(c)
    return a ^ alone_a, b ^ alone_b, c ^ alone_c, free | alone_a | alone_b | alone_c


@compiled(WORD(STATE, WORD))
def component(state: State, seed: Word) -> Word:
    """Return the squares whose future depends on ``seed``: those connected to it by neighbours in a
    common plane."""
    a, b, c, _ = state
    cells = seed
    while True:
        more = cells | (neighbours(a & cells) & a)
        more |= neighbours(b & cells) & b
        more |= neighbours(c & cells) & c
        if more == cells:
            return cells
        cells = more


@compiled(STATE(STATE, WORD))
def within(state: State, cells: Word) -> State:
    """Return the part of a state that lies on some squares."""
    a, b, c, free = state
    return a & cells, b & cells, c & cells, free & cells


@compiled(WORD(STATE))
def weight(state: State) -> Word:
    """Return an estimate of the difficulty of a state: its number of squares and of ways to cover
    one."""
    a, b, c, free = state
    return count(a) + count(b) + count(c) + Word(2) * count(free) + count(a | b | c | free)
