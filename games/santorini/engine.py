"""The board of Santorini: towers, workers, and their legal moves and builds.

Spaces are numbered 0..24, row by row from the top-left, and a set of spaces is an integer whose bit
i stands for space i. The spaces that a worker can reach are its neighbours minus the occupied
spaces minus those that are too high: three operations on integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from games.contract import Cell, IllegalMove

SIZE = 5
THIRD_LEVEL = 3
DOME = 4
LETTERS = "ABCDEFGH"

DIRECTIONS: dict[str, Cell] = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}
"""Maps a compass direction to (rows down, columns to the right), clockwise from north."""


def _towards(space: int) -> dict[str, int]:
    """Return the neighbours of a space, by direction."""
    row, column = divmod(space, SIZE)
    return {
        direction: (row + down) * SIZE + column + right
        for direction, (down, right) in DIRECTIONS.items()
        if 0 <= row + down < SIZE and 0 <= column + right < SIZE
    }


NEIGHBOURS: tuple[dict[str, int], ...] = tuple(_towards(i) for i in range(SIZE * SIZE))
"""For each space, maps a direction to the neighbouring space."""

_NEIGHBOUR_MASK = tuple(sum(1 << i for i in near.values()) for near in NEIGHBOURS)


class Santorini:
    """A board with its workers. It enforces neither the turn order nor the end after a win.

    ``workers`` maps each letter to its (row, column). ``str(board)`` shows for each space the
    letter of its worker, or the height of its tower.

    >>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
    >>> board
    Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
    >>> print(board.move_worker('B', 'E').build_tower('B', 'W'))
    00000
    0C000
    00D00
    A0000
    01B00
    >>> board.workers['B']
    (4, 2)
    """

    def __init__(self, positions: Sequence[Cell]) -> None:
        """Place the workers A, B, C, ... on the (row, column) ``positions``: 4, 6 or 8 of them.

        Raises IllegalMove (an AssertionError) for another number of workers, for two on one space,
        and for anything that is no space of the board.
        """
        if not isinstance(positions, list | tuple) or len(positions) not in (4, 6, 8):
            raise IllegalMove("invalid workers")
        self._clear()
        for letter, position in zip(LETTERS, positions, strict=False):
            self.place_worker(letter, position)

    def _clear(self) -> None:
        self.workers: dict[str, Cell] = {}
        self._spaces: dict[str, int] = {}
        self._occupied = 0
        # _at_least[h]: the spaces whose tower has at least h parts; the dome is the fourth.
        self._at_least = [(1 << SIZE * SIZE) - 1, 0, 0, 0, 0]
        self._winner: str | None = None

    @classmethod
    def empty(cls) -> Self:
        """Return a board without workers, for `place_worker`.

        >>> Santorini.empty().workers
        {}
        """
        board = cls.__new__(cls)
        board._clear()
        return board

    def copy(self) -> Self:
        """Return an independent copy of the board.

        >>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
        >>> board.copy().move_worker('A', 'N').workers['A'], board.workers['A']
        ((2, 0), (3, 0))
        """
        twin = self.__class__.__new__(self.__class__)
        twin.workers = dict(self.workers)
        twin._spaces = dict(self._spaces)
        twin._occupied = self._occupied
        twin._at_least = list(self._at_least)
        twin._winner = self._winner
        return twin

    # --- the methods of the published interface --------------------------------------

    def __repr__(self) -> str:
        cells = list(self.workers.values())
        if not any(self._at_least[1:]) and "".join(self.workers) == LETTERS[: len(cells)]:
            name = type(self).__name__
            return f"{name}({cells})" if cells else f"{name}.empty()"
        heights = "".join(str(self._height(space)) for space in range(SIZE * SIZE))
        towers = "/".join(heights[i : i + SIZE] for i in range(0, SIZE * SIZE, SIZE))
        return f"<{type(self).__name__} towers {towers}, workers {self.workers}>"

    def __str__(self) -> str:
        signs = [str(self._height(space)) for space in range(SIZE * SIZE)]
        for letter, space in self._spaces.items():
            signs[space] = letter
        return "\n".join("".join(signs[i : i + SIZE]) for i in range(0, SIZE * SIZE, SIZE))

    def level(self, worker: str) -> int:
        """Return the height (0..3) of the tower under a worker.

        Raises IllegalMove ('invalid worker') for a letter without a worker.

        >>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
        >>> board.build_tower('A', 'N').move_worker('A', 'N').level('A')
        1
        """
        if not self._knows(worker):
            raise IllegalMove("invalid worker")
        return self._height(self._spaces[worker])

    def winning_worker(self) -> str | None:
        """Return the letter of the first worker that has reached the third level, None before that.

        >>> board = Santorini([(0, 0), (4, 4), (0, 4), (4, 0)])
        >>> for direction, parts in [('E', 1), ('W', 2), ('E', 2)]:
        ...     for _ in range(parts):
        ...         board = board.build_tower('A', direction)
        ...     board = board.move_worker('A', direction)
        >>> board.level('A'), board.winning_worker()
        (3, 'A')
        """
        return self._winner

    def move_worker(self, worker: str, direction: str) -> Self:
        """Move a worker one space and return the board itself.

        Raises IllegalMove ('invalid move') and changes nothing if the space is off the grid,
        has a worker or a dome, or is more than one level up.

        >>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
        >>> board.move_worker('A', 'NE').workers['A']
        (2, 1)
        >>> board.move_worker('A', 'E')
        Traceback (most recent call last):
        games.contract.errors.IllegalMove: invalid move
        """
        target = self._target(worker, direction)
        if target is None or not self._reach(worker) >> target & 1:
            raise IllegalMove("invalid move")
        self._occupied ^= 1 << self._spaces[worker] | 1 << target
        self._spaces[worker] = target
        self.workers[worker] = divmod(target, SIZE)
        if self._winner is None and self._height(target) == THIRD_LEVEL:
            self._winner = worker
        return self

    def build_tower(self, worker: str, direction: str) -> Self:
        """Build the next part of a tower beside a worker and return the board itself.

        Raises IllegalMove ('invalid build') and changes nothing if the space is off the grid
        or has a worker or a dome.

        >>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
        >>> print(board.build_tower('A', 'N').build_tower('A', 'N'))
        00000
        0C000
        20D00
        A0000
        0B000
        >>> board.build_tower('A', 'SE')
        Traceback (most recent call last):
        games.contract.errors.IllegalMove: invalid build
        """
        target = self._target(worker, direction)
        if target is None or (self._occupied | self._at_least[DOME]) >> target & 1:
            raise IllegalMove("invalid build")
        self._at_least[self._height(target) + 1] |= 1 << target
        return self

    # --- further methods, for the rules of the site ----------------------------------

    def place_worker(self, letter: str, position: Cell) -> Self:
        """Put a new worker on a free space and return the board itself.

        Raises IllegalMove ('invalid workers') and changes nothing for a letter in use or a space
        that is taken or off the grid.

        >>> Santorini.empty().place_worker('A', (0, 0)).place_worker('B', (4, 4))
        Santorini([(0, 0), (4, 4)])
        """
        space = _space(position)
        if not isinstance(letter, str) or letter in self._spaces or space is None:
            raise IllegalMove("invalid workers")
        if self._occupied >> space & 1:
            raise IllegalMove("invalid workers")
        self._occupied |= 1 << space
        self._spaces[letter] = space
        self.workers[letter] = divmod(space, SIZE)
        return self

    def remove_worker(self, worker: str) -> Self:
        """Take a worker off the board and return the board itself.

        Raises IllegalMove ('invalid worker') for a letter without a worker.

        >>> sorted(Santorini([(3, 0), (4, 1), (1, 1), (2, 2)]).remove_worker('B').workers)
        ['A', 'C', 'D']
        """
        if not self._knows(worker):
            raise IllegalMove("invalid worker")
        self._occupied ^= 1 << self._spaces.pop(worker)
        del self.workers[worker]
        return self

    def height(self, cell: Cell) -> int:
        """Return the number of parts (0..4, a dome being the fourth) of the tower on a cell of the
        board.

        >>> Santorini([(3, 0), (4, 1), (1, 1), (2, 2)]).build_tower('A', 'N').height((2, 0))
        1
        """
        return self._height(cell[0] * SIZE + cell[1])

    def moves(self, worker: str) -> Iterator[tuple[str, Cell]]:
        """Yield each direction in which a worker can move, with the cell that it leads to.

        >>> dict(Santorini([(0, 0), (1, 1), (4, 4), (4, 0)]).moves('A'))
        {'E': (0, 1), 'S': (1, 0)}
        """
        reach = self._reach(worker)
        for direction, space in NEIGHBOURS[self._spaces[worker]].items():
            if reach >> space & 1:
                yield direction, divmod(space, SIZE)

    def builds_after(self, worker: str, direction: str) -> Iterator[tuple[str, Cell]]:
        """Yield each direction in which a worker can build after a move in ``direction``, with the
        cell to build on. The move must be legal.

        >>> dict(Santorini([(0, 0), (1, 1), (4, 4), (4, 0)]).builds_after('A', 'E'))
        {'E': (0, 2), 'SE': (1, 2), 'SW': (1, 0), 'W': (0, 0)}
        """
        origin = self._spaces[worker]
        closed = self._occupied ^ 1 << origin | self._at_least[DOME]
        for build, space in NEIGHBOURS[NEIGHBOURS[origin][direction]].items():
            if not closed >> space & 1:
                yield build, divmod(space, SIZE)

    # --- spaces ------------------------------------------------------------------------

    def _knows(self, worker: str) -> bool:
        return isinstance(worker, str) and worker in self._spaces

    def _height(self, space: int) -> int:
        bit = 1 << space
        _, *parts = self._at_least
        return len([mask for mask in parts if mask & bit])

    def _target(self, worker: str, direction: str) -> int | None:
        """Return the space beside a worker; None if there is no such worker, direction or space."""
        if not self._knows(worker) or not isinstance(direction, str):
            return None
        return NEIGHBOURS[self._spaces[worker]].get(direction)

    def _reach(self, worker: str) -> int:
        """Return the set of spaces that a worker can move to."""
        space = self._spaces[worker]
        too_high = self._at_least[min(self._height(space) + 2, DOME)]
        return _NEIGHBOUR_MASK[space] & ~self._occupied & ~too_high


def _space(position: object) -> int | None:
    """Return the number of the space at a (row, column), None for any other object."""
    if not isinstance(position, list | tuple) or len(position) != 2:
        return None
    row, column = position
    if type(row) is not int or type(column) is not int:  # True is an int too
        return None
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else None
