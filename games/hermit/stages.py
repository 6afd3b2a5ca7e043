"""Choosing a move of Hermit by clicks: a colour, a square, a placement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.contract import (
    BadNotation,
    Cell,
    IllegalMove,
    Stage,
    Step,
    cell_name,
    display_excerpt,
    parse_cell,
    text,
)
from games.hermit import messages
from games.hermit.engine import COLOURS, PLACEMENTS, Board, covered

PARTS: Final = {"U": ("upright",), "H": ("left", "right"), "V": ("top", "bottom")}
"""The part of a block on each of its squares, in order, by placement."""
_SECOND = {"U": 0, "H": 1, "V": 1}
"""The square, by its order, that is clicked for a placement: the second one if there is any."""


def stage(board: Board, chosen: Sequence[str]) -> Stage:
    """Return the next choice on a board. Raises IllegalMove if no legal move begins with
    ``chosen``."""
    if not chosen:
        return _choose_colour(board)
    colour = chosen[0]
    if colour not in COLOURS or not board.allowed(colour) or len(chosen) > 2:
        raise _no_such_move(chosen)
    if len(chosen) == 1:
        return _choose_cell(board, colour)
    return _choose_placement(board, colour, _chosen_cell(board, chosen))


def effects(board: Board, colour: str, cell: Cell, placement: str) -> Mapping[str, str]:
    """Return the effects of a block: ``place`` where it lies, ``halo`` where it newly forbids its
    colour."""
    block = board.footprint(cell, placement)
    halo = board.neighbourhood(block) & board.allowed(colour) & ~block
    return {cell_name(*square): "halo" for square in board.cells(halo)} | {
        cell_name(*square): "place" for square in board.cells(block)
    }


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
    steps = tuple(
        Step(
            text=cell_name(*cell),
            label=text("Place %(block)s on %(cell)s", block=block, cell=cell_name(*cell)),
            cell=cell_name(*cell),
            effects=effects(board, colour, cell, "U"),
            sign=f"pip {colour}",
            cells={cell_name(*cell): _held(colour)},
        )
        for cell in board.cells(board.allowed(colour))
    )
    return Stage(prompt=text("Choose a square for %(block)s.", block=block), steps=steps)


def _held(colour: str) -> Mapping[str, Any]:
    """Return the look of a square whose block has no placement yet: as if upright."""
    return {"colour": colour, "part": PARTS["U"][0], "label": messages.BLOCKS[colour]}


def _choose_placement(board: Board, colour: str, cell: Cell) -> Stage:
    fitting = [key for key in PLACEMENTS if _fits(board, colour, cell, key)]
    prompt = text("Choose the square again to stand the block up, or a marked one to lay it down.")
    if fitting == ["U"]:
        prompt = text("The block only fits upright here. Choose the square again.")
    return Stage(
        prompt=prompt,
        steps=tuple(_placement(board, colour, cell, key) for key in fitting),
        marks={cell_name(*cell): "chosen"},
    )


def _placement(board: Board, colour: str, cell: Cell, placement: str) -> Step:
    names = [cell_name(*square) for square in sorted(covered(cell, placement))]
    return Step(
        text=placement,
        label=messages.placement_label(names),
        cell=names[_SECOND[placement]],
        effects=effects(board, colour, cell, placement),
        sign="put",
        cells={
            name: {"colour": colour, "part": part, "label": messages.block_label(colour, part)}
            for name, part in zip(names, PARTS[placement], strict=True)
        },
    )


def _fits(board: Board, colour: str, cell: Cell, placement: str) -> bool:
    return bool(board.starts(colour)[placement] & board.bit(cell))


def _chosen_cell(board: Board, chosen: Sequence[str]) -> Cell:
    """Return the square of the second step, where a block of the first can begin. Raises
    IllegalMove."""
    try:
        cell = parse_cell(chosen[1])
    except BadNotation as error:
        raise _no_such_move(chosen) from error
    if not board.allowed(chosen[0]) & board.bit(cell):
        raise _no_such_move(chosen)
    return cell


def _no_such_move(chosen: Sequence[str]) -> IllegalMove:
    steps = display_excerpt(" ".join(chosen), 40)
    return IllegalMove(text("No legal move starts with “%(steps)s”.", steps=steps))
