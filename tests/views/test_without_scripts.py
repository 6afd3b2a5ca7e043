"""A browser without scripts is shown how to see what the others do."""

from __future__ import annotations

import re

import pytest

from games.models import Game
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db

AGAIN = ">Look again</a></noscript>"
REFRESH = '<noscript><meta http-equiv="refresh" content="3;url='


def page(who: Person, game: Game) -> str:
    return who.client.get(game.get_absolute_url()).text


def test_a_page_without_scripts_has_a_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert f'href="{game.get_absolute_url()}"{AGAIN}' in page(owner, game)


def test_an_htmx_response_has_no_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    assert "noscript" not in post_move(owner, game, htmx=True).text


def test_a_finished_game_has_no_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    seat = game.seats.filter(players=owner.player).first().key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    assert AGAIN not in page(owner, game)


def test_a_page_without_scripts_refreshes_while_a_computer_thinks(owner):
    game = make_game(owner)
    assert REFRESH not in page(owner, game)
    Game.objects.filter(pk=game.pk).update(computer_to_move=True)
    assert f'{REFRESH}{game.get_absolute_url()}">' in page(owner, game)


def test_a_refresh_keeps_the_requested_seat(owner):
    game = make_game(owner)
    seat = game.seats.last().key
    Game.objects.filter(pk=game.pk).update(computer_to_move=True)
    found = owner.client.get(game.get_absolute_url(), {"seat": seat}).text
    assert f'{REFRESH}{game.get_absolute_url()}?seat={seat}">' in found


def typed(who: Person, game: Game) -> str:
    """The page that answers a typed move which is none."""
    sent = {"seat": game.to_move[0], "move": "nonsense", "ply": game.ply, "typed": "1"}
    return who.client.post(f"/g/{game.id}/move/", sent).text


def test_the_reason_of_a_refused_typed_move_is_beside_its_field(owner):
    found = typed(owner, make_game(owner))
    board, form = found.split('id="typed"')
    assert 'class="refused"' not in board
    field, why = form.split('id="mistyped"')
    assert 'aria-invalid="true" autofocus' in field
    assert re.match(r' class="refused">[^<]*\w[^<]*</span>', why)


def test_a_refusal_without_a_typing_field_is_shown_on_the_board(owner, opponent):
    found = typed(opponent, make_game(owner))
    assert '<p class="refused">' in found
