"""Listed seats: where they are offered, and claims of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db.models.signals import post_save
from django.utils import timezone

from games.core.refusals import GameEnded, SeatTaken
from games.core.registry import all_rules
from games.models import Game, Player, Seat
from games.services import play, seats
from tests.support.game_factory import make_game, make_game_with_open_seat, make_lobby, open_seat
from tests.support.kinds import (
    default_specs,
    kinds_with_shared_seats,
    seat_keys,
    three_player_options,
    two_player_rules,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def test_a_listed_seat_is_offered_and_taken_once(owner, stranger, client):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    assert game.get_absolute_url() in client.get("/").text
    address = f"/g/{game.id}/sit/"
    assert stranger.client.post(address, {"seat": second}).status_code == 302
    assert client.post(address, {"seat": second}).status_code == 409
    assert [str(player) for player in Player.objects.filter(seats__key=second)] == ["Stan"]


@pytest.fixture
def listed_seat(owner: Person) -> Seat:
    """Return the listed seat of a game of the owner."""
    return make_listed_seat(owner)


def make_listed_seat(host: Person) -> Seat:
    """Return the listed seat of a new game of two."""
    rules = two_player_rules()
    first, second = seat_keys(rules)
    return open_seat(make_game(host, rules=rules, seating={first: "me", second: "listed"}))


def address_of(seat: Seat) -> str:
    return f"/g/{seat.game_id}/sit/?seat={seat.key}"


def test_the_front_page_links_to_a_listed_seat(listed_seat, client):
    assert f'href="{address_of(listed_seat)}"' in client.get("/").text


def test_the_front_page_names_the_open_seats_of_a_game(owner, client):
    rules = next(rules for rules in all_rules().values() if len(default_specs(rules)) > 2)
    first, *others = default_specs(rules)
    seating = {first.key: "me"} | {spec.key: "listed" for spec in others}
    game = make_game(owner, rules=rules, seating=seating)
    entry = client.get("/").text.split('id="open"')[1].split("</ul>")[0]
    assert f'href="{game.get_absolute_url()}"' in entry
    assert ", ".join(str(spec.name) for spec in others) in entry
    assert str(first.name) not in entry


def test_the_page_of_a_game_links_to_its_listed_seat(listed_seat, client):
    page = client.get(f"/g/{listed_seat.game_id}/").text
    assert f'href="{address_of(listed_seat)}"' in page
    assert "Take this seat" in page


def test_a_seat_holder_is_offered_no_other_seat(listed_seat, owner):
    assert "Take this seat" not in owner.client.get(f"/g/{listed_seat.game_id}/").text


def test_a_past_position_offers_no_seat(listed_seat, client):
    assert "Take this seat" not in client.get(f"/g/{listed_seat.game_id}/0/").text


def test_a_seat_for_an_invitation_is_not_offered_to_visitors(game, client):
    assert "Take this seat" not in client.get(game.get_absolute_url()).text


def test_a_get_of_a_listed_seat_does_not_claim_it(listed_seat, client):
    page = client.get(address_of(listed_seat)).text
    assert "Join a game of" in page
    assert 'name="name"' in page
    assert open_seat(listed_seat.game) == listed_seat


def test_claiming_a_listed_seat_sets_the_name_and_leads_to_the_game(listed_seat, client):
    response = client.post(address_of(listed_seat), {"name": "Nora"})
    assert response["Location"] == listed_seat.game.get_absolute_url()
    assert [str(player) for player in listed_seat.players.all()] == ["Nora"]


def test_a_repeated_claim_of_a_listed_seat_leads_to_the_game(listed_seat, stranger):
    addresses = [stranger.client.post(address_of(listed_seat))["Location"] for _ in range(2)]
    assert addresses == [listed_seat.game.get_absolute_url()] * 2
    assert listed_seat.holders.count() == 1


def test_the_holder_of_a_listed_seat_is_led_to_the_game(listed_seat, stranger):
    stranger.client.post(address_of(listed_seat))
    response = stranger.client.get(address_of(listed_seat))
    assert response.get("Location") == listed_seat.game.get_absolute_url()


def test_a_listed_seat_claimed_during_the_wait_for_the_lock_stays_its_holders(
    listed_seat, stranger
):
    for _ in range(2):
        taken = seats.take_free_seat(
            game_id=listed_seat.game.id, seat_key=listed_seat.key, player=stranger.player
        )
        assert [holder.player for holder in taken.holders.all()] == [stranger.player]


def test_a_seat_of_a_finished_game_cannot_be_claimed(listed_seat, owner, client):
    game = listed_seat.game
    seat = game.seats.exclude(pk=listed_seat.pk).get()
    play.resign(game_id=game.id, seat=seat.key, player=owner.player, ply=0)
    for response in (client.get(address_of(listed_seat)), client.post(address_of(listed_seat))):
        assert response.status_code == 409
        assert "The game is over." in response.text
    with pytest.raises(GameEnded):
        seats.take_free_seat(game_id=game.id, seat_key=listed_seat.key, player=owner.player)
    assert not listed_seat.holders.exists()


def test_a_finished_game_offers_no_seat(listed_seat, owner, client):
    seat = listed_seat.game.seats.exclude(pk=listed_seat.pk).get()
    play.resign(game_id=listed_seat.game_id, seat=seat.key, player=owner.player, ply=0)
    assert "Take this seat" not in client.get(f"/g/{listed_seat.game_id}/").text


def test_a_bad_name_is_refused_at_its_field(listed_seat, client):
    response = client.post(address_of(listed_seat), {"name": "x" * 31})
    assert response.status_code == 422
    assert "at most 30 characters" in response.text
    assert "Join a game of" in response.text


def test_a_seat_taken_by_another_player_shows_the_game_with_a_notice(listed_seat, client, stranger):
    stranger.client.post(address_of(listed_seat))
    response = client.get(address_of(listed_seat))
    assert response.status_code == 409
    assert "That seat is already taken." in response.text


def test_a_game_without_a_move_for_two_weeks_is_no_longer_listed(listed_seat, client):
    Game.objects.update(updated=timezone.now() - timedelta(days=15))
    assert listed_seat.game_id not in client.get("/").text


def test_the_front_page_lists_the_two_newest_seats_of_a_host(owner, opponent, client):
    other = make_listed_seat(opponent)
    games = [make_listed_seat(owner).game_id for _ in range(30)]
    page = client.get("/").text
    assert [game_id for game_id in games if game_id in page] == games[-2:]
    assert other.game_id in page


def test_a_seat_for_an_invitation_cannot_be_claimed_without_it(game, stranger):
    response = stranger.client.post(f"/g/{game.id}/sit/", {"seat": open_seat(game).key})
    assert response.status_code == 409


@pytest.fixture
def when_named() -> Iterator[Callable[[Callable[[], object]], None]]:
    """Yield a function that registers an action for the moment when a player is named Nora.

    By then the view has checked the seat, but has not claimed it.
    """
    receivers = []

    def connect(act: Callable[[], object]) -> None:
        def receive(instance: Player, **_: object) -> None:
            if instance.name == "Nora":
                act()

        receivers.append(receive)
        post_save.connect(receive, sender=Player)

    yield connect
    for receiver in receivers:
        post_save.disconnect(receiver, sender=Player)


@pytest.fixture
def seat_taken_meanwhile(listed_seat: Seat, opponent: Person, when_named) -> Seat:
    """Return a seat that the opponent claims while Nora's claim is handled."""

    def take() -> None:
        seats.take_free_seat(
            game_id=listed_seat.game.id, seat_key=listed_seat.key, player=opponent.player
        )

    when_named(take)
    return listed_seat


