"""Right classes in many hands: one of each row of parts makes a class.

``SPOT`` and the other words in capitals stand for the names of the two documents."""

from __future__ import annotations

NAMES = {
    "hermit": ("Hermit", "positions", "isvalid", "move", "possible_moves", "invalid move"),
    "kluizenaar": (
        "Kluizenaar",
        "posities",
        "isgeldig",
        "zet",
        "mogelijke_zetten",
        "ongeldige zet",
    ),
}
WORDS = ("KIND", "POSITIONS", "ISVALID", "MOVE", "POSSIBLE", "INVALID")

BOARDS = (
    """
class Speelbord:
    def __init__(self, n):
        self.n = n
        self.rijen = [["."] * n for _ in range(n)]

    def at(self, r, c):
        return self.rijen[r][c]

    def put(self, r, c, kleur):
        self.rijen[r][c] = kleur


class KIND(Speelbord):
""",
    """
from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass
class KIND:
    n: int
    squares: dict = field(default_factory=OrderedDict)

    def at(self, r, c):
        return self.squares.get((r, c), ".")

    def put(self, r, c, colour):
        self.squares = {**self.squares, (r, c): colour}
""",
    """
class KIND:
    __slots__ = ("_n", "text")

    def __init__(self, n, *_unused):
        self._n = n
        self.text = "".ljust(n * n, ".")

    @property
    def n(self):
        return self._n

    def at(self, r, c):
        return self.text[r * self.n + c]

    def put(self, r, c, colour):
        index = r * self.n + c
        self.text = self.text[:index] + colour + self.text[index + 1 :]
""",
    """
from collections import defaultdict
from enum import Enum


class Colour(str, Enum):
    RED = "R"
    YELLOW = "Y"
    BLUE = "B"


class KIND:
    def __init__(self, n: int) -> None:
        self.n = n
        self.cells: dict[Colour, set[tuple[int, int]]] = defaultdict(set)

    def at(self, r: int, c: int) -> str:
        return next((kind.value for kind in Colour if (r, c) in self.cells[kind]), ".")

    def put(self, r: int, c: int, colour: str) -> None:
        self.cells[Colour(colour)] |= {(r, c)}
""",
    """
from typing import NamedTuple


class Blok(NamedTuple):
    rij: int
    kolom: int
    kleur: str


class KIND(object):
    def __init__(self, n):
        self.n, self.blokken = n, []

    def at(self, r, c):
        for blok in self.blokken:
            if blok[:2] == (r, c):
                return blok.kleur
        return "."

    def put(self, r, c, kleur):
        self.blokken.append(Blok(r, c, kleur))
""",
    """
class KIND:
    instances = 0

    def __init__(self, n):
        type(self).instances += 1
        self.n = n
        board = bytearray(b"." * (n * n))
        self.at = lambda r, c: chr(board[r * n + c])

        def put(r, c, colour):
            board[r * n + c] = ord(colour)

        self.put = put
""",
)

POSITIONS = (
    """
    def POSITIONS(self, spot, placement):
        r, c = spot
        if placement == "U":
            return {(r, c)}
        elif placement == "H":
            return {(r, c), (r, c + 1)}
        else:
            return {(r, c), (r + 1, c)}
""",
    """
    def POSITIONS(self, spot: tuple, placement: str) -> set:
        match placement:
            case "U":
                steps = [(0, 0)]
            case "H":
                steps = [(0, 0), (0, 1)]
            case "V":
                steps = [(0, 0), (1, 0)]
        return {(spot[0] + down, spot[1] + right) for down, right in steps}
""",
    """
    EXTRA = dict(U=(0, 0), H=(0, 1), V=(1, 0))

    def POSITIONS(self, spot, placement):
        import operator

        return {spot, tuple(map(operator.add, spot, self.EXTRA[placement]))}
""",
    """
    @staticmethod
    def _second(r, c, placement, *, cache={}):
        from functools import lru_cache

        @lru_cache(maxsize=None)
        def second(r, c, placement):
            return {"h": (r, c + 1), "v": (r + 1, c)}.get(placement.casefold(), (r, c))

        return cache.setdefault("second", second)(r, c, placement)

    def POSITIONS(self, spot, placement):
        return {spot, self._second(*spot, placement)}
""",
)

