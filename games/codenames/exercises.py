"""The exercise after the document of Codenames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from games.codenames.engine import ASSASSIN, BYSTANDER, GameBoard, other
from games.codenames.stages import STOP
from games.contract import Cell, Exercise, Play, Run, cell_name, parse_cell, text

_SIZES = ((2, 2), (1, 4), (4, 1), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 5))


def _runs(rng: Random) -> Iterator[Run]:
    while True:
        yield _run(*rng.choice(_SIZES), rng)


def _run(m: int, n: int, rng: Random) -> Run:
    """Return a run of calls that the document describes: it is silent about cards that were
    selected before or lie off the grid."""
    key = _key(m * n, rng)
    board = GameBoard(m, n, key)
    lines, moves = [f"codenames = GameBoard({m}, {n}, {key!r})"], []
    for _number in range(rng.randint(2, 8 + m * n)):
        chance = rng.random()
        covered = [divmod(i, n) for i, square in enumerate(board.squares()) if square is None]
        if chance > 0.95:
            # A second board has cards of its own.
            lines.append(f"print(GameBoard({m}, {n}, {key!r}).select(0, 0))")
        elif chance >= 0.5:
            lines.append(f"codenames.{_method(chance)}()")
        elif covered:
            row, column = rng.choice(covered)
            lines.append(f"codenames.select({row}, {column})")
            if not board.isover():
                board.select(row, column)
                moves.append((len(lines), cell_name(row, column)))
    return Run(lines=tuple(lines), setup=_setup(m, n, key), moves=tuple(moves))


def _setup(m: int, n: int, key: str) -> dict[str, Any]:
    """Return the setup in which the site draws the cards, which have no words in the document."""
    return {
        "rows": m,
        "columns": n,
        "pictures": False,
        "cards": ["?"] * (m * n),
        "key": key,
        "language": "en",
        "clues_required": False,
    }


def _method(chance: float) -> str:
    return "stop" if chance < 0.6 else "turn" if chance < 0.85 else "isover"


def _key(squares: int, rng: Random) -> str:
    """Return a key in which both teams have a spy."""
    begins = rng.choice("RB")
    most = squares // 2
    first = rng.randint(2, most) if most > 2 else 2
    rest = squares - 2 * first
    letters = begins * first + other(begins) * (first - 1) + BYSTANDER * rest + ASSASSIN
    return "".join(rng.sample(letters, squares))


def _lines(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[str]:
    yield f"codenames = GameBoard({setup['rows']}, {setup['columns']}, {setup['key']!r})"
    for move in moves:
        card = _arguments(move)
        yield f"codenames.select{card}" if card else "codenames.stop()"
        yield "codenames.isover()"
        yield "codenames.turn()"


def _arguments(move: str) -> Cell | None:
    return None if move == STOP else parse_cell(move)


_CHOOSE = """\
import random

def choose(codenames):
    rows = [line.split() for line in str(codenames).splitlines()]
    covered = [(r, c) for r, row in enumerate(rows) for c, card in enumerate(row) if card == '?']
    return random.choice(covered)
"""

_PLAY = Play(
    deal=lambda _size, rng: _setup(4, 5, _key(20, rng)),
    lines=lambda setup, moves: [*_lines(setup, moves)],
    asks=lambda _setup, _moves: "choose(codenames)",
    arguments=_arguments,
    about=text(
        "a row and a column, such as %(value)s, or %(none)s to stop", value="(2, 3)", none="None"
    ),
    example=_CHOOSE,
)


_EXAMPLE = """\
>>> codenames = GameBoard(4, 5, 'RRBBBRBRRBB-XR-B-RR-')
>>> print(codenames)
? ? ? ? ?
? ? ? ? ?
? ? ? ? ?
? ? ? ? ?
>>> codenames.turn()
'R'
>>> codenames.isover()
False
>>> print(codenames.select(2, 3))
? ? ? ? ?
? ? ? ? ?
? ? ? R ?
? ? ? ? ?
>>> codenames.turn()
'R'
>>> codenames.stop().turn()
'B'
>>> codenames.isover()
False
>>> print(codenames.select(2, 1))
? ? ? ? ?
? ? ? ? ?
? - ? R ?
? ? ? ? ?
>>> codenames.turn()
'R'
>>> print(codenames.select(3, 4))
? ? ? ? ?
? ? ? ? ?
? - ? R ?
? ? ? ? -
>>> codenames.turn()
'B'
>>> print(codenames.select(1, 1).select(3, 0).select(0, 2).stop())
? ? B ? ?
? B ? ? ?
? - ? R ?
B ? ? ? -
>>> codenames.turn()
'R'
>>> codenames.isover()
False
>>> print(codenames.select(2, 2))
? ? B ? ?
? B ? ? ?
? - X R ?
B ? ? ? -
>>> codenames.isover()
True
>>> codenames.turn()
Traceback (most recent call last):
AssertionError: game over
>>> codenames.stop()
Traceback (most recent call last):
AssertionError: game over
>>> codenames.select(1, 4)
Traceback (most recent call last):
AssertionError: game over
"""

EXERCISES = (
    Exercise(
        slug="codenames",
        name="GameBoard",
        language="en",
        example=_EXAMPLE,
        runs=_runs,
        seeds=(2, 21, 14, 3),
        reference=GameBoard,
        play=_PLAY,
    ),
)
