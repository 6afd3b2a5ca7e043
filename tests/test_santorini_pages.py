"""The pages of Santorini with three players, some of whom are out."""

from __future__ import annotations

import re

import pytest

from games.models import Game
from games.santorini.rules import RULES
from tests.cast import Person, a_game
from tests.test_santorini_out import SHUT_IN

pytestmark = pytest.mark.django_db


def sent_seat(page: str) -> str:
    """The seat that the buttons beside the board send."""
    found = re.search(r'name="seat" value="([^"]*)"', page[page.index('id="board"') :])
    assert found is not None
    return found[1]


def play(game: Game, moves: list[tuple[str, str]], **people: Person) -> None:
    for seat, move in moves:
        game.refresh_from_db()
        sent = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone}
        people[seat].client.post(f"/g/{game.id}/move/", sent)
    game.refresh_from_db()


def test_on_one_device_the_others_can_resign_when_the_seat_looked_through_is_out(owner):
    game = a_game(owner, rules=RULES, players="3")
    play(game, SHUT_IN, p1=owner, p2=owner, p3=owner)
    page = owner.client.get(f"/g/{game.id}/?seat=p1").text
    assert 'id="b-resign"' in page
    owner.client.post(f"/g/{game.id}/resign/", {"seat": sent_seat(page), "ply": game.ply})
    game.refresh_from_db()
    assert game.result.winners == {"p3"}


def test_who_is_out_cannot_resign(owner, opponent, stranger):
    game = a_game(owner, opponent, stranger, rules=RULES, players="3")
    play(game, SHUT_IN, p1=owner, p2=opponent, p3=stranger)
    assert 'id="b-resign"' not in owner.client.get(f"/g/{game.id}/").text
    assert 'id="b-resign"' in stranger.client.get(f"/g/{game.id}/").text
