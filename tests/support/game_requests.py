"""Requests for the page of a game, and the posts of its forms."""

from __future__ import annotations

from typing import Any

from games.models import Game
from games.state.questions import UNDO, stored
from tests.support.players import Person
from tests.support.snapshots import position_at


def next_legal_move(game: Game) -> tuple[str, str]:
    """Return a seat that is to move, and one of its legal moves."""
    game.refresh_from_db()
    position = position_at(game, game.ply)
    seat = min(position.to_move())
    return seat, next(iter(position.legal_moves(seat)))


def get_game_page(person: Person, game: Game, **query: str) -> str:
    """Return the HTML of a game's page."""
    return person.client.get(game.get_absolute_url(), query).text


def post_move(person: Person, game: Game, **changes: Any) -> Any:
    """Post a legal move with ``changes`` to its form; ``htmx=True`` sends htmx's header too."""
    htmx = changes.pop("htmx", False)
    seat, move = next_legal_move(game)
    data = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone, **changes}
    headers = {"HX-Request": "true"} if htmx else {}
    return person.client.post(f"/g/{game.id}/move/", data, headers=headers)


def post_resign(person: Person, game: Game) -> Any:
    """Post a resignation of the person's seat: of several, the one to move or else the first."""
    game.refresh_from_db()
    held = [seat.key for seat in game.seats.filter(players=person.player)]
    seat = next((key for key in game.to_move if key in held), held[0] if held else "")
    sent = {"seat": seat, "ply": game.ply, "undone": game.undone}
    response = person.client.post(f"/g/{game.id}/resign/", sent)
    game.refresh_from_db()
    return response


def post_undo(person: Person, game: Game) -> Any:
    """Post an undo of the last move."""
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    return person.client.post(f"/g/{game.id}/undo/", sent)


def post_undo_answer(person: Person, game: Game, agree: str, **changes: Any) -> Any:
    """Post "yes" or "no" to the pending undo request, with ``changes`` to the form."""
    game.refresh_from_db()
    asker = (stored(game, UNDO) or {"asker": ""})["asker"]
    sent = {"agree": agree, "asker": asker, "ply": game.ply, "undone": game.undone, **changes}
    return person.client.post(f"/g/{game.id}/undo/answer/", sent)


def poll_lists(person: Person, tag: str = "") -> Any:
    """Poll the front page's lists, with the ETag of the lists it shows."""
    return person.client.get("/", headers={"HX-Request": "true", "If-None-Match": tag})
