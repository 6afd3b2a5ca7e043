"""The rule of Othello by addition: all lines of a board, in all directions, in one integer.

A run of the opponent's discs is flipped if it has a disc of the player at both ends. Take a line as
a binary number in which the opponent's discs are ones, so that 0111 has a run of three. Where the
player has a disc at the lower end, add one at the beginning of the run: 0111 + 1 = 1000. The sum
carries through the run, however long it is, and sets the bit of the square at the other end. That
is a legal move if the square is empty.

So that one addition serves all lines, the integer contains the board eight times, once for each
direction, with its lines one after the other. A bit that is always zero ends each line and stops
the carry. Python's integers are as long as that takes. The squares of these lines are found in
tables; a board too large for tables has its lines walked instead (`games.othello.bitboard`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from games.contract import Cell
from games.othello.bitboard import Mask, cells_of, flip_mask, geometry, legal_mask

LARGEST_TABLE = 32
"""The largest size of board with tables. Those of a huge board would fill the memory."""

Squares = int
"""A set of squares. Which bits a square has is up to the board."""

_NO_CELL = (-1, -1)


class Board:
    """A board of ``n`` x ``n`` squares, of any size. Each square has one bit."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._geometry = geometry(n)

    def __reduce__(self) -> tuple[Callable[[int], Board], tuple[int]]:
        """Share the tables between a game and its deep copies, and leave them out of pickles."""
        return board_of, (self.n,)

    def bits(self, cell: Cell) -> Squares:
        """Return the set of one square."""
        return 1 << cell[0] * self.n + cell[1]

    def legal(self, own: Squares, opponent: Squares) -> Squares:
        """Return the empty squares where a disc of ``own`` flips at least one of ``opponent``."""
        return legal_mask(own, opponent, self._geometry)

    def flips(self, own: Squares, opponent: Squares, disc: Squares) -> Squares:
        """Return the discs of ``opponent`` that are flipped when ``own`` places ``disc``."""
        return flip_mask(own, opponent, disc, self._geometry)

    def cells(self, squares: Squares) -> set[Cell]:
        """Return the row and column of each square."""
        return cells_of(squares, self._geometry)

    def rows(self, squares: Squares) -> Mask:
        """Return ``squares`` as a bit mask, bit ``row * n + column``."""
        return squares & self._geometry.full


class SmallBoard(Board):
    """A board with tables. Each square has nine bits: one among the lowest ``n * n``, the bit mask,
    and one in the lines of each of the eight directions above them."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        cells = [divmod(square, n) for square in range(n * n)]
        places = {cell: _places(*cell, n) for cell in cells}
        self._bits = {cell: sum(1 << place for place in places[cell]) for cell in cells}
        board = sum(self._bits.values())
        self._lines = board & ~self._geometry.full
        # By the number of a bit. Those that end a line have no square.
        cell_at = {place: cell for cell in cells for place in places[cell]}
        squares = [cell_at.get(place, _NO_CELL) for place in range(board.bit_length())]
        others = {cell: board ^ bits for cell, bits in self._bits.items()}
        self._bits_at = [self._bits.get(cell, 0) for cell in squares]
        self._cell_and_others_at = [(cell, others.get(cell, board)) for cell in squares]

    def bits(self, cell: Cell) -> Squares:
        return self._bits[cell]

    def legal(self, own: Squares, opponent: Squares) -> Squares:
        # A square has bits only in those lines in which a disc there flips others.
        beginnings = (own << 1) & opponent & self._lines
        return (opponent + beginnings) & self._lines & ~(own | opponent)

    def flips(self, own: Squares, opponent: Squares, disc: Squares) -> Squares:
        beginnings = (disc << 1) & opponent & self._lines
        ends, flips = (opponent + beginnings) & own, 0
        while ends:
            end = ends.bit_length() - 1
            ends ^= 1 << end
            beginning = (disc & ((1 << end) - 1)).bit_length()  # after the bit of the disc
            flips |= sum(self._bits_at[beginning:end])
        return flips

    def cells(self, squares: Squares) -> set[Cell]:
        found = set()
        while squares:
            cell, others = self._cell_and_others_at[squares.bit_length() - 1]
            found.add(cell)
            squares &= others
        return found


@cache
def board_of(n: int) -> Board:
    """Return the board of ``n`` x ``n`` squares, with tables unless it is large."""
    return SmallBoard(n) if n <= LARGEST_TABLE else Board(n)


def _places(row: int, column: int, n: int) -> list[int]:
    """Return the numbers of the bits of a square: that in the bit mask, and those in rows, columns
    and both diagonals, read forwards and backwards.

    Two diagonals that have ``n`` squares together are one line, with a zero bit between them.
    """
    width = n + 1  # with the bit that ends a line
    lines = (row, column, (column - row) % width, (column + row) % width)
    numbers = (column, row, row, row)
    forwards = [
        (direction * width + line) * width + number
        for direction, (line, number) in enumerate(zip(lines, numbers, strict=True))
    ]
    last = 8 * width * width - 1
    backwards = [last - place for place in forwards]
    places = [row * n + column]
    places += [n * n + 1 + place for place in forwards + backwards]
    return places
