"""Evaluations and analyses of games, computed here or stored with values of a test."""

from __future__ import annotations

from typing import Any

from games.contract import Text, text
from games.models import Evaluation, Game, PositionValues
from games.services import computers
from games.state.evaluations import read_block
from games.worker.jobs import run_one_job
from tests.support.game_requests import post_resign
from tests.support.players import Person


def run_all_jobs() -> None:
    """Do the work of the computer players, as a worker process does."""
    while run_one_job():
        pass


def analyse(owner: Person, game: Game) -> None:
    """Resign a game, request its analysis and compute it."""
    post_resign(owner, game)
    owner.client.post(f"/g/{game.id}/analysis/")
    run_all_jobs()


def store_values(game: Game, ply: int, *, best: float) -> None:
    """Store an evaluation after ``ply`` moves: 0 for the move played, ``best`` for another one."""
    move = game.moves.get(ply=ply + 1)
    entries = [
        value_of(name, value, text(f"{value}"))
        for name, value in (("another", best), (move.text, 0))
    ]
    values = {"seat": move.seat, "mistake": 3, "moves": entries, "regions": []}
    before = game.moves.filter(ply=ply).first()
    move_id = before.id if before else 0
    store_row(game, values, ply=ply, move_id=move_id)


def value_of(move: str, value: float, shown: Text) -> dict[str, Any]:
    """Return the value of a move as a worker hands it over."""
    words = shown.to_json()
    rest = {"exact": True, "known": True, "detail": words, "why": None}
    return {"move": move, "value": value, "shown": words, **rest}


def store_row(game: Game, values: dict[str, Any], *, ply: int = 0, move_id: int = 0) -> None:
    """Store values as those of the position after ``ply`` moves."""
    row = Evaluation.objects.create(game=game, ply=ply, move_id=move_id)
    computers.store_evaluation(evaluation=row, values=values)


def stored_values() -> dict[str, Any]:
    """Return the values of the only evaluated position."""
    [found] = read_block(PositionValues.objects.get().pk).values()
    return {**found}
