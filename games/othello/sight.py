"""The board of Othello as a player sees it: moves, corners, discs for good and regions. Sentences
on puzzles and on games speak of them."""

from __future__ import annotations

from collections.abc import Iterable

from games.contract import SeatKey, cell_name, parse_cell
from games.othello.engine import BLACK, WHITE
from games.othello.position import OthelloPosition

COLOURS = {"black": BLACK, "white": WHITE}


def other(seat: SeatKey) -> SeatKey:
    return "white" if seat == "black" else "black"


def moves_of(position: OthelloPosition, seat: SeatKey) -> list[str]:
    """Return where a seat could play if it were to move."""
    return sorted(cell_name(*cell) for cell in position.board.possible_moves(COLOURS[seat]))


def corners(position: OthelloPosition) -> set[str]:
    """Return the empty corners."""
    last = position.board.n - 1
    found = {(row, column) for row in (0, last) for column in (0, last)}
    return {cell_name(*corner) for corner in found if not position.board.at(corner)}


def for_good(position: OthelloPosition, corner: str) -> list[str]:
    """Return the discs along both edges from a taken corner that have its colour: they can't be
    turned any more."""
    board, (row, column) = position.board, parse_cell(corner)
    colour, found = board.at((row, column)), [corner]
    for down, right in ((-1 if row else 1, 0), (0, -1 if column else 1)):
        cell = row + down, column + right
        while 0 <= cell[0] < board.n and 0 <= cell[1] < board.n and board.at(cell) == colour:
            found.append(cell_name(*cell))
            cell = cell[0] + down, cell[1] + right
    return found


def safe(position: OthelloPosition, seat: SeatKey) -> set[str]:
    """Return the discs of a seat along the edges from its corners, which can't be turned."""
    last = position.board.n - 1
    own = [c for c in ((0, 0), (0, last), (last, 0), (last, last)) if is_of(position, c, seat)]
    return {cell for corner in own for cell in for_good(position, cell_name(*corner))}


def frontier(position: OthelloPosition, seat: SeatKey) -> set[tuple[int, int]]:
    """Return the discs of a seat with an empty neighbour."""
    n = position.board.n
    return {
        (r, c)
        for row, column in empty(position)
        for r in range(max(0, row - 1), min(n, row + 2))
        for c in range(max(0, column - 1), min(n, column + 2))
        if is_of(position, (r, c), seat)
    }


def is_of(position: OthelloPosition, square: tuple[int, int], seat: SeatKey) -> bool:
    return position.board.at(square) == COLOURS[seat]


def discs(position: OthelloPosition, seat: SeatKey) -> set[str]:
    """Return the squares of the discs of a seat."""
    n = position.board.n
    squares = ((row, column) for row in range(n) for column in range(n))
    return {cell_name(*square) for square in squares if is_of(position, square, seat)}


def beside(square: str, corners: Iterable[str]) -> str:
    """Return the first of some corners that a square is next to, '' for none."""
    row, column = parse_cell(square)
    near = ((c, *parse_cell(c)) for c in sorted(corners))
    return next((c for c, r, k in near if max(abs(r - row), abs(k - column)) == 1), "")


def empty(position: OthelloPosition) -> set[tuple[int, int]]:
    n = position.board.n
    squares = ((row, column) for row in range(n) for column in range(n))
    return {square for square in squares if not position.board.at(square)}


def region(position: OthelloPosition, square: str) -> set[str]:
    """Return the empty squares that are connected to a square."""
    free, found, new = empty(position), set[tuple[int, int]](), [parse_cell(square)]
    while new:
        row, column = new.pop()
        if (row, column) in found or (row, column) not in free:
            continue
        found.add((row, column))
        new += [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    return {cell_name(*cell) for cell in found}
