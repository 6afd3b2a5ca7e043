"""A game prints on one sheet, with its players, a position, its moves and its result."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.registry import all_rules
from games.models import Game
from games.services import lobby
from games.storage.cache import clear_all
from tests.exchange.test_take_away import TOKEN, started_game
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.hidden_setups import with_other_secrets
from tests.support.kinds import importable_rules, kinds_with_secrets
from tests.support.players import Person


def printed(person: Person, game: Game, **query: str) -> Any:
    return person.client.get(f"/g/{game.id}/print/", query)


@pytest.mark.parametrize("slug", sorted(all_rules()))
def test_a_sheet_has_the_players_the_moves_and_the_result(slug: str, owner: Person) -> None:
    game = started_game(owner, slug)
    post_resign(owner, game)
    game.refresh_from_db()
    page = printed(owner, game)
    assert page.status_code == 200
    assert len(page.context["moves"]) == game.ply
    assert "Olive" in page.text and "<svg" in page.text
    assert f"http://testserver/g/{game.id}/" in page.text
    if game.over:
        assert page.context["result"] == game.result


def test_a_sheet_shows_the_position_that_is_asked_for(owner: Person) -> None:
    game = started_game(owner, importable_rules().slug)
    first, last = printed(owner, game, ply="0"), printed(owner, game)
    assert first.context["picture"] != last.context["picture"]
    assert "The position after 0 moves" in first.text
    assert printed(owner, game, ply="99").context["ply"] == 3


def test_the_page_of_downloads_leads_to_the_sheet(owner: Person, opponent: Person) -> None:
    game = make_finished_game(owner, opponent)
    downloads = owner.client.get(f"/g/{game.id}/export/?ply=1").text
    assert f'href="/g/{game.id}/print/?ply=1"' in downloads


def test_a_game_in_its_lobby_is_not_printed(owner: Person) -> None:
    game = make_lobby(owner)
    assert printed(owner, game).url == game.get_absolute_url()


def test_strangers_print_no_closed_game(owner: Person, opponent: Person, stranger: Person) -> None:
    game = make_game(owner, opponent)
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    assert printed(stranger, game).status_code == 403
    assert printed(opponent, game).status_code == 200


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_no_byte_of_a_sheet_depends_on_what_is_secret(slug: str, owner: Person) -> None:
    game = make_game(owner, rules=all_rules()[slug])
    before = TOKEN.sub(b"", printed(owner, game).content)
    other = with_other_secrets(game.rules, game.setup)
    Game.objects.filter(pk=game.pk).update(setup=other)
    clear_all()
    assert TOKEN.sub(b"", printed(owner, game).content) == before
