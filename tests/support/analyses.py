"""Evaluations and analyses of games, computed here or stored with values of a test."""

from __future__ import annotations

from games.contract import text
from games.models import Evaluation, Game
from games.worker import run_one_job
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
        {"move": name, "value": value, "shown": text(f"{value}").to_json(), "why": None}
        for name, value in (("another", best), (move.text, 0))
    ]
    values = {"seat": move.seat, "mistake": 3, "moves": entries, "regions": []}
    before = game.moves.filter(ply=ply).first()
    move_id = before.id if before else 0
    Evaluation.objects.create(game=game, ply=ply, move_id=move_id, done=True, values=values)
