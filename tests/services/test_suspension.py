"""Suspended players: they may watch, but not play."""

from __future__ import annotations

import pytest

from games.models import Game
from games.people.merging import merge_players
from games.services import players
from games.state.lists import turns_waiting
from tests.support.game_factory import (
    invitation_path,
    make_game,
    make_game_with_open_seat,
    make_lobby,
    open_seat,
)
from tests.support.game_requests import get_game_page, post_move, post_resign
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

SENTENCE = "You can watch, but not play."


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent)


def suspend(person: Person, *, suspended: bool = True) -> None:
    players.suspend(player=person.player, suspended=suspended)


def test_a_suspended_player_watches_and_reads_why(owner, game):
    suspend(owner)
    page = get_game_page(owner, game)
    assert SENTENCE in page
    assert "Olive" in page


@pytest.mark.parametrize("htmx", [True, False])
def test_a_suspended_player_cannot_move(owner, game, htmx):
    suspend(owner)
    response = post_move(owner, game, htmx=htmx)
    assert response.status_code == 403
    assert SENTENCE in response.text
    assert not game.moves.exists()


def test_a_suspended_player_cannot_resign(owner, game):
    suspend(owner)
    assert post_resign(owner, game).status_code == 403
    assert not game.over


def test_a_suspended_player_makes_no_game(owner):
    suspend(owner)
    response = owner.client.post(f"/new/{two_player_rules().slug}/", {"name": "Ann"})
    assert response.status_code == 403
    assert SENTENCE in response.text
    assert not Game.objects.exists()


def test_a_suspended_player_takes_no_seat(owner, opponent):
    game = make_game_with_open_seat(owner)
    suspend(opponent)
    response = opponent.client.post(invitation_path(open_seat(game)))
    assert response.status_code == 403
    assert SENTENCE in response.text
    assert not opponent.player.seats.exists()


@pytest.mark.parametrize("act", ["begin", "shuffle", "host", "leave"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_a_suspended_host_changes_nothing_in_the_lobby(owner, act, headers):
    game = make_lobby(owner)
    suspend(owner)
    before = Game.objects.values().get(), list(game.seats.values_list("players", "token_salt"))
    (mine,) = game.seats.filter(players=owner.player)
    response = owner.client.post(f"/g/{game.id}/{act}/", {"host": mine.key}, headers=headers)
    assert response.status_code == 403
    assert SENTENCE in response.text
    after = Game.objects.values().get(), list(game.seats.values_list("players", "token_salt"))
    assert after == before


def test_a_suspended_player_keeps_the_name(owner):
    suspend(owner)
    response = owner.client.post("/settings/", {"name": "Ann"})
    assert response.status_code == 403
    owner.player.refresh_from_db()
    assert owner.player.name == "Olive"


def test_the_front_page_informs_a_suspended_player(owner, game):
    assert SENTENCE not in owner.client.get("/").text
    suspend(owner)
    assert SENTENCE in owner.client.get("/").text


ANY_PAGE = ["/", "/me/", "/settings/", "/puzzles/", "/me/packs/", "/rules/{kind}/", "/g/{id}/0/"]


@pytest.mark.parametrize("page", ANY_PAGE)
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "suspended by the staff of this site"),
        ("nl", "De beheerders van deze site hebben je geschorst."),
    ],
)
def test_any_next_page_says_that_staff_suspended_the_player_and_why(
    owner, game, page, language, sentence
):
    players.suspend(player=owner.player, suspended=True, reason="Rude <words>.")
    address = page.format(kind=game.kind, id=game.pk)
    shown = owner.client.get(address, headers={"Accept-Language": language}).text
    assert sentence in shown
    assert ("Reden: " if language == "nl" else "Reason: ") + "Rude &lt;words&gt;." in shown


@pytest.mark.parametrize("htmx", [True, False])
def test_a_refused_move_says_why_the_player_was_suspended(owner, game, htmx):
    players.suspend(player=owner.player, suspended=True, reason="Rude words.")
    assert "Reason: Rude words." in post_move(owner, game, htmx=htmx).text


def test_the_reason_goes_with_the_suspension(owner, game):
    players.suspend(player=owner.player, suspended=True, reason="Rude words.")
    suspend(owner, suspended=False)
    suspend(owner)
    assert "Rude words." not in owner.client.get("/").text


def test_the_reason_stays_with_a_player_who_joins_another(owner, opponent):
    players.suspend(player=owner.player, suspended=True, reason="Rude words.")
    merge_players(source=owner.player, target=opponent.player)
    assert "Rude words." in opponent.client.get("/").text


def test_the_opponent_of_a_suspended_player_does_not_learn_of_it(owner, opponent, game):
    before = get_game_page(opponent, game)
    suspend(owner)
    assert SENTENCE not in get_game_page(opponent, game)
    assert "Olive" in before and "Olive" in get_game_page(opponent, game)


def test_a_player_whose_suspension_ends_plays_on(owner, game):
    suspend(owner)
    suspend(owner, suspended=False)
    assert post_move(owner, game).status_code == 302
    assert game.moves.count() == 1


def test_a_suspended_player_who_joins_another_stays_suspended(owner, opponent):
    suspend(owner)
    merge_players(source=owner.player, target=opponent.player)
    opponent.player.refresh_from_db()
    assert opponent.player.suspended


def test_opponents_of_a_suspended_player_go_on_at_once(owner, opponent, game):
    seat = next(iter(game.to_move))
    waiting, awaited = (opponent, owner)
    if not game.seats.get(key=seat).holders.filter(player=owner.player).exists():
        waiting, awaited = owner, opponent
    assert "Claim the win" not in get_game_page(waiting, game)
    suspend(awaited)
    page = get_game_page(waiting, game)
    assert "can’t play here for now" in page and "Claim the win" in page
    assert "Claim the win" not in get_game_page(awaited, game)


def test_the_header_counts_no_turns_of_a_suspended_player(owner, opponent, game):
    awaited = game.seats.get(key=next(iter(game.to_move))).players.get().pk
    assert turns_waiting(awaited).waiting == 1
    for person in (owner, opponent):
        suspend(person)
    assert turns_waiting(awaited).waiting == 0
