"""Drawings of cells, with which the page draws a board that is given as text.

The same runs are played on the site's own board. A cell's character, its equal neighbours and what
stood there before name the drawing; the first one found for a name is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from games.classes.recording import find_exercise, read_record
from games.contract import Rules
from games.core.translation import translate
from games.presentation import jinja
from games.presentation.board import Board, Square, build_board
from games.state.snapshot import Standing

Grid = list[list[str]]
_AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Drawing(NamedTuple):
    """The HTML inside a cell, its label, and the name under which the page looks it up."""

    key: str
    label: str
    html: str


def cell_drawings(slug: str) -> list[Drawing]:
    rules, exercise = find_exercise(slug)
    quiet: dict[str, Drawing] = {}
    marked: dict[str, Drawing] = {}
    for run in read_record(rules, exercise)["runs"]:
        for board, square, key in _of_run(rules, run):
            # The cells of the last move are marked, so other cells are preferred.
            found = marked if square.last else quiet
            for name in {key, key[0]} - found.keys():
                html = jinja.cell_picture(board, square.cell)
                found[name] = Drawing(name, translate(square.cell["label"]), html)
    return list((marked | quiet).values())


def _of_run(rules: Rules, run: Mapping[str, Any]) -> Iterator[tuple[Board, Square, str]]:
    if "moves" not in run:
        return
    grids = [grid_of(text) for text in _boards(run)]
    setup = run.get("setup") or rules.deal(rules.clean(run["options"]), Random(0))
    position = rules.start(setup)
    for number, move in run["moves"]:
        position.play(min(position.to_move()), move)
        # Of several moves of one line the last one leads to the board of the line.
        if number > 1 and len(grids) >= number:
            board = build_board(rules, Standing.of(position), viewpoint=None)
            for square in (square for row in board.rows for square in row):
                # At the end a game may show more of its cells than its class does.
                if square.last or not position.result():
                    yield board, square, cell_key(grids[:number], square.row, square.column)


def _boards(run: Mapping[str, Any]) -> Iterator[str]:
    board = ""
    for step in run.get("steps", ()):
        board = step[2] if len(step) > 2 else board
        yield board
    for answer in run.get("output", "").split("\n\n")[:-1]:
        yield answer.rpartition("\n")[0]


def grid_of(text: str) -> Grid:
    """Return the characters of a board, without the spaces between them."""
    return [[character for character in line if character != " "] for line in text.split("\n")]


def cell_key(grids: list[Grid], row: int, column: int) -> str:
    """Return the name of a cell's drawing: its character, the neighbours that are equal, and the
    last other character that stood there."""
    grid = grids[-1]
    character = grid[row][column]
    around = [_at(grid, row + down, column + right) == character for down, right in _AROUND]
    equal = "".join("01"[same] for same in around)
    for earlier in reversed(grids):
        if earlier[row][column] != character:
            return character + equal + earlier[row][column]
    return character + equal


def _at(grid: Grid, row: int, column: int) -> str:
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[row])
    return grid[row][column] if inside else ""
