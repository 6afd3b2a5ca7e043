"""A better move drawn on a board: ghosts of its pieces, and an arrow along their way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.contract import Position, Step, parse_cell
from games.presentation.analysis import move_steps
from games.presentation.board import Board, Square

Cells = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Drawing:
    """The drawing of a move. By name of cell, ``ghosts`` holds the cells as the move would leave
    them, and ``arrows`` the distance in rows and columns to the next cell of the move."""

    ghosts: Cells = field(default_factory=dict)
    arrows: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def draw_move(position: Position, move: str) -> Drawing:
    steps = move_steps(position, move)
    changed: dict[str, Mapping[str, Any]] = {}
    for step in steps:
        for name, values in step.cells.items():
            changed[name] = {**changed.get(name, {}), **values}
    placed = set(_placed(steps))
    ghosts = {name: values for name, values in changed.items() if name in placed}
    path = list(dict.fromkeys(step.cell for step in steps if step.cell))
    arrows = {}
    # The first cell is the origin of a piece if the move puts nothing there.
    if len(path) > 1 and path[0] not in placed:
        arrows[path[0]] = _distance(path[0], path[1])
    return Drawing(ghosts, arrows)


def with_better(board: Board, drawing: Drawing) -> Board:
    rows = [[_drawn(square, drawing) for square in row] for row in board.rows]
    return replace(board, rows=rows)


def _placed(steps: Sequence[Step]) -> Iterable[str]:
    for step in steps:
        yield from (name for name, effect in step.effects.items() if effect == "place")
        if step.cell and step.cell in step.cells:
            yield step.cell


def _distance(origin: str, target: str) -> tuple[int, int]:
    (row, column), (to_row, to_column) = parse_cell(origin), parse_cell(target)
    return to_row - row, to_column - column


def _drawn(square: Square, drawing: Drawing) -> Square:
    if ghost := drawing.ghosts.get(square.name):
        square = square._replace(ghost={**square.cell, **ghost})
    return square._replace(arrow=drawing.arrows.get(square.name))
