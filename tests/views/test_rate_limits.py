"""Limits per player and per address on new games, pictures, hints and analyses."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.core import rate_limits
from games.core.rate_limits import RateLimit
from games.core.registry import all_rules
from games.models import Evaluation, Game
from games.puzzles import catalogue
from games.services import plans, seats
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.kinds import kinds_with_analysis, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def test_too_many_games_are_refused_with_a_sentence(client, monkeypatch):
    monkeypatch.setattr(rate_limits.GAMES_PER_ADDRESS, "limit", 1)
    rules = two_player_rules()
    sent = {o.name: str(o.default) for o in rules.options if o.kind in {"number", "choice"}}
    responses = [client.post(f"/new/{rules.slug}/", sent) for _ in range(2)]
    assert [response.status_code for response in responses] == [302, 429]
    assert "Too many requests" in responses[1].text
    assert Game.objects.count() == 1


def request_rematch(person: Person) -> tuple[Game, int]:
    """Finish a new game, request its rematch, and return the game and the status."""
    game = make_finished_game(person)
    return game, person.client.post(f"/g/{game.id}/rematch/").status_code


@pytest.mark.parametrize("limit", ["GAMES_PER_PLAYER", "GAMES_PER_ADDRESS"])
def test_a_rematch_counts_as_a_new_game(owner, monkeypatch, limit):
    monkeypatch.setattr(getattr(rate_limits, limit), "limit", 1)
    assert [request_rematch(owner)[1] for _ in range(2)] == [302, 429]


def test_rematches_count_for_the_address_of_the_player_who_asks(owner, opponent, monkeypatch):
    monkeypatch.setattr(rate_limits.GAMES_PER_ADDRESS, "limit", 1)
    assert [request_rematch(person)[1] for person in (owner, opponent)] == [302, 429]


@pytest.mark.parametrize("limit", ["GAMES_PER_PLAYER", "GAMES_PER_ADDRESS"])
def test_following_to_an_existing_rematch_is_not_counted(owner, monkeypatch, limit):
    monkeypatch.setattr(getattr(rate_limits, limit), "limit", 1)
    game, _ = request_rematch(owner)
    assert owner.client.post(f"/g/{game.id}/rematch/").status_code == 302


@pytest.mark.parametrize(
    ("action", "limit"),
    [
        ("mark", "MARKS_PER_PLAYER"),
        ("say", "MESSAGES_PER_PLAYER"),
        ("offer_draw", "MESSAGES_PER_PLAYER"),
    ],
)
def test_what_others_at_the_board_see_is_limited_per_player(owner, monkeypatch, action, limit):
    monkeypatch.setattr(f"games.views.play.moves.{limit}", RateLimit(1, 60))
    address = reverse(action, args=[make_game(owner).id])
    statuses = [owner.client.post(address).status_code for _ in range(2)]
    assert [status == 429 for status in statuses] == [False, True]


@pytest.mark.parametrize("limit", [0, 1], ids=["player", "address"])
def test_seats_of_a_lobby_are_limited_as_those_of_links(owner, opponent, monkeypatch, limit):
    monkeypatch.setattr(rate_limits.SEATS[limit], "limit", 1)
    address = f"/invite/{seats.lobby_token(make_lobby(owner))}/"
    responses = [opponent.client.post(address, {"name": "Otto"}) for _ in range(2)]
    assert [response.status_code for response in responses] == [302, 429]
    assert "Too many requests" in responses[1].text


def test_too_many_pictures_are_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.responses.PICTURES_PER_ADDRESS", RateLimit(1, 60))
    address = reverse("picture", args=[make_game(owner).id, 0])
    responses = [owner.client.get(address) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
    assert "Too many requests" in responses[1].text
    assert responses[0]["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("path", ["/puzzles/sheet/", "{puzzle}picture.png"])
def test_too_many_pictures_of_puzzles_are_refused_and_not_cached(client, monkeypatch, path):
    for module in ("lists", "views"):
        monkeypatch.setattr(f"games.puzzles.{module}.PICTURES_PER_ADDRESS", RateLimit(0, 60))
    puzzle = reverse("puzzle", args=[catalogue.entries(catalogue.kinds_with_puzzles()[0])[0].id])
    response = client.get(path.format(puzzle=puzzle))
    assert response.status_code == 429
    assert "max-age" not in response["Cache-Control"]


@pytest.mark.parametrize("method", ["get", "head"])
def test_too_many_pages_of_an_address_are_refused_with_the_time_to_wait(
    owner, client, monkeypatch, method
):
    monkeypatch.setattr("games.views.middleware.PAGES_PER_ADDRESS", RateLimit(2, 600))
    responses = [getattr(client, method)("/") for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert 590 < int(responses[2]["Retry-After"]) <= 600
    assert client.get("/", REMOTE_ADDR="192.0.2.9").status_code == 200
    game = make_game(owner)
    assert post_resign(owner, game).status_code < 400


def test_a_page_says_in_how_many_minutes_it_can_be_loaded(client, monkeypatch):
    monkeypatch.setattr("games.views.middleware.PAGES_PER_ADDRESS", RateLimit(0, 600))
    assert "Try again in 10 minutes." in client.get("/").text
    headers = {"HX-Request": "true"}
    banner = client.get("/", headers=headers)
    assert (banner.status_code, banner["HX-Retarget"]) == (429, "#trouble")


def test_a_refused_form_says_in_how_many_minutes_it_can_be_sent(client, monkeypatch):
    monkeypatch.setattr(rate_limits.GAMES_PER_ADDRESS, "limit", 1)
    rules = two_player_rules()
    _, refused = [
        client.post(f"/new/{rules.slug}/start/", {"with": plans.opponents(rules)[-1]})
        for _ in range(2)
    ]
    assert refused.status_code == 429
    assert "Try again in 60 minutes." in refused.text
    assert 3590 < int(refused["Retry-After"]) <= 3600


def make_finished_analysable_game(owner: Person) -> Game:
    """Return a finished game of a kind that can be analysed."""
    game = make_game(owner, rules=all_rules()[kinds_with_analysis()[0]])
    post_resign(owner, game)
    return game


def test_analyses_per_address_are_limited(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.ANALYSES_PER_ADDRESS", RateLimit(1, 60))
    games = [make_finished_analysable_game(owner) for _ in range(2)]
    responses = [Client().post(f"/g/{game.id}/analysis/") for game in games]
    assert [response.status_code for response in responses] == [302, 429]
    assert "Too many requests" in responses[1].text
    assert not Evaluation.objects.filter(game=games[1]).exists()


def test_an_analysis_counts_for_the_player_who_asked(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    games = [make_finished_analysable_game(owner) for _ in range(2)]
    responses = [owner.client.post(f"/g/{game.id}/analysis/") for game in games]
    assert [response.status_code for response in responses] == [302, 429]


def test_too_many_hints_are_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    game = make_game(owner, rules=all_rules()[kinds_with_analysis()[0]])
    Game.objects.filter(pk=game.pk).update(hints=True)
    headers = {"HX-Request": "true"}
    responses = [owner.client.post(f"/g/{game.id}/hint/", headers=headers) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
    assert "Too many requests" in responses[1].text


def test_htmx_swaps_in_the_refusal_of_a_hint(owner):
    assert '"403|409|422|429","swap":true' in owner.client.get("/").text
