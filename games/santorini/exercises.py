"""The exercise after the document of Santorini."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from games.contract import (
    Cell,
    Exercise,
    IllegalMove,
    Play,
    Run,
    cell_name,
    parse_cell,
    split_move,
    text,
)
from games.santorini.engine import DIRECTIONS, LETTERS, SIZE, THIRD_LEVEL, Santorini


class _Walk:
    """A board with the lines that led to it, and the moves of the same game on the site.

    The document says nothing about calls out of turn, refused builds and moves after a win."""

    def __init__(self, workers: int, rng: Random) -> None:
        self.rng = rng
        spaces = [divmod(space, SIZE) for space in rng.sample(range(SIZE * SIZE), workers)]
        self.board = Santorini(spaces)
        written = repr(spaces) if rng.random() < 0.7 else repr(tuple(spaces))
        self.lines = [f"board = Santorini({written})"]
        names = [cell_name(*space) for space in spaces]
        self.moves = [(1, f"{a} {b}") for a, b in zip(names[::2], names[1::2], strict=True)]
        self.players = workers // 2

    def call(self, method: str, worker: str, direction: str) -> None:
        self.lines.append(f"board.{method}({worker!r}, {direction!r})")
        with suppress(IllegalMove):
            getattr(self.board, method)(worker, direction)

    def ask(self) -> None:
        worker = self.rng.choice(list(self.board.workers))
        question = self.rng.choice((f"level({worker!r})", "workers", "winning_worker()"))
        # A second board has towers and workers of its own.
        other = f"print({self.lines[0].removeprefix('board = ')})"
        self.lines.append(other if self.rng.random() < 0.1 else f"board.{question}")

    def turn(self, workers: str, *, climbs: bool) -> bool:
        """Play a turn, perhaps after a refused move. Return whether the game goes on."""
        choices = [(worker, move) for worker in workers for move, _to in self.board.moves(worker)]
        refused = [
            (worker, move)
            for worker in workers
            for move in DIRECTIONS
            if (worker, move) not in choices
        ]
        if refused and self.rng.random() < 0.5:
            self.call("move_worker", *self.rng.choice(refused))
        if not choices:
            return False
        self.rng.shuffle(choices)
        worker, move = max(choices, key=self._level_after) if climbs else choices[0]
        builds = list(self.board.builds_after(worker, move))
        self.call("move_worker", worker, move)
        level = self.board.level(worker)
        if level == THIRD_LEVEL:
            self.moves.append((len(self.lines), f"{worker} {move}"))
            return False
        self._perhaps_ask()
        self.rng.shuffle(builds)
        # A tower that can be climbed next is the best one.
        build, _cell = (
            max(builds, key=lambda it: self._parts(it[1], level)) if climbs else builds[0]
        )
        self.call("build_tower", worker, build)
        self.moves.append((len(self.lines), f"{worker} {move} {build}"))
        self._perhaps_ask()
        return True

    def _perhaps_ask(self) -> None:
        if self.rng.random() < 0.4:
            self.ask()

    def _level_after(self, choice: tuple[str, str]) -> int:
        worker, move = choice
        return self.board.copy().move_worker(worker, move).level(worker)

    def _parts(self, cell: Cell, level: int) -> int:
        parts = self.board.height(cell) + 1
        return parts if parts <= level + 1 else -1

    def run(self) -> Run:
        return Run(
            lines=tuple(self.lines), options={"players": self.players}, moves=tuple(self.moves)
        )


def _runs(rng: Random) -> Iterator[Run]:
    while True:
        yield _game(rng, turns=rng.choice((1, 1, 2, 3, 30, 30)))


def _game(rng: Random, *, turns: int) -> Run:
    """Return a run of turns as in a game, with refused moves and questions. In most runs the
    workers climb."""
    walk = _Walk(rng.choice((4, 4, 4, 6, 8)), rng)
    climbs = rng.random() < 0.8
    for number in range(turns):
        player = number % walk.players
        if not walk.turn(LETTERS[2 * player : 2 * player + 2], climbs=climbs):
            break
    for _number in range(rng.randint(1, 3)):
        walk.ask()
    return walk.run()


def _lines(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[str]:
    """Yield the lines once all workers stand: a turn is two calls, or one that wins."""
    players = setup["players"]
    if len(moves) < players:
        return
    spaces = [parse_cell(space) for move in moves[:players] for space in split_move(move)]
    yield f"board = Santorini({spaces})"
    for worker, direction, *building in map(split_move, moves[players:]):
        yield f"board.move_worker({worker!r}, {direction!r})"
        yield "board.winning_worker()"
        for side in building:
            yield f"board.build_tower({worker!r}, {side!r})"


def _asks(setup: Mapping[str, Any], moves: Sequence[str]) -> str:
    players = setup["players"]
    player = len(moves) % players
    own = LETTERS[2 * player : 2 * player + 2]
    return "" if len(moves) < players else f"choose(board, {own!r})"


_CHOOSE = """\
import copy
import random

def choose(board, workers):
    while True:
        worker = random.choice(workers)
        move, build = random.choices(['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'], k=2)
        trial = copy.deepcopy(board)
        try:
            trial.move_worker(worker, move)
            if trial.winning_worker():
                return worker, move
            trial.build_tower(worker, build)
            return worker, move, build
        except AssertionError:
            pass
"""

_PLAY = Play(
    deal=lambda _size, _rng: {"players": 2},
    lines=lambda setup, moves: [*_lines(setup, moves)],
    asks=_asks,
    arguments=split_move,
    about=text(
        "a worker and the directions in which it moves and builds, such as %(value)s. Without "
        "the last one it only climbs and wins. The letters of your two workers are passed as well",
        value="('A', 'N', 'SW')",
    ),
    example=_CHOOSE,
)


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
        seeds=(15, 21, 1, 8, 14, 258, 54, 18, 731, 875, 282, 1194),
        reference=Santorini,
        play=_PLAY,
    ),
)
