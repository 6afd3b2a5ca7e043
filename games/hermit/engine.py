"""The plain classes of the game: `Hermit` in English and `Kluizenaar` in Dutch.

A set of squares is one integer (a bitboard). Square (r, c) is bit ``r * (n + 1) + c``: the one
unused bit at the end of each row keeps a shift by one column from running into the next row.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, compress
from typing import Any, Final, Self

from games.contract import Cell, IllegalMove

COLOURS: Final = ("R", "Y", "B")
PLACEMENTS: Final = ("U", "H", "V")

Move = tuple[str, Cell, str]
"""(colour, top-left square, placement): the arguments of `Hermit.move`."""

_ZERO_ONE: Final = bytes.maketrans(b"01", b"\0\1")


class InvalidSize(AssertionError):
    """Raised for a size that is not a whole number of at least 1."""


def is_square(cell: object) -> bool:
    """Return whether ``cell`` is a tuple of two whole numbers; a bool does not count as one.

    >>> is_square((0, 2)), is_square((0, True)), is_square('a3')
    (True, False, False)
    """
    return (
        isinstance(cell, tuple)
        and len(cell) == 2
        and all(isinstance(x, int) and not isinstance(x, bool) for x in cell)
    )


def _is_one_of(letter: object, letters: tuple[str, ...]) -> bool:
    # The type is checked first, because comparing arbitrary objects with a letter may raise.
    return isinstance(letter, str) and letter in letters


def covered(cell: Cell, placement: str) -> set[Cell]:
    """Return the squares under a block with its top-left square on ``cell``, on the board or off
    it.

    >>> sorted(covered((1, 2), 'H'))
    [(1, 2), (1, 3)]
    """
    r, c = cell
    return {(r, c)} | {"U": set(), "H": {(r, c + 1)}, "V": {(r + 1, c)}}[placement]


def _all_squares(n: int) -> int:
    # Computed as a whole, so that MemoryError is raised at once and not after many rows.
    first_squares = ((1 << n * (n + 1)) - 1) // ((1 << n + 1) - 1)
    return first_squares * ((1 << n) - 1)


@lru_cache(maxsize=32)
def _moves_by_bit(n: int, colour: str, placement: str) -> tuple[Move, ...]:
    """Return the move at each bit of an n x n board, including the unused bits."""
    return tuple((colour, (r, c), placement) for r in range(n) for c in range(n + 1))


class Board:
    """An n x n board with blocks on it: the rules shared by the classes of both languages.

    ``n`` is the size, ``blocks[K]`` the squares under blocks of colour K, and ``halo[K]`` those
    squares with all their neighbours, including diagonal ones. ``str(board)`` shows the colour of
    each square, or a dot.

    >>> str(Hermit(3).move('R', (0, 0), 'H').move('B', (1, 2), 'V')).splitlines()
    ['R R .', '. . B', '. . B']
    """

    __slots__ = ("blocks", "full", "halo", "n", "width")

    _invalid_move = "invalid move"
    _invalid_size = "invalid size"

    def __init__(self, n: int) -> None:
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise InvalidSize(self._invalid_size)
        self.n = n
        self.width = n + 1
        try:
            self.full = _all_squares(n)
        except (MemoryError, OverflowError) as error:
            raise InvalidSize(self._invalid_size) from error
        self.blocks = dict.fromkeys(COLOURS, 0)
        self.halo = dict.fromkeys(COLOURS, 0)

    def copy(self) -> Self:
        """Return an independent board with the same blocks.

        >>> board = Hermit(2)
        >>> board.copy().move('R', (0, 0), 'U') is board
        False
        >>> board
        Hermit(2)
        """
        twin = type(self).__new__(type(self))
        twin.n, twin.width, twin.full = self.n, self.width, self.full
        twin.blocks, twin.halo = self.blocks.copy(), self.halo.copy()
        return twin

    def __str__(self) -> str:
        return "\n".join(
            " ".join(self.colour_at((r, c)) or "." for c in range(self.n)) for r in range(self.n)
        )

    def __repr__(self) -> str:
        kind = f"{type(self).__name__}({self.n})"
        rows = str(self).replace(" ", "").replace("\n", "/")
        return f"<{kind}: {rows}>" if self.occupied() else kind

    def colour_at(self, cell: Cell) -> str:
        """Return the colour of the block on a square of the board, '' if it is empty.

        >>> board = Hermit(2).move('R', (0, 0), 'H')
        >>> board.colour_at((0, 1)), board.colour_at((1, 1))
        ('R', '')
        """
        bit = self.bit(cell)
        return next((K for K in COLOURS if self.blocks[K] & bit), "")

    def bit(self, cell: Cell) -> int:
        """Return the bitboard of one square, 0 if it is off the board.

        >>> Hermit(3).bit((0, 2)), Hermit(3).bit((1, 0)), Hermit(3).bit((3, 0))
        (4, 16, 0)
        """
        r, c = cell
        return 1 << r * self.width + c if 0 <= r < self.n and 0 <= c < self.n else 0

    def cells(self, mask: int) -> Iterator[Cell]:
        """Yield the squares of a bitboard, row by row.

        >>> list(Hermit(3).cells(4 | 16))
        [(0, 2), (1, 0)]
        """
        while mask:
            low = mask & -mask
            yield divmod(low.bit_length() - 1, self.width)
            mask ^= low

    def neighbourhood(self, mask: int) -> int:
        """Return the squares of ``mask`` with their neighbours, including diagonal ones.

        >>> board = Hermit(3)
        >>> list(board.cells(board.neighbourhood(board.bit((0, 0)))))
        [(0, 0), (0, 1), (1, 0), (1, 1)]
        """
        beside = mask | mask << 1 | mask >> 1
        return (beside | beside << self.width | beside >> self.width) & self.full

    def occupied(self) -> int:
        """Return the squares under a block, as a bitboard.

        >>> board = Hermit(3).move('Y', (0, 0), 'V')
        >>> list(board.cells(board.occupied()))
        [(0, 0), (1, 0)]
        """
        return self.blocks["R"] | self.blocks["Y"] | self.blocks["B"]

    def allowed(self, colour: str) -> int:
        """Return the empty squares without a neighbour of ``colour``, as a bitboard.

        >>> board = Hermit(3).move('Y', (0, 0), 'H')
        >>> list(board.cells(board.allowed('Y')))
        [(2, 0), (2, 1), (2, 2)]
        """
        return self.full & ~(self.occupied() | self.halo[colour])

    def starts(self, colour: str) -> dict[str, int]:
        """Return the legal top-left squares of a block of ``colour``: a bitboard by placement.

        >>> board = Hermit(2)
        >>> {placement: list(board.cells(mask)) for placement, mask in board.starts('R').items()}
        {'U': [(0, 0), (0, 1), (1, 0), (1, 1)], 'H': [(0, 0), (1, 0)], 'V': [(0, 0), (0, 1)]}
        """
        free = self.allowed(colour)
        return {"U": free, "H": free & free >> 1, "V": free & free >> self.width}

    def footprint(self, cell: Cell, placement: str) -> int:
        """Return the bitboard of the squares under a block, 0 if one of them is off the board.

        >>> board = Hermit(2)
        >>> list(board.cells(board.footprint((0, 1), 'V'))), board.footprint((0, 1), 'H')
        ([(0, 1), (1, 1)], 0)
        """
        bits = [self.bit(square) for square in covered(cell, placement)]
        return sum(bits) if all(bits) else 0

    def _is_free(self, colour: object, cell: object) -> bool:
        known = _is_one_of(colour, COLOURS) and is_square(cell)
        return known and bool(self.allowed(colour) & self.bit(cell))  # type: ignore[arg-type]

    def _covered(self, cell: object, placement: object) -> set[Cell]:
        if not (_is_one_of(placement, PLACEMENTS) and is_square(cell)):
            raise IllegalMove(self._invalid_move)
        return covered(cell, placement)  # type: ignore[arg-type]

    def _place(self, colour: Any, cell: Any, placement: Any) -> Self:
        known = _is_one_of(colour, COLOURS) and _is_one_of(placement, PLACEMENTS)
        block = self.footprint(cell, placement) if known and is_square(cell) else 0
        if not block or block & ~self.allowed(colour):
            raise IllegalMove(self._invalid_move)
        self.blocks[colour] |= block
        self.halo[colour] |= self.neighbourhood(block)
        return self

    def _moves(self) -> set[Move]:
        return set(chain.from_iterable(self._moves_of(colour) for colour in COLOURS))

    def _moves_of(self, colour: str) -> Iterator[Move]:
        for placement, mask in self.starts(colour).items():
            # `compress` passes over all bits in C: a loop over the set bits took three times as
            # long.
            chosen = f"{mask:b}"[::-1].encode().translate(_ZERO_ONE)
            yield from compress(_moves_by_bit(self.n, colour, placement), chosen)


class Hermit(Board):
    """A game of Hermit on an empty n x n board (n >= 1, else InvalidSize).

    Colours are 'R', 'Y', 'B'; placements 'U' (upright, one square), 'H' and 'V' (lying over two
    squares, to the right or downwards). Rows and columns count from 0, from the top-left.

    >>> Hermit(3).move('R', (0, 0), 'H').move('B', (1, 2), 'V')
    <Hermit(3): RR./..B/..B>
    """

    __slots__ = ()

    def positions(self, cell: Cell, placement: str) -> set[Cell]:
        """Return the squares that a block would cover, regardless of the size of the board and its
        blocks.

        Raises IllegalMove for an unknown placement, or a cell that is no pair of integers.

        >>> Hermit(3).positions((0, 1), 'V') == {(0, 1), (1, 1)}
        True
        """
        return self._covered(cell, placement)

    def isvalid(self, colour: str, cell: Cell) -> bool:
        """Return whether the square is on the board, empty, and without a neighbour of ``colour``.

        >>> game = Hermit(3).move('R', (0, 0), 'U')
        >>> game.isvalid('R', (1, 1)), game.isvalid('B', (1, 1)), game.isvalid('B', (0, 0))
        (False, True, False)
        """
        return self._is_free(colour, cell)

    def move(self, colour: str, cell: Cell, placement: str) -> Self:
        """Place a block with its top-left square on ``cell`` and return the game itself.

        Raises IllegalMove ('invalid move') and changes nothing if the rules forbid it.

        >>> print(Hermit(2).move('Y', (0, 0), 'V'))
        Y .
        Y .
        >>> Hermit(2).move('Y', (0, 1), 'H')
        Traceback (most recent call last):
        games.contract.errors.IllegalMove: invalid move
        """
        return self._place(colour, cell, placement)

    def possible_moves(self) -> set[Move]:
        """Return all legal moves, as arguments of `move`.

        >>> game = Hermit(2).move('R', (0, 0), 'U').move('Y', (0, 1), 'V')
        >>> game.possible_moves() == {('B', (1, 0), 'U')}
        True
        """
        return self._moves()


class Kluizenaar(Board):
    """`Hermit` in Dutch: the same game under the names of the Dutch document.

    >>> Kluizenaar(3).zet('R', (0, 0), 'H').zet('B', (1, 2), 'V')
    <Kluizenaar(3): RR./..B/..B>
    """

    __slots__ = ()

    _invalid_move = "ongeldige zet"
    _invalid_size = "ongeldige afmeting"

    def posities(self, cel: Cell, plaatsing: str) -> set[Cell]:
        """Return the squares that a block would cover, as `Hermit.positions` does.

        >>> Kluizenaar(3).posities((0, 1), 'V') == {(0, 1), (1, 1)}
        True
        """
        return self._covered(cel, plaatsing)

    def isgeldig(self, kleur: str, cel: Cell) -> bool:
        """Return whether the square is free for ``kleur``, as `Hermit.isvalid` does.

        >>> spel = Kluizenaar(3).zet('R', (0, 0), 'U')
        >>> spel.isgeldig('R', (1, 1)), spel.isgeldig('B', (1, 1))
        (False, True)
        """
        return self._is_free(kleur, cel)

    def zet(self, kleur: str, cel: Cell, plaatsing: str) -> Self:
        """Place a block and return the game itself, as `Hermit.move` does.

        The message of IllegalMove is 'ongeldige zet'.

        >>> print(Kluizenaar(2).zet('Y', (0, 0), 'V'))
        Y .
        Y .
        >>> Kluizenaar(2).zet('Y', (0, 1), 'H')
        Traceback (most recent call last):
        games.contract.errors.IllegalMove: ongeldige zet
        """
        return self._place(kleur, cel, plaatsing)

    def mogelijke_zetten(self) -> set[Move]:
        """Return all legal moves, as `Hermit.possible_moves` does.

        >>> spel = Kluizenaar(2).zet('R', (0, 0), 'U').zet('Y', (0, 1), 'V')
        >>> spel.mogelijke_zetten() == {('B', (1, 0), 'U')}
        True
        """
        return self._moves()