def test_a_failed_claim_creates_no_player(seat_taken_meanwhile, client):
    assert client.post(address_of(seat_taken_meanwhile), {"name": "Nora"}).status_code == 409
    assert not Player.objects.filter(name="Nora").exists()
    assert "player" not in client.cookies


def test_a_failed_claim_renames_no_player(seat_taken_meanwhile, stranger):
    assert (
        stranger.client.post(address_of(seat_taken_meanwhile), {"name": "Nora"}).status_code == 409
    )
    stranger.player.refresh_from_db()
    assert stranger.player.name == "Stan"


def test_a_seat_of_a_game_deleted_during_the_claim_is_not_found(listed_seat, client, when_named):
    when_named(listed_seat.game.delete)
    assert client.post(address_of(listed_seat), {"name": "Nora"}).status_code == 404


@pytest.fixture
def listed_shared_seat(owner: Person) -> Seat:
    """Return a shared seat that is listed."""
    rules = all_rules()[kinds_with_shared_seats()[0]]
    specs = default_specs(rules)
    key = next(spec.key for spec in specs if spec.shared)
    seating = {spec.key: "listed" if spec.key == key else "invite" for spec in specs}
    return make_game(owner, rules=rules, seating=seating).seats.get(key=key)


def test_a_shared_seat_is_listed_until_its_first_holder(listed_shared_seat, stranger, opponent):
    assert stranger.client.post(address_of(listed_shared_seat)).status_code == 302
    for response in (
        opponent.client.get(address_of(listed_shared_seat)),
        opponent.client.post(address_of(listed_shared_seat)),
    ):
        assert response.status_code == 409
        assert "That seat is already taken." in response.text
    with pytest.raises(SeatTaken):
        seats.take_free_seat(
            game_id=listed_shared_seat.game.id,
            seat_key=listed_shared_seat.key,
            player=opponent.player,
        )
    assert [str(player) for player in listed_shared_seat.players.all()] == ["Stan"]


