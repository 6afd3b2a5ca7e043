"""Right programs in many hands: one of each row of parts makes a program."""

from __future__ import annotations

READING = (
    """
import sys

words = sys.stdin.read().split()
size = int(words[0])
moves = [(words[i], int(words[i + 1]) - 1, int(words[i + 2]) - 1) for i in range(1, len(words), 3)]
""",
    """
size = int(input())


def read_moves():
    while True:
        try:
            colour, row, column = input().split()
        except EOFError:
            return
        yield colour, int(row) - 1, int(column) - 1


moves = read_moves()
""",
    """
import sys

first, *others = sys.stdin.readlines()
size = int(first.strip())
moves = []
for line in others:
    if line.strip():
        colour, *place = line.split()
        moves.append((colour, *map(lambda x: int(x) - 1, place)))
""",
    """
import sys
from dataclasses import astuple, dataclass


@dataclass(order=True)
class Move:
    colour: str
    row: int
    column: int


it = iter(sys.stdin.read().split())
size = int(next(it))
moves = [astuple(Move(c, int(r) - 1, int(k) - 1)) for c, r, k in zip(it, it, it)]
""",
)

BOARDS = (
    """
class Board:
    def __init__(self, n):
        self.n = n
        self.rows = [["."] * n for _ in range(n)]

    def at(self, r, c):
        if 0 <= r < self.n and 0 <= c < self.n:
            return self.rows[r][c]
        return ""

    def put(self, r, c, colour):
        self.rows[r][c] = colour
""",
    """
from collections import OrderedDict


class Board(OrderedDict):
    def __init__(self, n):
        super().__init__(((r, c), ".") for r in range(n) for c in range(n))
        self.n = n

    def at(self, *cell):
        return self.get(cell, "")

    def put(self, r, c, colour):
        self[r, c] = colour
""",
    """
class Board:
    __slots__ = "n", "text"

    def __init__(self, n):
        self.n, self.text = n, ("#" * (n + 2) + ("#" + "." * n + "#") * n + "#" * (n + 2))

    def at(self, r, c):
        return self.text[(r + 1) * (self.n + 2) + c + 1]

    def put(self, r, c, colour):
        i = (r + 1) * (self.n + 2) + c + 1
        self.text = self.text[:i] + colour + self.text[i + 1 :]
""",
    """
class Board:
    def __init__(self, n):
        self.n = n
        self.discs = {"N": set(), "B": set()}

    def at(self, r, c):
        for colour, cells in self.discs.items():
            if (r, c) in cells:
                return colour
        return "." if 0 <= min(r, c) and max(r, c) < self.n else None

    def put(self, r, c, colour):
        for cells in self.discs.values():
            cells.discard((r, c))
        self.discs[colour] = self.discs[colour] | {(r, c)}
""",
)

FLIPS = (
    """
def play(board, colour, r, c):
    board.put(r, c, colour)
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if dr == dc == 0:
                continue
            line = []
            i, j = r + dr, c + dc
            while board.at(i, j) in ("N", "B") and board.at(i, j) != colour:
                line.append((i, j))
                i, j = i + dr, j + dc
            if board.at(i, j) == colour:
                for cell in line:
                    board.put(*cell, colour)
""",
    """
from itertools import product


def play(board, colour, r, c):
    other = {"N": "B", "B": "N"}[colour]

    def closed(i, j, step):
        if board.at(i, j) == colour:
            return True
        if board.at(i, j) == other and closed(i + step[0], j + step[1], step):
            board.put(i, j, colour)
            return True
        return False

    for step in product((-1, 0, 1), repeat=2):
        if step != (0, 0):
            closed(r + step[0], c + step[1], step)
    board.put(r, c, colour)
""",
    """
from itertools import count, takewhile


def rays(board, r, c):
    for k in range(9):
        down, right = k // 3 - 1, k % 3 - 1
        if k != 4:
            yield [(r + down * s, c + right * s) for s in range(1, board.n)]


def play(board, colour, r, c):
    turned = {(r, c)}
    for ray in rays(board, r, c):
        ends = {None, "", ".", "#", colour}
        run = list(takewhile(lambda cell: board.at(*cell) not in ends, ray))
        if len(run) < len(ray) and board.at(*ray[len(run)]) == colour:
            turned |= set(run)
    for cell in sorted(turned):
        board.put(*cell, colour)
""",
    """
def play(board, colour, r, c):
    steps = [(a, b) for a in range(-1, 2) for b in range(-1, 2) if (a, b) != (0, 0)]
    for a, b in steps:
        length = 1
        while (here := board.at(r + a * length, c + b * length)) and here not in ".#" + colour:
            length += 1
        if here == colour:
            for k in range(1, length):
                board.put(r + a * k, c + b * k, colour)
    board.put(r, c, colour)
""",
)

PRINTING = (
    """
def show(board):
    for r in range(board.n):
        print("".join(board.at(r, c) for c in range(board.n)))
    cells = [board.at(r, c) for r in range(board.n) for c in range(board.n)]
    print(cells.count("N"), cells.count("B"), sep=":")
    print()
""",
    """
def show(board):
    black = white = 0
    for r in range(board.n):
        for c in range(board.n):
            black += board.at(r, c) == "N"
            white += board.at(r, c) == "B"
            print(board.at(r, c), end="" if c < board.n - 1 else "\\n")
    print(f"{black}:{white}\\n")
""",
    """
from collections import Counter


def show(board):
    lines = [[board.at(r, c) for c in range(board.n)] for r in range(board.n)]
    counts = sum(map(Counter, lines), Counter())
    sys = __import__("sys")
    sys.stdout.write("\\n".join(map("".join, lines)))
    sys.stdout.write("\\n%d:%d\\n\\n" % (counts["N"], counts["B"]))
""",
)

MAIN = (
    """
board = Board(size)
half = size // 2
board.put(half - 1, half - 1, "B")
board.put(half, half, "B")
board.put(half - 1, half, "N")
board.put(half, half - 1, "N")
show(board)
for move in moves:
    play(board, *move)
    show(board)
""",
    """
def main():
    board = Board(size)
    middle = (size // 2 - 1, size // 2)
    for i in middle:
        for j in middle:
            board.put(i, j, "B" if i == j else "N")
    show(board)
    for colour, row, column in moves:
        play(board, colour, row, column)
        show(board)


if __name__ == "__main__":
    main()
""",
)

PARTS = (READING, BOARDS, FLIPS, PRINTING, MAIN)
