"""Game pages for browsers without scripts: reload link, refresh, refused moves."""

from __future__ import annotations

import re

import pytest

from games.models import Game
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move, post_resign
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RELOAD_LINK = ">Refresh</a></noscript>"
REFRESH = '<noscript><meta http-equiv="refresh" content="3;url='


def test_a_page_without_scripts_has_a_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert f'href="{game.get_absolute_url()}"{RELOAD_LINK}' in get_game_page(owner, game)


def test_an_htmx_response_has_no_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    assert "noscript" not in post_move(owner, game, htmx=True).text


def test_a_finished_game_has_no_reload_link(owner, opponent):
    game = make_game(owner, opponent)
    post_resign(owner, game)
    assert RELOAD_LINK not in get_game_page(owner, game)


def test_a_page_without_scripts_refreshes_while_a_computer_thinks(owner):
    game = make_game(owner)
    assert REFRESH not in get_game_page(owner, game)
    Game.objects.filter(pk=game.pk).update(computer_to_move=True)
    assert f'{REFRESH}{game.get_absolute_url()}">' in get_game_page(owner, game)


def test_a_refresh_keeps_the_requested_seat(owner):
    game = make_game(owner)
    seat = game.seats.last().key
    Game.objects.filter(pk=game.pk).update(computer_to_move=True)
    page = get_game_page(owner, game, seat=seat)
    assert f'{REFRESH}{game.get_absolute_url()}?seat={seat}">' in page


def type_nonsense(person: Person, game: Game) -> str:
    """Post a typed text that is no move, and return the page."""
    sent = {"seat": game.to_move[0], "move": "nonsense", "ply": game.ply, "typed": "1"}
    return person.client.post(f"/g/{game.id}/move/", sent).text


def test_the_reason_of_a_refused_typed_move_is_beside_its_field(owner):
    page = type_nonsense(owner, make_game(owner))
    board, form = page.split('id="typed"')
    assert 'class="refused"' not in board
    field, reason = form.split('id="mistyped"')
    assert 'aria-invalid="true" autofocus' in field
    assert re.match(r' class="refused">[^<]*\w[^<]*</span>', reason)


def test_a_refusal_without_a_typing_field_is_shown_on_the_board(owner, opponent):
    page = type_nonsense(opponent, make_game(owner))
    assert '<p class="refused">' in page
