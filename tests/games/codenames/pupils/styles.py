"""Right classes in many hands: one of each row of parts makes a class.

A document says nothing about a card that is selected twice, so some of these classes take it."""

from __future__ import annotations

BOARDS = (
    """
class GameBoard:
    def __init__(self, m, n, key):
        self.m, self.n, self.key = m, n, key
        self.chosen = set()
        self.start()

    def show(self, r, c):
        self.chosen.add((r, c))
        return self.key[r * self.n + c]

    def sign(self, r, c):
        return self.key[r * self.n + c] if (r, c) in self.chosen else "?"
""",
    """
from dataclasses import dataclass, field


@dataclass
class GameBoard:
    m: int
    n: int
    key: str
    grid: list = field(init=False, repr=False)

    def __post_init__(self):
        self.grid = [["?"] * self.n for _ in range(self.m)]
        self.start()

    def show(self, r, c):
        self.grid[r][c] = [*self.key][r * self.n + c]
        return self.grid[r][c]

    def sign(self, r, c):
        return self.grid[r][c]
""",
    """
from collections import OrderedDict
from enum import Enum


class Kleur(str, Enum):
    ROOD = "R"
    BLAUW = "B"
    WIT = "-"
    ZWART = "X"


class Kaart:
    __slots__ = ["kleur", "open"]

    def __init__(self, kleur):
        self.kleur, self.open = Kleur(kleur), False

    def __str__(self):
        return self.kleur.value if self.open else "?"


class GameBoard:
    def __init__(self, m: int, n: int, key: str):
        self.m, self.n = m, n
        self.key = key.upper()
        self.kaarten = OrderedDict((divmod(i, n), Kaart(x)) for i, x in enumerate(key))
        self.start()

    def show(self, r, c):
        kaart = self.kaarten[(r, c)]
        kaart.open = True
        return kaart.kleur

    def sign(self, r, c):
        return str(self.kaarten[r, c])
""",
    """
class Grid(dict):
    def __missing__(self, cell):
        return "?"


class Base:
    def __init__(self, *arguments):
        self.m, self.n, self.key = arguments
        self.rows = [self.key[i : i + self.n] for i in range(0, len(self.key), self.n)]
        self.grid = Grid()
        self.start()


class GameBoard(Base):
    def show(self, r, c):
        return self.grid.setdefault((r, c), self.rows[r][c])

    def sign(self, r, c):
        return self.grid[r, c]
""",
    """
class GameBoard:
    def __init__(self, m, n, key):
        self.m = m
        self.n = n
        self.key = key
        shown = "".ljust(m * n, "?")

        def show(r, c):
            nonlocal shown
            index = r * n + c
            shown = shown[:index] + key[index] + shown[index + 1 :]
            return key[index]

        self.show = show
        self.sign = lambda r, c: shown[r * n + c]
        self.start()
""",
)

COUNTS = (
    """
    def start(self):
        self.left = {"R": self.key.count("R"), "B": self.key.count("B")}
        self.team = "R" if self.left["R"] > self.left["B"] else "B"
        self.dead = False

    def note(self, colour):
        if colour in self.left:
            self.left[colour] -= 1
        if colour == "X":
            self.dead = True

    def isover(self):
        return self.dead or not all(self.left.values())
""",
    """
    def start(self):
        from collections import Counter

        counts = Counter(self.key)
        self.team = max("RB", key=counts.__getitem__)

    def note(self, colour):
        pass

    def isover(self):
        signs = [self.sign(r, c) for r in range(self.m) for c in range(self.n)]
        found = [signs.count(team) == self.key.count(team) for team in "RB"]
        return "X" in signs or any(found)
""",
    """
    def start(self):
        self.team = sorted("RB", key=self.key.count)[-1]
        self.over = False
        self.todo = [c for c in self.key if c in ("R", "B")]

    def note(self, colour):
        match colour:
            case "R" | "B":
                self.todo.remove(colour)
            case "X":
                self.over = True
        self.over = self.over or len(set(self.todo)) < 2

    def isover(self):
        return self.over
""",
    """
    def start(self):
        difference = sum({"R": 1, "B": -1}.get(x, 0) for x in self.key)
        self.team = "BR"[difference > 0]
        self.seen = ""

    def note(self, colour):
        self.seen = f"{self.seen}{colour[0]}"

    def isover(self):
        full = lambda team: sum(x == team for x in self.seen) == sum(x == team for x in self.key)
        return True if "X" in self.seen else full("R") or full("B")
""",
)

REFUSAL = (
    """
    def check(self):
        assert not self.isover(), "game over"
""",
    """
    def check(self):
        if self.isover():
            raise AssertionError("game over")
""",
    """
    class Over(AssertionError):
        pass

    def check(self):
        while self.isover():
            raise self.Over("game over")
""",
)

TURNS = (
    """
    def turn(self):
        self.check()
        return self.team

    def stop(self):
        self.check()
        if self.team == "R":
            self.team = "B"
        else:
            self.team = "R"
        return self

    def select(self, r, c):
        self.check()
        colour = self.show(r, c)
        self.note(colour)
        if colour != self.team and not self.isover():
            self.stop()
        return self
""",
    """
    @property
    def other(self):
        return {"R": "B", "B": "R"}[self.team]

    def turn(self) -> str:
        self.check()
        return self.team

    def stop(self) -> "GameBoard":
        self.check()
        self.team = self.other
        return self

    def select(self, r: int, c: int) -> "GameBoard":
        self.check()
        self.note(colour := self.show(r, c))
        self.team = self.team if colour == self.team else self.other
        return self
""",
    """
    def turn(self):
        return self.check() or self.team

    def stop(self, checked=False):
        if not checked:
            self.check()
        self.team = "RB".replace(self.team, "")
        return self

    def select(self, *cell):
        self.check()
        colour = self.show(*cell)
        assert self.sign(*cell) == colour
        self.note(colour)
        return self if colour == self.team else self.stop(checked=True)
""",
)

TEXT = (
    """
    def __str__(self):
        return "\\n".join(
            " ".join(self.sign(r, c) for c in range(self.n)) for r in range(self.m)
        )
""",
    """
    def __str__(self):
        lines = []
        for r in range(self.m):
            line = []
            for c in range(self.n):
                line.append(self.sign(r, c))
            lines.append(" ".join(line))
        return str.join("\\n", lines)
""",
    """
    def __str__(self):
        from functools import reduce
        from itertools import product

        def add(text, cell):
            return text + self.sign(*cell) + ("\\n" if cell[1] == self.n - 1 else " ")

        return reduce(add, product(range(self.m), range(self.n)), "").rstrip("\\n")
""",
)

PARTS = (BOARDS, COUNTS, REFUSAL, TURNS, TEXT)
