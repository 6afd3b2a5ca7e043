"""The exercise after the document of Santorini."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.contract import Exercise, IllegalMove, Run, cell_name
from games.santorini.engine import DIRECTIONS, LETTERS, SIZE, THIRD_LEVEL, Santorini


class _Walk:
    """A board with the lines that led to it, and the moves of the same game on the site."""

    def __init__(self, workers: int, rng: Random) -> None:
        self.rng = rng
        spaces = [divmod(space, SIZE) for space in rng.sample(range(SIZE * SIZE), workers)]
        self.board = Santorini(spaces)
        written = repr(spaces) if rng.random() < 0.7 else repr(tuple(spaces))
        self.lines = [f"board = Santorini({written})"]
        names = [cell_name(*space) for space in spaces]
        self.moves = [(1, f"{a} {b}") for a, b in zip(names[::2], names[1::2], strict=True)]
        self.players = workers // 2
        self.player = 0
        self.moved: tuple[str, str] | None = None
        self.in_turn = True

    def call(self, method: str, worker: str, direction: str) -> None:
        self.lines.append(f"board.{method}({worker!r}, {direction!r})")
        try:
            getattr(self.board, method)(worker, direction)
        except IllegalMove:
            return
        if self.in_turn:
            self._follow(method, worker, direction)

    def ask(self) -> None:
        worker = self.rng.choice(list(self.board.workers))
        question = self.rng.choice((f"level({worker!r})", "workers", "winning_worker()"))
        self.lines.append(f"board.{question}")

    def run(self) -> Run:
        return Run(
            lines=tuple(self.lines), options={"players": self.players}, moves=tuple(self.moves)
        )

    def _follow(self, method: str, worker: str, direction: str) -> None:
        """Add a turn to the moves of the site, until the calls no longer follow its order."""
        own = LETTERS[2 * self.player : 2 * self.player + 2]
        if method == "move_worker" and self.moved is None and worker in own:
            self.moved = worker, direction
            if self.board.level(worker) == THIRD_LEVEL:
                self.moves.append((len(self.lines), f"{worker} {direction}"))
                self.in_turn = False
        elif method == "build_tower" and self.moved and worker == self.moved[0]:
            self.moves.append((len(self.lines), f"{worker} {self.moved[1]} {direction}"))
            self.moved = None
            self.player = (self.player + 1) % self.players
        else:
            self.in_turn = False


def _runs(rng: Random) -> Iterator[Run]:
    while True:
        yield _game(rng, turns=rng.randint(2, 6))
        yield _wild(rng)
        yield _game(rng, turns=rng.randint(10, 16))
        yield _wild(rng)
        yield _climb(rng)


def _game(rng: Random, *, turns: int) -> Run:
    """Return a run in which players take turns as in a game, with refused calls and questions."""
    walk = _Walk(rng.choice((4, 4, 6, 8)), rng)
    for number in range(turns):
        player = number % walk.players
        worker = rng.choice(LETTERS[2 * player : 2 * player + 2])
        for method in ("move_worker", "build_tower"):
            if rng.random() < 0.3:
                walk.ask()
            accepted = _accepted(walk.board, method, worker)
            refused = [direction for direction in DIRECTIONS if direction not in accepted]
            if refused and rng.random() < 0.6:
                walk.call(method, worker, rng.choice(refused))
            if not accepted:
                return walk.run()
            most = max(accepted.values())
            best = [direction for direction, parts in accepted.items() if parts == most]
            walk.call(method, worker, rng.choice(best))
            if walk.board.winning_worker():
                return walk.run()
    return walk.run()


def _wild(rng: Random) -> Run:
    """Return a run with calls in any order. Two workers do most of them, so that towers rise."""
    walk = _Walk(rng.choice((4, 4, 6, 8)), rng)
    workers = rng.sample(list(walk.board.workers), 2)
    directions = rng.sample(list(DIRECTIONS), 3)
    for _number in range(rng.randint(6, 24)):
        chance = rng.random()
        if chance < 0.25:
            walk.ask()
        else:
            method = "build_tower" if chance < 0.7 else "move_worker"
            walk.call(method, rng.choice(workers), rng.choice(directions))
    return walk.run()


def _climb(rng: Random) -> Run:
    """Return a run in which one worker builds and climbs between two spaces up to a dome."""
    while True:
        walk = _Walk(4, rng)
        there, back = rng.choice((("E", "W"), ("N", "S"), ("NE", "SW"), ("NW", "SE")))
        plan = [(1, there), (2, back), (2, there), (rng.randint(1, 3), back)]
        for parts, direction in plan:
            for _part in range(parts):
                walk.call("build_tower", "A", direction)
            walk.call("move_worker", "A", direction)
        walk.ask()
        if walk.board.winning_worker():
            return walk.run()


def _accepted(board: Santorini, method: str, worker: str) -> dict[str, int]:
    """Return the directions that the board accepts, each with a number that is larger for a higher
    tower to build on."""
    accepted = {}
    for direction in DIRECTIONS:
        twin = board.copy()
        try:
            getattr(twin, method)(worker, direction)
        except IllegalMove:
            continue
        heights = [int(sign) for sign in str(twin) if sign.isdecimal()]
        accepted[direction] = sum(height**2 for height in heights)
    return accepted


_EXAMPLE = """\
>>> board = Santorini([(3, 0), (4, 1), (1, 1), (2, 2)])
>>> print(board)
00000
0C000
00D00
A0000
0B000
>>> board.workers
{'A': (3, 0), 'B': (4, 1), 'C': (1, 1), 'D': (2, 2)}
>>> board.winning_worker()
>>> board.level('B')
0
>>> print(board.move_worker('B', 'E'))
00000
0C000
00D00
A0000
00B00
>>> print(board.build_tower('B', 'W'))
00000
0C000
00D00
A0000
01B00
>>> board.level('B')
0
>>> board.level('C')
0
>>> print(board.move_worker('C', 'SW').build_tower('C', 'E'))
00000
00000
C1D00
A0000
01B00
>>> board.level('C')
0
>>> board.move_worker('A', 'W')
Traceback (most recent call last):
AssertionError: invalid move
"""

EXERCISES = (
    Exercise(
        slug="santorini",
        name="Santorini",
        language="en",
        example=_EXAMPLE,
        runs=_runs,
        reference=Santorini,
    ),
)
