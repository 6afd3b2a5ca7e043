"""What the pages of a position and of an analysis say: of the move, and of where one is."""

from __future__ import annotations

import re

import pytest

from games.contract import text
from games.models import Evaluation, Game
from games.registry import all_rules
from tests.cast import Person, a_game, next_move, post_move, two_seats

pytestmark = pytest.mark.django_db

ANALYSED = next(rules for rules in all_rules().values() if rules.analysis)


def give_up(who: Person, game: Game) -> None:
    seat = game.seats.filter(players=who.player).first()
    game.refresh_from_db()
    sent = {"seat": seat.key, "ply": game.ply} if seat else {}
    who.client.post(f"/g/{game.id}/resign/", sent)
    game.refresh_from_db()


@pytest.fixture
def mistaken(owner: Person) -> Game:
    """A finished game whose first move was a mistake, and is known to be one."""
    game = a_game(owner, rules=ANALYSED)
    seat, move = next_move(game)
    post_move(owner, game)
    give_up(owner, game)
    values = [
        {"move": name, "value": value, "shown": text(f"worth {value}").to_json(), "why": None}
        for name, value in (("another", 9), (move, 0))
    ]
    values_row = {"seat": seat, "mistake": 3, "moves": values, "regions": []}
    Evaluation.objects.create(game=game, ply=0, move_id=0, done=True, values=values_row)
    return game


def test_the_move_that_was_played_is_called_the_mistake_and_not_the_better_one(mistaken, owner):
    page = owner.client.get(f"/g/{mistaken.id}/analysis/", {"ply": 1}).text
    card = page.split('<div class="turn">')[1].split("</div>")[0]
    played, better = card.split("<p>Better: ")
    row = page.split("<tbody>\n<tr")[1].split("</tr>")[0].split("<td>")
    assert "mistake</span>" in played
    assert "mistake</span>" in row[0]
    assert "mistake" not in better.split("</p>")[0]
    assert "<b>another</b> worth 9" in row[-1]
    assert "mistake" not in row[-1]
