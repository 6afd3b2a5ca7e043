"""The board of Hermit, as its document describes it: `Hermit` in English, `Kluizenaar` in Dutch.

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
    """A board must have a whole number of rows, and at least one."""


def is_square(cell: object) -> bool:
    """Whether ``cell`` is a tuple of two whole numbers; a bool is none."""
    return (
        isinstance(cell, tuple)
        and len(cell) == 2
        and all(isinstance(x, int) and not isinstance(x, bool) for x in cell)
    )


def _is_one_of(letter: object, letters: tuple[str, ...]) -> bool:
    """Whether it is a letter at all, too: other things may not want to be compared with one."""
    return isinstance(letter, str) and letter in letters


def covered(cell: Cell, placement: str) -> set[Cell]:
    """The squares under a block with its top-left square on ``cell``, on any board or none."""
    r, c = cell
    return {(r, c)} | {"U": set(), "H": {(r, c + 1)}, "V": {(r + 1, c)}}[placement]


def _all_squares(n: int) -> int:
    """The bitboard of all squares. Raises MemoryError or OverflowError at once, not after the first
    of too many rows."""
    first_squares = ((1 << n * (n + 1)) - 1) // ((1 << n + 1) - 1)
    return first_squares * ((1 << n) - 1)


@lru_cache(maxsize=32)
def _moves_by_bit(n: int, colour: str, placement: str) -> tuple[Move, ...]:
    """The move that stands for each bit of an n x n board, the unused bits included."""
    return tuple((colour, (r, c), placement) for r in range(n) for c in range(n + 1))


class Board:
    """An n x n board with blocks on it; the rules, without the names of either language.

    ``n`` is the size, ``blocks[K]`` the squares under blocks of colour K and ``halo[K]`` those
    squares with all their neighbours, diagonal ones too, as bitboards.
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
        """An independent board with the same blocks."""
        twin = type(self).__new__(type(self))
        twin.n, twin.width, twin.full = self.n, self.width, self.full
        twin.blocks, twin.halo = self.blocks.copy(), self.halo.copy()
        return twin

    def __str__(self) -> str:
        return "\n".join(
            " ".join(self.colour_at((r, c)) or "." for c in range(self.n)) for r in range(self.n)
        )

    def colour_at(self, cell: Cell) -> str:
        """The colour of the block on a square of the board, '' if it is empty."""
        bit = self.bit(cell)
        return next((K for K in COLOURS if self.blocks[K] & bit), "")

    def bit(self, cell: Cell) -> int:
        """The bitboard of one square; 0 if it is off the board."""
        r, c = cell
        return 1 << r * self.width + c if 0 <= r < self.n and 0 <= c < self.n else 0

    def cells(self, mask: int) -> Iterator[Cell]:
        """The squares of a bitboard, row by row."""
        while mask:
            low = mask & -mask
            yield divmod(low.bit_length() - 1, self.width)
            mask ^= low

    def neighbourhood(self, mask: int) -> int:
        """The squares of ``mask`` and their neighbours, diagonal ones too."""
        beside = mask | mask << 1 | mask >> 1
        return (beside | beside << self.width | beside >> self.width) & self.full

    def occupied(self) -> int:
        """The squares under a block, as a bitboard."""
        return self.blocks["R"] | self.blocks["Y"] | self.blocks["B"]

    def allowed(self, colour: str) -> int:
        """The empty squares without a neighbour of ``colour``, as a bitboard."""
        return self.full & ~(self.occupied() | self.halo[colour])

    def starts(self, colour: str) -> dict[str, int]:
        """By placement: where the top-left square of a block may be put, as a bitboard."""
        free = self.allowed(colour)
        return {"U": free, "H": free & free >> 1, "V": free & free >> self.width}

    def footprint(self, cell: Cell, placement: str) -> int:
        """The bitboard of the squares under a block; 0 if one of them is off the board."""
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
            # One pass in C over all bits: a loop over the set bits took three times as long.
            chosen = f"{mask:b}"[::-1].encode().translate(_ZERO_ONE)
            yield from compress(_moves_by_bit(self.n, colour, placement), chosen)


class Hermit(Board):
    """A game of Hermit on an empty n x n board (n >= 1, else InvalidSize).

    Colours are 'R', 'Y', 'B'; placements 'U' (upright, one square), 'H' and 'V' (lying over two
    squares, to the right or downwards). Rows and columns count from 0, from the top-left.
    """

    __slots__ = ()

    def positions(self, cell: Cell, placement: str) -> set[Cell]:
        """The squares that a block would cover; neither size nor blocks are looked at.

        Raises IllegalMove for an unknown placement, or a cell that is no pair of integers."""
        return self._covered(cell, placement)

    def isvalid(self, colour: str, cell: Cell) -> bool:
        """Whether the square is on the board, empty, and without a neighbour of ``colour``."""
        return self._is_free(colour, cell)

    def move(self, colour: str, cell: Cell, placement: str) -> Self:
        """Place a block with its top-left square on ``cell`` and return the game itself.

        Raises IllegalMove ('invalid move') and changes nothing if the rules forbid it."""
        return self._place(colour, cell, placement)

    def possible_moves(self) -> set[Move]:
        """All the moves that can be made next, as arguments of `move`."""
        return self._moves()


class Kluizenaar(Board):
    """`Hermit` in Dutch: the same game under the names of the Dutch document."""

    __slots__ = ()

    _invalid_move = "ongeldige zet"
    _invalid_size = "ongeldige afmeting"

    def posities(self, cel: Cell, plaatsing: str) -> set[Cell]:
        """As `Hermit.positions`."""
        return self._covered(cel, plaatsing)

    def isgeldig(self, kleur: str, cel: Cell) -> bool:
        """As `Hermit.isvalid`."""
        return self._is_free(kleur, cel)

    def zet(self, kleur: str, cel: Cell, plaatsing: str) -> Self:
        """As `Hermit.move`, with the message 'ongeldige zet'."""
        return self._place(kleur, cel, plaatsing)

    def mogelijke_zetten(self) -> set[Move]:
        """As `Hermit.possible_moves`."""
        return self._moves()
