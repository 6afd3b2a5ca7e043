"""A variation is kept under an address, with a name and a sentence, so that it can be discussed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import variations
from games.core.registry import all_rules
from games.models import Game, KeptVariation
from games.people import personal_data
from games.people.forgetting import forget_player
from games.services import lobby
from tests.support.emails import create_account
from tests.support.game_factory import make_game
from tests.support.game_requests import post_resign
from tests.support.players import Person
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db

RULES = next(rules for rules in all_rules().values() if rules.analysis)


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    """Return a finished game that can be analysed."""
    game = make_game(owner, opponent, rules=RULES)
    post_resign(owner, game)
    return game


def tried(game: Game) -> str:
    """Return two moves that can be tried out at the start of a game."""
    position, moves = position_at(game, 0).copy(), list[str]()
    while len(moves) < 2:
        seat = min(position.to_move())
        moves.append(max(position.legal_moves(seat)))
        position.play(seat, moves[-1])
    return ",".join(moves)


def keep(person: Person, game: Game, **changes: str) -> Any:
    sent = {"ply": "0", "line": tried(game), "name": "The swallow", "sentence": "Why not this?"}
    return person.client.post(f"/g/{game.id}/variations/", {**sent, **changes})


def test_a_kept_variation_has_a_page_with_its_name_its_sentence_and_its_moves(
    game: Game, owner: Person, stranger: Person
) -> None:
    create_account(owner)
    address = keep(owner, game).url
    page = stranger.client.get(address)
    assert page.status_code == 200
    for shown in ("<h1>The swallow</h1>", "Why not this?", "Olive", "<svg"):
        assert shown in page.text
    assert [move.text for move in page.context["variation"].moves] == tried(game).split(",")
    assert '<meta property="og:title" content="The swallow">' in page.text
    analysis = stranger.client.get(page.context["address"])
    assert f'href="{address}"' in analysis.text


def test_the_analysis_leads_from_tried_moves_to_the_form(game: Game, stranger: Person) -> None:
    analysis = stranger.client.get(f"/g/{game.id}/analysis/", {"ply": "0", "line": tried(game)})
    address = f"/g/{game.id}/variations/?ply=0&amp;line={tried(game).replace(' ', '+')}"
    assert f'href="{address}"' in analysis.text
    form = stranger.client.get(address.replace("&amp;", "&"))
    assert f'name="line" value="{tried(game)}"' in form.text


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ({"name": " "}, 422, "A variation needs a move and a name."),
        ({"name": "x" * 61}, 422, "at most 60 characters"),
        ({"sentence": "x" * 301}, 422, "at most 300 characters"),
        ({"name": "a\u202eb"}, 422, "invisible characters"),
        ({"line": "nothing"}, 404, ""),
        ({"ply": "99"}, 404, ""),
    ],
)
def test_an_unfit_variation_is_refused_and_nothing_is_stored(
    changes: dict[str, str], status: int, sentence: str, game: Game, owner: Person
) -> None:
    page = keep(owner, game, **changes)
    assert page.status_code == status
    assert sentence in page.text
    assert not KeptVariation.objects.exists()


def test_only_so_many_variations_of_a_game_are_kept(
    game: Game, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variations, "MOST", 1)
    create_account(owner)
    assert keep(owner, game).status_code == 302
    assert keep(owner, game).status_code == 422
    assert KeptVariation.objects.count() == 1


def test_one_player_keeps_only_a_few_variations_of_a_game(
    game: Game, owner: Person, opponent: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variations, "MOST_OF_A_PLAYER", 1)
    assert [keep(person, game).status_code for person in (owner, owner, opponent)] == [
        302,
        422,
        302,
    ]


def is_listed(viewer: Person, game: Game) -> bool:
    return "The swallow" in viewer.client.get(f"/g/{game.id}/analysis/").text


def test_a_variation_of_a_guest_is_on_the_analysis_for_the_guest_alone(
    game: Game, owner: Person, opponent: Person, stranger: Person
) -> None:
    address = keep(stranger, game).url
    assert [is_listed(person, game) for person in (stranger, owner)] == [True, False]
    assert opponent.client.get(address).status_code == 200
    assert "for you alone" in stranger.client.get(address).text
    assert "for you alone" not in opponent.client.get(address).text
    create_account(stranger)
    assert is_listed(owner, game)
    assert "for you alone" not in stranger.client.get(address).text


@pytest.mark.parametrize(("days", "listed"), [(30, True), (-1, False)])
def test_a_variation_of_a_guest_stays_for_a_month_if_it_was_there_before(
    game: Game, owner: Person, stranger: Person, days: int, listed: bool
) -> None:
    address = keep(stranger, game).url
    KeptVariation.objects.update(listed_until=timezone.now() + timedelta(days=days))
    assert is_listed(owner, game) == listed
    page = stranger.client.get(address).text
    assert ("Kept without an account" in page, "for you alone" in page) == (listed, not listed)


def test_the_players_of_a_game_take_a_variation_off_its_analysis_and_nobody_else(
    game: Game, owner: Person, opponent: Person, stranger: Person
) -> None:
    create_account(stranger)
    address = keep(stranger, game).url
    assert "Take off" not in stranger.client.get(address).text
    assert stranger.client.post(f"{address}hide/").status_code == 403
    assert is_listed(owner, game)
    assert "Take off" in opponent.client.get(address).text
    assert opponent.client.post(f"{address}hide/").url == address
    assert not is_listed(owner, game) and not is_listed(stranger, game)
    assert "has taken it off the analysis" in stranger.client.get(address).text
    assert "Put back" in owner.client.get(address).text
    owner.client.post(f"{address}hide/", {"back": "1"})
    assert is_listed(opponent, game)


def test_hidden_variations_and_those_of_guests_leave_room_for_others(
    game: Game, owner: Person, stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variations, "MOST", 1)
    create_account(owner)
    keep(stranger, game)
    address = keep(owner, game).url
    assert keep(owner, game).status_code == 422
    owner.client.post(f"{address}hide/")
    assert keep(owner, game).status_code == 302


def test_the_player_who_has_kept_a_variation_deletes_it_and_nobody_else(
    game: Game, owner: Person, opponent: Person
) -> None:
    address = keep(owner, game).url
    assert "Delete" not in opponent.client.get(address).text
    assert opponent.client.post(f"{address}delete/").status_code == 404
    assert "Delete" in owner.client.get(address).text
    assert owner.client.post(f"{address}delete/").status_code == 302
    assert owner.client.get(address).status_code == 404


def test_a_kept_variation_is_as_private_as_its_game(
    game: Game, owner: Person, opponent: Person, stranger: Person
) -> None:
    address = keep(owner, game).url
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    assert stranger.client.get(address).status_code == 403
    assert opponent.client.get(address).status_code == 200


def test_of_a_running_game_between_people_no_variation_is_kept(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent, rules=RULES)
    assert keep(owner, game).status_code == 422
    assert not KeptVariation.objects.exists()


def test_a_variation_belongs_to_its_game(game: Game, owner: Person) -> None:
    key = keep(owner, game).url.split("/")[-2]
    other = make_game(owner, rules=RULES)
    post_resign(owner, other)
    assert owner.client.get(f"/g/{other.id}/variations/{key}/").status_code == 404


def test_a_kept_variation_is_in_the_data_of_its_player_and_goes_with_them(
    game: Game, owner: Person
) -> None:
    keep(owner, game)
    (variation,) = personal_data.player_data(owner.player)["variations"]
    assert (variation["name"], variation["sentence"]) == ("The swallow", "Why not this?")
    forget_player(player=owner.player)
    assert not KeptVariation.objects.exists()
