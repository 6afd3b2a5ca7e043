"""The exercise after the document of Othello: a program that prints the boards of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from games.contract import Exercise, Play, Run, cell_name, parse_cell
from games.othello.engine import Othello
from games.othello.judge import boards

_SIZES = (4, 4, 4, 4, 6, 6, 8, 10, 12)


def _runs(rng: Random) -> Iterator[Run]:
    while True:
        yield _run(rng.choice(_SIZES), rng)


def _run(n: int, rng: Random) -> Run:
    """Return a game of random moves, a third of the games unfinished."""
    game = Othello(n)
    lines = [str(n)]
    moves: list[tuple[int, str]] = []
    longest = n * n if rng.random() < 2 / 3 else rng.randint(0, n * n - 5)
    while len(moves) < longest and (colour := game.turn()):
        row, column = rng.choice(sorted(game.possible_moves(colour)))
        game.move(colour, (row, column))
        lines.append(f"{colour} {row + 1} {column + 1}")
        moves.append((len(lines), cell_name(row, column)))
    return Run(lines=tuple(lines), options={"size": n}, moves=tuple(moves))


def _answer(written: str) -> str:
    return "".join(boards(written.encode("ascii").splitlines()))


def _lines(setup: Mapping[str, Any], moves: Sequence[str]) -> list[str]:
    game, lines = Othello(setup["size"]), [str(setup["size"])]
    for row, column in map(parse_cell, moves):
        if colour := game.turn():
            lines.append(f"{colour} {row + 1} {column + 1}")
            game.move(colour, (row, column))
    return lines


_EXAMPLE = "6\nN 2 3\nB 4 2\nN 5 4\nB 2 4\nN 3 2\n"

EXERCISES = (
    Exercise(
        slug="othello",
        name="",
        language="en",
        example=_EXAMPLE,
        runs=_runs,
        seeds=(284, 855, 102, 407, 1084, 74),
        answer=_answer,
        play=Play(deal=lambda size, _rng: {"size": size}, lines=_lines, sizes=(6, 4, 8)),
    ),
)
