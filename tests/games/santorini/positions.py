"""Positions of Santorini, and helpers of its tests."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.contract import MoveError, Position
from games.santorini.rules import RULES

CLIMB = [
    ("p1", "b3 d2"),
    ("p2", "c4 d4"),
    ("p1", "A W N"),
    ("p2", "D NW SW"),
    ("p1", "B W SW"),
    ("p2", "D E W"),
    ("p1", "A E S"),
    ("p2", "D S NW"),
    ("p1", "A E SW"),
    ("p2", "C SW NE"),
]
"""A stands on a second level on c3, beside a third level on b4; p1 is to move. One turn
before, only a dome on b4 could prevent the climb."""


def start(players: int = 2) -> Position:
    options = RULES.clean({"players": str(players)})
    return RULES.start(RULES.deal(options, Random(0)))


def played(moves: list[tuple[str, str]], players: int = 2) -> Position:
    position = start(players)
    for seat, move in moves:
        position.play(seat, move)
    return position


def cells(position: Position) -> dict[str, Any]:
    return {cell["name"]: cell for row in position.view(None)["rows"] for cell in row}


def workers(position: Position) -> dict[str, str]:
    return {cell["worker"]: name for name, cell in cells(position).items() if cell["worker"]}


def news(position: Position) -> list[str]:
    return [str(sentence) for sentence in position.view(None)["events"]]


def state(position: Position) -> Any:
    return str(position.view(None)), position.to_move(), position.result()


def refused(position: Position, seat: str, move: str) -> MoveError:
    before = state(position)
    with pytest.raises(MoveError) as caught:
        position.play(seat, move)
    assert state(position) == before
    return caught.value


def calm_move(position: Position, seat: str, rng: Random) -> str:
    """Return a random legal move, a winning climb only if there is no other move."""
    moves = list(position.legal_moves(seat))
    calm = [move for move in moves if len(move.split()) != 2 or move[0].islower()]
    return rng.choice(calm or moves)


def random_game(players: int, seed: int, length: int = 200) -> Position:
    """Return the position after a number of random moves, or at the end of the game."""
    rng = Random(seed)
    position = start(players)
    for _ in range(length):
        for seat in position.to_move():
            position.play(seat, calm_move(position, seat, rng))
    return position