def test_the_first_holder_of_a_listed_shared_seat_invites_others(
    listed_shared_seat, stranger, opponent
):
    stranger.client.post(address_of(listed_shared_seat))
    token = seats.invitation_token(listed_shared_seat)
    assert opponent.client.post(f"/join/{token}/").status_code == 302
    assert listed_shared_seat.holders.count() == 2


@pytest.mark.parametrize("feed", ["/open-seats.atom", "/open-seats.json"])
def test_open_seats_are_a_feed_until_they_are_taken(owner, stranger, client, feed):
    first, second = seat_keys(two_player_rules())
    game = make_game(owner, seating={first: "me", second: "listed"})
    offered = client.get(feed).content.decode()
    assert f"http://testserver/g/{game.id}/" in offered and str(owner.player) in offered
    seats.take_free_seat(game_id=game.id, seat_key=second, player=stranger.player)
    assert game.id not in client.get(feed).content.decode()


@pytest.mark.parametrize("feed", ["/open-seats.atom", "/open-seats.json", "/puzzles/feed.atom"])
def test_a_feed_has_an_author_and_absolute_ids_and_is_not_sent_twice(owner, client, feed):
    make_game(owner, seating=dict.fromkeys(seat_keys(two_player_rules()), "listed"))
    first = client.get(feed)
    assert "author" in first.text
    ids = re.findall(r"<id>([^<]+)</id>|\"id\": \"([^\"]+)", first.text)
    assert ids and all("".join(found).startswith("http://testserver/") for found in ids)
    assert len(ids) == len({*ids})
    again = client.get(feed, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_empty_feed_stays_the_same(client, db):
    tags = {client.get("/open-seats.atom")["ETag"] for _ in range(2)}
    assert len(tags) == 1


def test_a_stranger_at_the_address_of_a_lobby_sees_its_open_seat(owner, stranger, client):
    rules, options = three_player_options()
    keys = [spec.key for spec in rules.seats({**rules.clean({}), **options})]
    holders = dict(zip(keys, ("me", "listed", "invite"), strict=True))
    game = make_lobby(owner, rules=rules, seating=holders, **options)
    seat = game.seats.get(listed=True)
    page = client.get(game.get_absolute_url()).text
    assert re.findall(r'href="([^"]+sit/[^"]+)"', page) == [address_of(seat)]
    assert "Only people with the invitation link" not in page
    stranger.client.post(f"/g/{game.pk}/sit/", {"seat": seat.key})
    assert address_of(seat) not in client.get(game.get_absolute_url()).text
