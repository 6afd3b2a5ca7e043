"""The exercises after the documents of Hermit, in English and in Dutch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from games.contract import Exercise, Play, Run, cell_name, text
from games.hermit.engine import COLOURS, PLACEMENTS, Hermit, Kluizenaar, Move
from games.hermit.position import parse_move

_SMALLEST_ON_THE_SITE = 2


class _Names(NamedTuple):
    """The names of one document: of the class, the board, and the methods. A document is silent
    about squares off the board, or says what the questions answer there."""

    kind: str
    board: str
    positions: str
    isvalid: str
    move: str
    possible_moves: str
    off_board: bool


_ENGLISH = _Names("Hermit", "board", "positions", "isvalid", "move", "possible_moves", False)
_DUTCH = _Names("Kluizenaar", "spelbord", "posities", "isgeldig", "zet", "mogelijke_zetten", True)


def _runs(names: _Names, rng: Random) -> Iterator[Run]:
    while True:
        yield _run(names, rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5)), rng)


def _run(names: _Names, n: int, rng: Random) -> Run:
    game = Hermit(n)
    lines, moves = [f"{names.board} = {names.kind}({n})"], []
    for _number in range(rng.randint(2, 8 + 2 * n)):
        move = colour, cell, placement = _move(game, rng)
        # Half of the lines are moves: the questions are asked of many different boards.
        chance = rng.random()
        if chance > 0.95:
            # A second board has blocks of its own.
            lines.append(f"print({names.kind}({n}).{names.move}{(colour, (0, 0), 'U')})")
        elif chance < 0.5:
            legal = move in game.possible_moves()
            lines.append(f"{names.board}.{names.move}{move}")
            if legal:
                game.move(*move)
                moves.append((len(lines), _on_the_site(move)))
        elif chance < 0.75:
            cell = (rng.randint(-1, n), rng.randint(-1, n)) if names.off_board else cell
            lines.append(f"{names.board}.{names.isvalid}{colour, cell}")
        elif chance >= 0.85:
            lines.append(f"{names.board}.{names.possible_moves}()")
        elif names.off_board or move in game.possible_moves():
            lines.append(f"{names.board}.{names.positions}{cell, placement}")
    options = {"size": n} if n >= _SMALLEST_ON_THE_SITE else {}
    return Run(lines=tuple(lines), options=options, moves=tuple(moves))


def _move(game: Hermit, rng: Random) -> Move:
    """Return a legal move, or one that begins on any square of the board."""
    legal: Sequence[Move] = sorted(game.possible_moves())
    if legal and rng.random() < 0.6:
        return rng.choice(legal)
    row, column = (rng.randrange(game.n) for _index in range(2))
    return rng.choice(COLOURS), (row, column), rng.choice(PLACEMENTS)


def _on_the_site(move: Move) -> str:
    colour, (row, column), placement = move
    return f"{colour} {cell_name(row, column)} {placement}"


def _lines(names: _Names, setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[str]:
    yield f"{names.board} = {names.kind}({setup['size']})"
    for move in moves:
        yield f"{names.board}.{names.move}{parse_move(move)}"
        yield f"{names.board}.{names.possible_moves}()"


def _play(names: _Names) -> Play:
    return Play(
        deal=lambda size, _rng: {"size": size},
        lines=lambda setup, moves: [*_lines(names, setup, moves)],
        asks=lambda _setup, _moves: f"choose({names.board})",
        arguments=parse_move,
        about=text(
            "the colour, the square and the placement, such as %(value)s",
            value="('R', (0, 0), 'H')",
        ),
        example="import random\n\n"
        f"def choose({names.board}):\n"
        f"    return random.choice(list({names.board}.{names.possible_moves}()))\n",
        sizes=(4, 2, 3, 5, 6),
    )


_ENGLISH_EXAMPLE = """\
>>> board = Hermit(4)
>>> print(board)
. . . .
. . . .
. . . .
. . . .
>>> board.positions((0, 0), 'H')
{(0, 0), (0, 1)}
>>> board.isvalid('R', (0, 0))
True
>>> board.isvalid('R', (0, 1))
True
>>> print(board.move('R', (0, 0), 'H'))
R R . .
. . . .
. . . .
. . . .
>>> print(board.move('R', (1, 2), 'V'))
Traceback (most recent call last):
AssertionError: invalid move
>>> print(board.move('B', (0, 2), 'U').move('Y', (1, 2), 'U'))
R R B .
. . Y .
. . . .
. . . .
>>> print(board.move('R', (3, 1), 'U').move('Y', (3, 2), 'H'))
R R B .
. . Y .
. . . .
. R Y Y
>>> print(board.move('R', (1, 3), 'V').move('B', (2, 0), 'H'))
R R B .
. . Y R
B B . R
. R Y Y
>>> board.possible_moves()
{('Y', (1, 0), 'U'), ('Y', (3, 0), 'U')}
>>> print(board.move('Y', (3, 0), 'U'))
R R B .
. . Y R
B B . R
Y R Y Y
>>> board.possible_moves()
{('Y', (1, 0), 'U')}
>>> print(board.move('Y', (1, 0), 'U'))
R R B .
Y . Y R
B B . R
Y R Y Y
>>> board.possible_moves()
set()
"""


def _in_dutch(example: str) -> str:
    for english, dutch in zip(_ENGLISH[:-1], _DUTCH[:-1], strict=True):
        example = example.replace(f"{english}(", f"{dutch}(").replace(f"{english}.", f"{dutch}.")
    return (
        example.replace(f"({_ENGLISH.board})", f"({_DUTCH.board})")
        .replace(f">>> {_ENGLISH.board} ", f">>> {_DUTCH.board} ")
        .replace("invalid move", "ongeldige zet")
    )


EXERCISES = (
    Exercise(
        slug="hermit",
        name="Hermit",
        language="en",
        example=_ENGLISH_EXAMPLE,
        runs=partial(_runs, _ENGLISH),
        seeds=(13, 15, 2, 21, 4),
        reference=Hermit,
        play=_play(_ENGLISH),
    ),
    Exercise(
        slug="kluizenaar",
        name="Kluizenaar",
        language="nl",
        example=_in_dutch(_ENGLISH_EXAMPLE),
        runs=partial(_runs, _DUTCH),
        seeds=(2, 13, 87, 15, 23, 39, 140, 67),
        reference=Kluizenaar,
        play=_play(_DUTCH),
    ),
)
