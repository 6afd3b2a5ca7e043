"""Right classes in many hands: one of each row of parts makes a class.

A document says nothing about turns, refused builds and moves after a win, so these differ there."""

from __future__ import annotations

BOARDS = (
    """
class Santorini:
    def __init__(self, positions):
        self.workers = {}
        for i in range(len(positions)):
            self.workers["ABCDEFGH"[i]] = positions[i]
        self.levels = [[0] * 5 for _ in range(5)]
        self.winner = None

    def height(self, r, c):
        return self.levels[r][c]

    def raise_tower(self, r, c):
        self.levels[r][c] += 1
""",
    """
from collections import Counter
from dataclasses import dataclass, field
from string import ascii_uppercase


@dataclass
class Santorini:
    positions: list
    towers: Counter = field(default_factory=Counter)
    winner: str = None

    def __post_init__(self):
        self.workers = dict(zip(ascii_uppercase, map(tuple, self.positions)))

    def height(self, r, c):
        return self.towers[r, c]

    def raise_tower(self, r, c):
        self.towers.update([(r, c)])
""",
    """
from typing import NamedTuple


class Plaats(NamedTuple):
    rij: int
    kolom: int


class Bord:
    def __init__(self):
        self.torens = "0" * 25

    def height(self, r, c):
        return int(self.torens[5 * r + c])

    def raise_tower(self, r, c):
        i = 5 * r + c
        self.torens = self.torens[:i] + str(self.height(r, c) + 1) + self.torens[i + 1 :]


class Santorini(Bord):
    def __init__(self, posities):
        super().__init__()
        self._werkers = {chr(65 + i): Plaats(*p) for i, p in enumerate(posities)}
        self.winner = None

    @property
    def workers(self):
        return self._werkers
""",
    """
class Worker:
    def __init__(self, letter, place):
        self.letter, self.place = letter, place


class Santorini:
    def __init__(self, places):
        self.people = [Worker(letter, place) for letter, place in zip("ABCDEFGH", places)]
        self.blocks = {}
        self.winner = None

    @property
    def workers(self):
        property_of_board = self

        class Live(dict):
            def __setitem__(self, letter, place):
                for worker in property_of_board.people:
                    if worker.letter == letter:
                        worker.place = place

        return Live((worker.letter, worker.place) for worker in self.people)

    def height(self, r, c):
        return len(self.blocks.get((r, c), []))

    def raise_tower(self, r, c):
        self.blocks.setdefault((r, c), []).append("block")
""",
    """
class Santorini:
    __slots__ = ("workers", "flat", "winner")

    def __init__(self, places: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> None:
        self.workers = {letter: place for place, letter in zip(places, "A B C D E F G H".split())}
        self.flat = 25 * [0]
        self.winner = None

    def height(self, r, c):
        return self.flat[r * 5 + c]

    def raise_tower(self, r, c):
        self.flat[r * 5 + c] = min(self.flat[r * 5 + c] + 1, 4)
""",
)

STEPS = (
    """
    STEPS = {
        "N": (-1, 0), "NE": (-1, 1), "E": (0, 1), "SE": (1, 1),
        "S": (1, 0), "SW": (1, -1), "W": (0, -1), "NW": (-1, -1),
    }

    def target(self, worker, direction):
        r, c = self.workers[worker]
        return r + self.STEPS[direction][0], c + self.STEPS[direction][1]
""",
    """
    def target(self, worker, direction):
        down = ("S" in direction) - ("N" in direction)
        right = ("E" in direction) - ("W" in direction)
        return (self.workers[worker][0] + down, self.workers[worker][1] + right)
""",
    """
    def target(self, worker, direction):
        r, c = self.workers[worker]
        for letter in direction:
            match letter:
                case "N":
                    r -= 1
                case "S":
                    r += 1
                case "E":
                    c += 1
                case "W":
                    c -= 1
        return r, c
""",
    """
    def target(self, worker, direction):
        from functools import reduce
        from operator import add

        steps = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
        chain = [self.workers[worker], *map(steps.get, direction)]
        return reduce(lambda one, other: tuple(map(add, one, other)), chain)
""",
)

