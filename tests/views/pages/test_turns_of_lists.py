"""Public lists take turns by address: nobody fills them alone."""

from __future__ import annotations

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from games.core.rate_limits import RateLimited
from games.core.registry import all_rules
from games.models import Bot, Game, Seat
from games.people.bots import make_bot, make_token
from games.services import rematch, seats, waiting
from games.state import lists
from games.storage.cache import clear_all
from tests.support.emails import create_account
from tests.support.game_requests import post_resign
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db

HERE, THERE = "203.0.113.5", "198.51.100.7"


def offer(host: Person, address: str = HERE, choice: str = "listed") -> Game:
    """Return a game with an open seat that a host has listed on the page of a new game."""
    rules = two_player_rules()
    first, second = seat_keys(rules)
    form = {f"seat-{first}": "me", f"seat-{second}": choice}
    response = host.client.post(f"/new/{rules.slug}/", form, REMOTE_ADDR=address)
    assert response.status_code == 302
    return Game.objects.get(pk=response["Location"].split("/")[2])


def offers(count: int, address: str = HERE) -> list[Game]:
    return [offer(new_person(f"Host {number}"), address) for number in range(count)]


def listed(viewer: Person, address: str, **headers: str) -> list[str]:
    page = viewer.client.get("/", REMOTE_ADDR=address, headers=headers).text
    return list(dict.fromkeys(re.findall(r'href="/g/(\w+)/(?:sit/)?', page)))


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_strangers_see_two_open_games_of_an_address_and_its_visitors_all(stranger, headers):
    games = [game.pk for game in offers(4)]
    assert listed(stranger, THERE, **headers) == games[:1:-1]
    assert listed(stranger, HERE, **headers) == games[::-1]


def test_programs_see_the_same_turns(stranger):
    games = [game.pk for game in offers(3)]
    headers = {"Authorization": f"Bearer {make_token(player=stranger.player, name='token')}"}
    for address, shown in ((THERE, games[:0:-1]), (HERE, games[::-1])):
        found = Client().get("/api/1/open-seats", headers=headers, REMOTE_ADDR=address)
        assert [entry["id"] for entry in found.json()] == shown


def test_the_first_of_each_address_comes_before_the_second_of_any(monkeypatch):
    monkeypatch.setattr(lists, "SHOWN", 3)
    rows = [("a2", "A", None), ("a1", "A", None), ("b2", "B", None), ("b1", "B", None)]
    assert lists.in_turn([*rows, ("c1", "C", None)], "") == ["a2", "b2", "c1"]


def test_hosts_without_a_known_address_have_two_open_games_each():
    one, two = (new_person(name).player.pk for name in ("One", "Two"))
    rows = [("a", None, one), ("b", None, one), ("c", None, one), ("d", None, two)]
    assert lists.in_turn(rows, "") == ["a", "b", "d"]


def test_open_games_of_other_days_count_as_well(stranger, monkeypatch):
    games = [game.pk for game in offers(2)]
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr("games.web.client_address.timezone", SimpleNamespace(now=lambda: tomorrow))
    games += [game.pk for game in offers(2)]
    assert len({*Game.objects.values_list("origin", flat=True)}) == 2
    assert listed(stranger, THERE) == games[:1:-1]


def test_what_is_stored_of_an_address_is_a_keyed_hash_that_goes_with_the_listing(
    settings, stranger
):
    game = offer(new_person("Host"))
    seat = game.seats.get(listed=True)
    assert re.fullmatch("[0-9a-f]{16}", seat.lister)
    assert game.seats.exclude(pk=seat.pk).get().lister is None
    first, settings.SECRET_KEY = seat.lister, "another"
    assert offer(new_person("Other")).seats.get(listed=True).lister != first
    seats.take_free_seat(game_id=game.pk, seat_key=seat.key, player=stranger.player)
    seat.refresh_from_db()
    assert (seat.listed, seat.lister) == (False, None)


def test_a_rematch_is_listed_for_the_address_of_its_game(owner, stranger):
    game = offer(owner, choice="listed")
    lister = game.seats.get(listed=True).lister
    post_resign(owner, game)
    again = rematch.rematch(game_id=game.pk, player=owner.player)
    assert [*again.seats.filter(listed=True).values_list("lister", flat=True)] == [lister]


def test_an_address_lists_only_so_many_games(monkeypatch, settings):
    monkeypatch.setattr(waiting, "LISTED_PER_ADDRESS", 2)
    settings.RATE_LIMITS = True
    offers(2)
    lister = Seat.objects.filter(listed=True).first().lister
    with pytest.raises(RateLimited):
        waiting.check_listings(lister)
    waiting.check_listings("another")
    host, rules = new_person("Host"), two_player_rules()
    first, second = seat_keys(rules)
    form = {f"seat-{first}": "me", f"seat-{second}": "listed"}
    page = host.client.post(f"/new/{rules.slug}/", form, REMOTE_ADDR=HERE)
    assert page.status_code == 429
    assert offer(host, THERE) and offer(host, choice="invite")


def test_lists_are_rendered_anew_for_another_address_only_if_it_offers_games(stranger):
    offers(3)
    clear_all()
    stamps = [lists.stamp(None, lister) for lister in ("one", "two")]
    assert stamps[0] == stamps[1]
    assert lists.stamp(None, Seat.objects.filter(listed=True).first().lister) != stamps[0]


def listed_names(address: str = THERE) -> list[str]:
    found = Client().get("/bots/", REMOTE_ADDR=address).context["bots"]
    return [str(entry.bot).removesuffix(" (bot)") for entry in found]


def test_strangers_see_two_bots_of_an_owner_and_of_an_address_and_its_visitors_all(
    owner, opponent, stranger
):
    for person, names in ((owner, "ABC"), (opponent, "D"), (stranger, "E")):
        create_account(person, person.player.name)
        for name in names:
            form = {"name": name, "kinds": list(all_rules())}
            address = "192.0.2.1" if person is stranger else HERE
            assert person.client.post("/me/bots/new/", form, REMOTE_ADDR=address).status_code == 200
    assert listed_names() == ["E", "B", "A"]
    assert listed_names(HERE) == ["E", "D", "C", "B", "A"]
    Bot.objects.update(lister=None)
    assert listed_names() == ["E", "D", "B", "A"]


@pytest.mark.parametrize(("days", "named"), [(None, False), (-1, False), (30, True)])
def test_the_bot_of_a_guest_is_on_the_list_only_if_it_was_before(owner, days, named):
    kinds = [two_player_rules().slug]
    bot = make_bot(owner=owner.player, name="Randy", about="", kinds=kinds)
    bot.listed_until = timezone.now() + timedelta(days=days) if days else None
    bot.save()
    assert listed_names() == ["Randy"] * named
    page = owner.client.get("/me/access/").text
    assert ("On the public list until" in page) == named
    assert ("Not on the public list" in page) == (not named)
    create_account(owner)
    assert listed_names() == ["Randy"]
    page = owner.client.get("/me/access/").text
    assert "public list" not in page
