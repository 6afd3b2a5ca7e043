"""Choosing a move of Hermit by clicks: a colour, a square, a placement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.contract import BadNotation, Cell, Stage, Step, cell_name, no_such_move, parse_cell, text
from games.hermit import messages
from games.hermit.engine import COLOURS, PLACEMENTS, Board, covered

PARTS: Final = {"U": ("upright",), "H": ("left", "right"), "V": ("top", "bottom")}
"""The part of a block on each of its squares, in order, by placement."""
_SECOND = {"U": 0, "H": 1, "V": 1}
"""The index of the square that is clicked for a placement: the second one if there is one."""

CACHED_STEPS: Final = 4_000


def stage(board: Board, chosen: Sequence[str]) -> Stage:
    """Return the next choice on a board. Raises IllegalMove if no legal move begins with
    ``chosen``."""
    if not chosen:
        return _choose_colour(board)
    colour = chosen[0]
    if colour not in COLOURS or not board.allowed(colour) or len(chosen) > 2:
        raise no_such_move(chosen)
    if len(chosen) == 1:
        return _choose_cell(board, colour)
    return _choose_placement(board, colour, _chosen_cell(board, chosen))


def _choose_colour(board: Board) -> Stage:
    steps = tuple(
        Step(text=colour, label=messages.BUTTONS[colour], effects=_room(board, colour))
        for colour in COLOURS
        if board.allowed(colour)
    )
    return Stage(prompt=text("Choose a colour."), steps=steps)


def _room(board: Board, colour: str) -> Mapping[str, str]:
    """Return the squares where a colour fits, marked ``reach``."""
    return {cell_name(*cell): "reach" for cell in board.cells(board.allowed(colour))}


def _choose_cell(board: Board, colour: str) -> Stage:
    block = messages.BLOCKS[colour]
    allowed = board.allowed(colour)
    steps = [
        _cell_step(board.n, colour, cell, allowed & _surroundings(board.n, cell, "U"))
        for cell in board.cells(allowed)
    ]
    return Stage(prompt=text("Choose a square for %(block)s.", block=block), steps=tuple(steps))


# Cached: a tree of steps has hundreds of steps, most of them the same as before the last move.
@lru_cache(CACHED_STEPS)
def _cell_step(size: int, colour: str, cell: Cell, halo: int) -> Step:
    name, block = cell_name(*cell), messages.BLOCKS[colour]
    return Step(
        text=name,
        label=text("Place %(block)s on %(cell)s", block=block, cell=name),
        short=text("Place %(block)s", block=block),
        cell=name,
        effects=_effects(size, cell, "U", halo),
        sign=f"pip {colour}",
        cells={name: _held(colour)},
    )


@lru_cache(3 * CACHED_STEPS)
def _surroundings(size: int, cell: Cell, placement: str) -> int:
    """Return the squares around a block, as a bitboard."""
    board = Board(size)
    block = board.footprint(cell, placement)
    return board.neighbourhood(block) & ~block


def _effects(size: int, cell: Cell, placement: str, halo: int) -> Mapping[str, str]:
    """Return the effects of a block: ``place`` on its squares, ``halo`` on squares that it newly
    closes to its colour."""
    board = Board(size)
    return {cell_name(*square): "halo" for square in board.cells(halo)} | {
        cell_name(*square): "place" for square in sorted(covered(cell, placement))
    }


def _held(colour: str) -> Mapping[str, Any]:
    """Return the values of a square whose block has no placement yet, which looks upright."""
    return {"colour": colour, "part": PARTS["U"][0], "label": messages.BLOCKS[colour]}


def _choose_placement(board: Board, colour: str, cell: Cell) -> Stage:
    starts, bit, allowed = board.starts(colour), board.bit(cell), board.allowed(colour)
    fitting = [key for key in PLACEMENTS if starts[key] & bit]
    prompt = text("Choose the square again to stand the block up, or a marked one to lay it down.")
    if fitting == ["U"]:
        prompt = text("The block only fits upright here. Choose the square again.")
    steps = [
        _placement(board.n, colour, cell, key, allowed & _surroundings(board.n, cell, key))
        for key in fitting
    ]
    return Stage(prompt=prompt, steps=tuple(steps), marks={cell_name(*cell): "chosen"})


@lru_cache(CACHED_STEPS)
def _placement(size: int, colour: str, cell: Cell, placement: str, halo: int) -> Step:
    names = [cell_name(*square) for square in sorted(covered(cell, placement))]
    return Step(
        text=placement,
        label=messages.placement_label(names),
        short=messages.placement_short(names),
        cell=names[_SECOND[placement]],
        effects=_effects(size, cell, placement, halo),
        sign="put",
        cells={
            name: {"colour": colour, "part": part, "label": messages.block_label(colour, part)}
            for name, part in zip(names, PARTS[placement], strict=True)
        },
    )


def _chosen_cell(board: Board, chosen: Sequence[str]) -> Cell:
    """Return the square of the second step, where a block of the first can begin. Raises
    IllegalMove."""
    try:
        cell = parse_cell(chosen[1])
    except BadNotation as error:
        raise no_such_move(chosen) from error
    if not board.allowed(chosen[0]) & board.bit(cell):
        raise no_such_move(chosen)
    return cell
