"""The page of one's own games, and the number of waiting games in the header."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game
from games.state import lists
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

BADGE = re.compile(r"<b>(\d+)</b><span class=\"hidden\">: your turn")


def addresses(html: str) -> list[str]:
    """Return the games that the main part of a page links to, in its order."""
    found: list[str] = re.findall(r'href="/g/(\w+)/"', html.partition("<main")[2])
    return found


def test_games_that_wait_longest_come_first_with_their_boards(owner: Person) -> None:
    games = [make_game(owner) for _ in range(3)]
    long_ago = timezone.now() - timedelta(days=2)
    Game.objects.filter(pk=games[1].pk).update(updated=long_ago)
    page = owner.client.get("/me/").text
    assert addresses(page) == [games[1].id, games[0].id, games[2].id]
    assert page.count("<svg") >= 3
    assert "waiting for 2\xa0days" in page


def test_games_of_others_turns_come_after_the_waiting_ones(owner: Person, opponent: Person) -> None:
    moved, waiting = make_game(owner, opponent), make_game(owner, opponent)
    post_move(owner, moved)
    assert addresses(owner.client.get("/me/").text) == [waiting.id, moved.id]


def test_a_lobby_does_not_wait_for_a_move(owner: Person) -> None:
    make_lobby(owner)
    assert not BADGE.search(owner.client.get("/me/").text)


@pytest.mark.parametrize("slug", list(all_rules()))
def test_the_pictures_are_those_that_spectators_see(slug: str, owner: Person) -> None:
    game = make_game(owner, rules=all_rules()[slug])
    drawn = owner.client.get("/me/").text
    assert game.id in drawn
    assert 'class="picture"' in drawn


def test_the_header_counts_the_games_with_my_turn(owner: Person, opponent: Person) -> None:
    games = [make_game(owner, opponent) for _ in range(3)]
    post_move(owner, games[0])
    for address in ("/", "/settings/", games[0].get_absolute_url()):
        found = BADGE.search(owner.client.get(address).text)
        assert found
        assert found[1] == "2"
    assert not BADGE.search(Client().get("/").text)


def test_the_header_of_a_board_counts_only_other_games(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    assert not BADGE.search(owner.client.get(game.get_absolute_url()).text)
    make_game(owner, opponent)
    found = BADGE.search(owner.client.get(game.get_absolute_url()).text)
    assert found
    assert found[1] == "1"


def header_address(html: str) -> str:
    """Return the address that a page polls for its header; '' if it does not."""
    found = re.search(r'data-turns="([^"]*)"', html)
    assert bool(found) == ("site/turns" in html)
    return found[1] if found else ""


def test_pages_follow_the_number_in_the_header(owner: Person, opponent: Person) -> None:
    game, other = make_game(owner, opponent), make_game(owner, opponent)
    address = header_address(owner.client.get(game.get_absolute_url()).text)
    response = owner.client.get(address)
    found = BADGE.search(response.text)
    assert found
    assert found[1] == "1"
    tag = {"HTTP_IF_NONE_MATCH": response["ETag"]}
    assert owner.client.get(address, **tag).status_code == 304
    post_move(owner, other)
    again = owner.client.get(address, **tag)
    assert again.status_code == 200
    assert not BADGE.search(again.text)


def test_pages_do_not_poll_where_no_number_can_change(owner: Person, opponent: Person) -> None:
    assert header_address(Client().get("/").text) == ""
    game = make_game(owner, opponent)
    assert header_address(owner.client.get(game.get_absolute_url()).text) == ""
    assert header_address(owner.client.get("/settings/").text) == "/me/turns/?shown="


def test_a_page_counts_its_games_once(owner: Person, opponent: Person) -> None:
    make_game(owner, opponent)
    with CaptureQueriesContext(connection) as queries:
        owner.client.get("/settings/")
    assert sum('"games_holder"."ended" IS NULL' in query["sql"] for query in queries) == 1


def test_visitors_without_a_player_cost_no_query(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get("/settings/")
    assert len(queries) == 0


def test_the_answer_to_a_move_counts_no_games(owner: Person) -> None:
    game = make_game(owner)
    with CaptureQueriesContext(connection) as queries:
        owner.client.post(f"/g/{game.id}/move/", {"seat": "nobody", "move": "x", "ply": "0"})
    assert not any('"games_holder"."ended" IS NULL' in query["sql"] for query in queries)


def test_finished_games_are_narrowed_by_their_kind(owner: Person) -> None:
    game = make_finished_game(owner)
    other = next(slug for slug in all_rules() if slug != game.kind)
    assert addresses(owner.client.get(f"/me/finished/?kind={game.kind}").text) == [game.id]
    assert addresses(owner.client.get(f"/me/finished/?kind={other}").text) == []


def test_finished_games_are_narrowed_by_their_result(owner: Person, opponent: Person) -> None:
    lost, won = make_finished_game(owner, opponent), make_game(owner, opponent)
    post_move(owner, won)
    post_resign(opponent, won)
    for result, game in (("won", won), ("lost", lost)):
        page = owner.client.get(f"/me/finished/?result={result}").text
        assert addresses(page) == [game.id]
    assert addresses(owner.client.get("/me/finished/?result=drawn").text) == []


def test_finished_games_are_narrowed_by_the_other_player(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    game, _ = make_finished_game(owner, opponent), make_finished_game(owner, stranger)
    assert addresses(owner.client.get("/me/finished/?name=otto").text) == [game.id]


def test_older_games_keep_the_filters(owner: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "SHOWN", 1)
    games = [make_finished_game(owner) for _ in range(2)]
    kind = two_player_rules().slug
    page = owner.client.get(f"/me/finished/?kind={kind}").text
    older = re.search(rf'href="(\?kind={kind}&amp;before=[^"]+)"', page)
    assert older
    page = owner.client.get("/me/finished/" + older[1].replace("&amp;", "&")).text
    assert addresses(page) == [games[0].id]
    assert "Older games" not in page


@pytest.mark.parametrize(
    "before", ["x", "~", "1764000000000000-5", "2026-13-45~1", "2026-01-01T00:00:00~1", "9999~1"]
)
def test_an_invalid_cursor_shows_the_first_page(owner: Person, before: str) -> None:
    game = make_finished_game(owner)
    page = owner.client.get("/me/finished/", {"before": before})
    assert page.status_code == 200
    assert addresses(page.text) == [game.id]


def test_games_of_others_are_not_listed(owner: Person, stranger: Person) -> None:
    make_game(owner)
    make_finished_game(owner)
    for address in ("/me/", "/me/finished/"):
        assert addresses(stranger.client.get(address).text) == []