MOVES = (
    """
    def move_worker(self, worker, direction):
        r, c = self.target(worker, direction)
        assert 0 <= r < 5 and 0 <= c < 5, "invalid move"
        assert (r, c) not in self.workers.values(), "invalid move"
        assert self.height(r, c) < 4, "invalid move"
        assert self.height(r, c) - self.level(worker) <= 1, "invalid move"
        self.workers[worker] = (r, c)
        if self.height(r, c) == 3 and self.winner is None:
            self.winner = worker
        return self
""",
    """
    def _may(self, worker, cell):
        if min(cell) < 0 or max(cell) > 4:
            return False
        if any(place == cell for place in self.workers.values()):
            return False
        return self.height(*cell) in range(min(self.level(worker) + 2, 4))

    def move_worker(self, worker: str, direction: str):
        if not self._may(worker, (cell := self.target(worker, direction))):
            raise AssertionError("invalid move")
        self.workers[worker] = cell
        self.winner = self.winner or (worker if self.height(*cell) > 2 else None)
        return self
""",
    """
    class InvalidMove(AssertionError):
        def __str__(self):
            return "invalid move"

    def move_worker(self, worker, direction):
        cell = self.target(worker, direction)
        free = {divmod(i, 5) for i in range(25)} - {*self.workers.values()}
        if cell not in free or self.height(*cell) > min(self.level(worker) + 1, 3):
            raise self.InvalidMove()
        if self.winner:
            raise AssertionError("game over")
        self.workers[worker] = cell
        if self.level(worker) == 3:
            self.winner = worker
        return self
""",
)

BUILDS = (
    """
    def build_tower(self, worker, direction):
        r, c = self.target(worker, direction)
        assert 0 <= r < 5 and 0 <= c < 5 and self.height(r, c) < 4, "invalid build"
        assert (r, c) not in self.workers.values(), "invalid build"
        self.raise_tower(r, c)
        return self
""",
    """
    def build_tower(self, worker, direction):
        self.raise_tower(*self.target(worker, direction))
        return self
""",
    """
    def build_tower(self, worker, direction):
        cell = self.target(worker, direction)
        for other, place in self.workers.items():
            if place == cell and other != worker:
                raise ValueError(f"{other} stands there")
        self.raise_tower(*cell)
        return self
""",
)

QUESTIONS = (
    """
    def level(self, worker):
        r, c = self.workers[worker]
        return self.height(r, c)

    def winning_worker(self):
        return self.winner
""",
    """
    def level(self, worker: str) -> int:
        return self.height(*self.workers[worker])

    def winning_worker(self):
        if self.winner is not None:
            return self.winner
""",
)

TEXT = (
    """
    def __str__(self):
        rows = [[str(self.height(r, c)) for c in range(5)] for r in range(5)]
        for worker, (r, c) in self.workers.items():
            rows[r][c] = worker
        return "\\n".join("".join(row) for row in rows)
""",
    """
    def __str__(self):
        names = {place: worker for worker, place in self.workers.items()}
        text = ""
        for i in range(25):
            text += names.get(divmod(i, 5)) or f"{self.height(*divmod(i, 5))}"
            if i % 5 == 4 and i < 24:
                text += "\\n"
        return text
""",
    """
    def _sign(self, cell):
        return ([w for w in self.workers if self.workers[w] == cell] + [str(self.height(*cell))])[0]

    def __str__(self):
        from textwrap import wrap

        return "\\n".join(wrap("".join(self._sign((r, c)) for r in range(5) for c in range(5)), 5))
""",
)

PARTS = (BOARDS, STEPS, MOVES, BUILDS, QUESTIONS, TEXT)
