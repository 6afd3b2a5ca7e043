"""Games that begin with one click on the front page."""

from __future__ import annotations

from http.cookies import SimpleCookie

import pytest
from django.test import Client
from django.urls import reverse

from games.contract import Rules
from games.core.rate_limits import GAMES_PER_PLAYER
from games.core.registry import all_rules
from games.models import Game
from games.services import plans, seats
from games.web.preferences import LONGEST
from tests.support.kinds import (
    default_specs,
    kinds_with_analysis,
    kinds_with_computers,
    two_player_rules,
)

pytestmark = pytest.mark.django_db


def begin(client: Client, rules: Rules, opponent: str) -> Game:
    """Start a game with one click and return it."""
    response = client.post(f"/new/{rules.slug}/start/", {"with": opponent})
    assert response.status_code == 302, response.text
    game = Game.objects.latest("created")
    assert response["Location"] == game.get_absolute_url()
    return game


def options_sent(rules: Rules) -> dict[str, str]:
    """Return the fields of a game on this device with options other than the defaults."""
    sent = {
        option.name: str(option.high if option.kind == "number" else option.default)
        for option in rules.options
        if option.kind in ("number", "choice")
    }
    return sent | {f"seat-{spec.key}": "me" for spec in default_specs(rules)}


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.parametrize("opponent", plans.OPPONENTS)
def test_the_front_page_has_a_button_for_each_opponent(slug, opponent, client):
    card = client.get("/").text.split(f'action="/new/{slug}/start/"')[1].split("</form>")[0]
    offered = opponent in plans.opponents(all_rules()[slug])
    assert (f'name="with" value="{opponent}"' in " ".join(card.split())) == offered


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_a_game_against_the_computer_has_an_easy_one_at_all_other_seats(slug, client):
    game = begin(client, all_rules()[slug], plans.COMPUTER)
    levels = [seat.computer for seat in game.seats.all()]
    assert levels.count(None) == 1
    assert set(levels) == {None, plans.default_level(all_rules()[slug])}


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_with_a_friend_begins_in_its_lobby_with_all_other_seats_free(slug, client):
    game = begin(client, all_rules()[slug], plans.FRIEND)
    assert not game.begun
    assert game.seats.filter(holders=None).count() == game.seats.count() - 1
    address = reverse("invite", args=[seats.lobby_token(game)])
    assert address in client.get(game.get_absolute_url(), follow=True).text


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_on_this_device_has_its_visitor_at_all_seats(slug, client):
    game = begin(client, all_rules()[slug], plans.DEVICE)
    assert not game.seats.filter(holders=None).exists()


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_hints_are_allowed_in_a_quick_game_against_the_computer_alone(slug, client):
    assert begin(client, all_rules()[slug], plans.COMPUTER).hints
    assert not begin(client, all_rules()[slug], plans.FRIEND).hints


@pytest.mark.parametrize("slug", all_rules())
def test_a_quick_game_has_the_options_of_the_last_game_of_its_kind(slug, client):
    rules = all_rules()[slug]
    assert client.post(f"/new/{slug}/", options_sent(rules)).status_code == 302
    chosen = Game.objects.get().options
    game = begin(client, rules, plans.DEVICE)
    assert game.options == chosen
    form, sent = client.get(f"/new/{slug}/").context["form"], options_sent(rules)
    for option in rules.options:
        assert str(form[option.name].initial) == sent.get(option.name, str(option.default))


def test_a_quick_game_has_a_computer_as_strong_as_the_last_one(client):
    rules = two_player_rules()
    mine, other = (f"seat-{spec.key}" for spec in default_specs(rules))
    client.post(f"/new/{rules.slug}/", {mine: "me", other: f"computer-{[*rules.ladder][-1]}"})
    game = begin(client, rules, plans.COMPUTER)
    assert game.seats.exclude(computer=None).get().computer == [*rules.ladder][-1]


def test_the_level_is_remembered_after_a_game_without_computers(client):
    rules = two_player_rules()
    mine, other = (f"seat-{spec.key}" for spec in default_specs(rules))
    client.post(f"/new/{rules.slug}/", {mine: "me", other: "computer-1"})
    client.post(f"/new/{rules.slug}/", {mine: "me", other: "me"})
    game = begin(client, rules, plans.COMPUTER)
    assert game.seats.exclude(computer=None).get().computer == 1


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.parametrize(
    "cookie", ["%s/.size=9999&%s/level=0", "%s/level=99", "%s/level=²", "%s/", "=&&=/", "x" * 4000]
)
def test_an_unreadable_cookie_of_choices_is_ignored(slug, cookie, client):
    client.cookies = SimpleCookie({"choices": cookie.replace("%s", slug)})
    rules = all_rules()[slug]
    usual = begin(Client(), rules, plans.DEVICE).options
    assert begin(client, rules, plans.DEVICE).options == usual


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        (slug, option.name)
        for slug, rules in all_rules().items()
        for option in rules.options
        if option.kind == "text" and not option.secret
    ],
)
def test_a_text_is_not_remembered(slug, name, client):
    rules = all_rules()[slug]
    client.post(f"/new/{slug}/", options_sent(rules) | {name: ", ".join(map(str, range(99)))})
    assert name not in client.cookies["choices"].value
    usual = begin(Client(), rules, plans.DEVICE).options
    assert begin(client, rules, plans.DEVICE).options == usual


def test_the_cookie_of_choices_stays_short(client):
    rules = two_player_rules()
    old = "&".join(f"kind{number}/level=1" for number in range(200))[: LONGEST - 10]
    client.cookies = SimpleCookie({"choices": old})
    client.post(f"/new/{rules.slug}/", options_sent(rules))
    stored = client.cookies["choices"].value
    assert stored.startswith(f"{rules.slug}/")
    assert len(stored) <= LONGEST


@pytest.mark.parametrize("sent", [{}, {"with": "nobody"}])
def test_an_unknown_opponent_is_a_bad_request(sent, client):
    response = client.post(f"/new/{two_player_rules().slug}/start/", sent)
    assert response.status_code == 400
    assert not Game.objects.exists()


def test_too_many_quick_games_are_refused_on_the_page_of_a_new_game(owner, monkeypatch):
    monkeypatch.setattr(GAMES_PER_PLAYER, "limit", 1)
    rules = two_player_rules()
    begin(owner.client, rules, plans.DEVICE)
    refused = owner.client.post(f"/new/{rules.slug}/start/", {"with": plans.DEVICE})
    assert refused.status_code == 429
    assert "Too many requests" in refused.text
    assert Game.objects.count() == 1
