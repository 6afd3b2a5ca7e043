"""Requests that change a game, as its page posts them."""

from __future__ import annotations

from typing import Any

from games.models import Game
from tests.support.players import Person


def next_legal_move(game: Game) -> tuple[str, str]:
    """A seat that is to move in ``game`` and a legal move of it."""
    from games.replay import position_at

    game.refresh_from_db()
    position = position_at(game, game.ply)
    seat = min(position.to_move())
    return seat, next(iter(position.legal_moves(seat)))


def post_move(who: Person, game: Game, **changes: Any) -> Any:
    """Post a legal move to the game, or what ``changes`` make of it; htmx=True as htmx does."""
    htmx = changes.pop("htmx", False)
    seat, move = next_legal_move(game)
    data = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone, **changes}
    headers = {"HX-Request": "true"} if htmx else {}
    return who.client.post(f"/g/{game.id}/move/", data, headers=headers)


def post_undo(who: Person, game: Game) -> Any:
    """Post the wish to take back the last move of the game as it is."""
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    return who.client.post(f"/g/{game.id}/undo/", sent)


def post_undo_answer(who: Person, game: Game, agree: str, **changes: Any) -> Any:
    """Post an answer, yes or no, to the wish that stands, or to what ``changes`` make of it."""
    game.refresh_from_db()
    asker = game.undo_asked_by.partition(" ")[0]
    sent = {"agree": agree, "asker": asker, "ply": game.ply, "undone": game.undone, **changes}
    return who.client.post(f"/g/{game.id}/undo/answer/", sent)