ISVALID = (
    """
    def ISVALID(self, colour, spot):
        r, c = spot
        if not (0 <= r < self.n and 0 <= c < self.n) or self.at(r, c) != ".":
            return False
        for i in range(max(0, r - 1), min(self.n, r + 2)):
            for j in range(max(0, c - 1), min(self.n, c + 2)):
                if self.at(i, j) == colour:
                    return False
        return True
""",
    """
    def ISVALID(self, colour, spot):
        from itertools import product

        inside = range(self.n)
        r, c = spot
        return (
            r in inside
            and c in inside
            and self.at(*spot) == "."
            and all(
                self.at(r + i, c + j) != colour
                for i, j in product((-1, 0, 1), repeat=2)
                if r + i in inside and c + j in inside
            )
        )
""",
    """
    def ISVALID(self, colour, spot):
        near = [
            self.at(i, j)
            for i in range(self.n)
            for j in range(self.n)
            if max(abs(i - spot[0]), abs(j - spot[1])) <= 1
        ]
        at_spot = [1 for i in range(self.n) for j in range(self.n) if (i, j) == tuple(spot)]
        return bool(at_spot) and self.at(*spot) == "." and colour not in near
""",
    """
    def ISVALID(self, colour, spot):
        def touches(steps):
            if not steps:
                return False
            (down, right), *rest = steps
            r, c = spot[0] + down, spot[1] + right
            here = 0 <= r < self.n and 0 <= c < self.n and self.at(r, c) == colour
            return here or touches(rest)

        if min(spot) < 0 or max(spot) >= self.n:
            return False
        return self.at(*spot) == "." and not touches(
            [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
        )
""",
)

MOVE = (
    """
    def MOVE(self, colour, spot, placement):
        for cell in self.POSITIONS(spot, placement):
            assert self.ISVALID(colour, cell), "INVALID"
        for r, c in self.POSITIONS(spot, placement):
            self.put(r, c, colour)
        return self
""",
    """
    def MOVE(self, colour, spot, placement):
        if (colour, spot, placement) not in self.POSSIBLE():
            raise AssertionError("INVALID")
        _ = [self.put(*cell, colour) for cell in self.POSITIONS(spot, placement)]
        return self
""",
    """
    class Refused(AssertionError):
        def __init__(self):
            super().__init__("INVALID")

    def MOVE(self, colour, spot, placement):
        if not (cells := self.POSITIONS(spot, placement)) or any(
            not self.ISVALID(colour, cell) for cell in cells
        ):
            raise self.Refused
        while cells:
            self.put(*cells.pop(), colour)
        return self
""",
)

POSSIBLE = (
    """
    def POSSIBLE(self):
        moves = set()
        for r in range(self.n):
            for c in range(self.n):
                for colour in "RYB":
                    for placement in "UHV":
                        if all(self.ISVALID(colour, x) for x in self.POSITIONS((r, c), placement)):
                            moves.add((colour, (r, c), placement))
        return moves
""",
    """
    def POSSIBLE(self):
        from itertools import product

        return {
            (colour, (r, c), placement)
            for r, c, colour, placement in product(range(self.n), range(self.n), "BRY", "HUV")
            if not [x for x in self.POSITIONS((r, c), placement) if not self.ISVALID(colour, x)]
        }
""",
    """
    def _all(self):
        for index in range(self.n**2):
            cell = divmod(index, self.n)
            for colour in ("R", "Y", "B"):
                if self.ISVALID(colour, cell):
                    yield colour, cell, "U"
                    for placement in ("H", "V"):
                        (other,) = self.POSITIONS(cell, placement) - {cell}
                        if self.ISVALID(colour, other):
                            yield (colour, cell, placement)

    def POSSIBLE(self):
        return set(self._all())
""",
    """
    def POSSIBLE(self, colours="RYB"):
        if not colours:
            return set()
        head, *tail = colours
        fits = lambda spot, p: all(map(lambda x: self.ISVALID(head, x), self.POSITIONS(spot, p)))
        spots = [(r, c) for r in range(self.n) for c in range(self.n)]
        return {(head, s, p) for s in spots for p in "UHV" if fits(s, p)} | self.POSSIBLE(tail)
""",
)

TEXT = (
    """
    def __str__(self):
        return "\\n".join(" ".join(self.at(r, c) for c in range(self.n)) for r in range(self.n))
""",
    """
    def __str__(self):
        text = ""
        for r in range(self.n):
            for c in range(self.n):
                text += f"{self.at(r, c)} "
            text = text.rstrip() + "\\n"
        return text[:-1]
""",
    """
    def __str__(self) -> str:
        from io import StringIO

        out = StringIO()
        for r in range(self.n):
            print(*(self.at(r, c) for c in range(self.n)), file=out)
        return out.getvalue().removesuffix("\\n")
""",
    """
    def __repr__(self):
        lines = []
        for r in range(self.n):
            lines.append(("{} " * self.n).format(*[self.at(r, c) for c in range(self.n)]).strip())
        return chr(10).join(lines)

    __str__ = __repr__
""",
)

PARTS = (BOARDS, POSITIONS, ISVALID, MOVE, POSSIBLE, TEXT)


def named(exercise: str, source: str) -> str:
    """Return a source text with the names of an exercise."""
    for word, name in zip(WORDS, NAMES[exercise], strict=True):
        source = source.replace(word, name)
    return source
