"""The POST requests of a game page: a move, an undo, an answer to an undo request."""

from __future__ import annotations

from typing import Any

from games.models import Game
from tests.support.players import Person
from tests.support.snapshots import position_at


def next_legal_move(game: Game) -> tuple[str, str]:
    """Return a seat that is to move, and one of its legal moves."""
    game.refresh_from_db()
    position = position_at(game, game.ply)
    seat = min(position.to_move())
    return seat, next(iter(position.legal_moves(seat)))


def post_move(person: Person, game: Game, **changes: Any) -> Any:
    """Post a legal move with ``changes`` to its form; ``htmx=True`` sends htmx's header too."""
    htmx = changes.pop("htmx", False)
    seat, move = next_legal_move(game)
    data = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone, **changes}
    headers = {"HX-Request": "true"} if htmx else {}
    return person.client.post(f"/g/{game.id}/move/", data, headers=headers)


def post_undo(person: Person, game: Game) -> Any:
    """Post an undo of the last move."""
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    return person.client.post(f"/g/{game.id}/undo/", sent)


def post_undo_answer(person: Person, game: Game, agree: str, **changes: Any) -> Any:
    """Post "yes" or "no" to the pending undo request, with ``changes`` to the form."""
    game.refresh_from_db()
    asker = (game.undo_request or {"asker": ""})["asker"]
    sent = {"agree": agree, "asker": asker, "ply": game.ply, "undone": game.undone, **changes}
    return person.client.post(f"/g/{game.id}/undo/answer/", sent)
