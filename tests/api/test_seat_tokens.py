"""Tokens for one seat are made and withdrawn on a page of their game, to which its menu leads."""

from __future__ import annotations

from games.api.tokens import tokens_of
from games.models import ApiToken
from tests.api.test_api import Program
from tests.support.game_factory import make_finished_game, make_game


def test_the_menu_of_a_running_game_leads_players_to_its_tokens(owner, opponent, stranger):
    game = make_game(owner, opponent)
    address = f'href="{game.get_absolute_url()}tokens/"'
    assert address in owner.client.get(game.get_absolute_url()).text
    assert address not in stranger.client.get(game.get_absolute_url()).text
    over = make_finished_game(owner, opponent)
    assert f"{over.get_absolute_url()}tokens/" not in owner.client.get(over.get_absolute_url()).text


def test_a_token_for_a_seat_is_made_shown_once_and_withdrawn(owner, opponent):
    game = make_game(owner, opponent)
    address, seat = f"{game.get_absolute_url()}tokens/", game.specs[0].key
    page = owner.client.post(address, {"name": "Edax", "seat": seat})
    token = page.context["made"]
    assert page["Cache-Control"] == "no-store"
    assert Program(token).get(f"games/{game.id}").json()["your_seats"] == [seat]
    assert token not in owner.client.get(address).text
    for other in (address, "/me/tokens/"):
        assert "Edax" in owner.client.get(other).text
    owner.client.post(address, {"withdraw": tokens_of(owner.player)[0].pk})
    assert Program(token).get("games").status_code == 401


def test_only_the_tokens_of_the_game_are_on_its_page(owner, opponent):
    game, other = make_game(owner, opponent), make_game(owner, opponent)
    for listed in (game, other):
        form = {"name": f"for {listed.id}", "seat": listed.specs[0].key}
        owner.client.post(f"{listed.get_absolute_url()}tokens/", form)
    page = owner.client.get(f"{game.get_absolute_url()}tokens/").text
    assert f"for {game.id}" in page and f"for {other.id}" not in page


def test_nobody_makes_a_token_for_the_seat_of_another(owner, opponent):
    game = make_game(owner, opponent)
    form = {"name": "Edax", "seat": game.specs[0].key}
    assert opponent.client.post(f"{game.get_absolute_url()}tokens/", form).status_code == 403
    assert not ApiToken.objects.exists()


def test_the_player_of_all_seats_chooses_one_of_them(owner):
    game = make_game(owner)
    page = owner.client.get(f"{game.get_absolute_url()}tokens/").text
    assert all(f'<option value="{spec.key}">' in page for spec in game.specs)
