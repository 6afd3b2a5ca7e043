"""Hermit on the site's pages."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.hermit.rules import RULES
from games.presentation.move_list import display_move
from games.services.play import play_move
from games.services.setup import NewGame, create_game
from tests.support.players import new_person

pytestmark = pytest.mark.django_db


def test_a_square_shows_which_colours_fit_unless_all_do():
    host = new_person("Host")
    options = {"size": 4}
    seating = dict.fromkeys((spec.key for spec in RULES.seats(RULES.clean(options))), "me")
    game = create_game(
        player=host.player, new=NewGame(rules=RULES, options=options, seating=seating)
    )
    assert "pips" not in host.client.get(game.get_absolute_url()).text
    seat = RULES.seats(RULES.clean(options))[0].key
    play_move(game_id=game.id, seat=seat, text="R a1 U", ply=0, player=host.player)
    assert host.client.get(game.get_absolute_url()).text.count('class="pips"') == 3


@pytest.mark.parametrize(("move", "listed"), [("Y b3 U", "G b3 U"), ("B b3 U", "B b3 U")])
def test_yellow_is_listed_by_its_dutch_letter(move: str, listed: str) -> None:
    with translation.override("nl"):
        assert display_move(move, RULES) == listed
    with translation.override("en"):
        assert display_move(move, RULES) == move
