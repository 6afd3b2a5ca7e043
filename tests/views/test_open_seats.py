"""Seats that are open to anybody: where they are offered, and who may take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db.models.signals import post_save
from django.utils import timezone

from games import services
from games.models import Game, Player, Seat
from games.refusals import GameEnded, SeatTaken
from games.registry import all_rules
from tests.support.game_factory import make_game, make_game_with_open_seat, open_seat
from tests.support.kinds import kinds_with_shared_seats, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def test_a_listed_seat_is_offered_and_taken_once(owner, stranger, client):
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    game = make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    assert game.get_absolute_url() in client.get("/").text
    address = f"/g/{game.id}/sit/"
    assert stranger.client.post(address, {"seat": second}).status_code == 302
    assert client.post(address, {"seat": second}).status_code == 409
    assert [str(p) for p in Player.objects.filter(seats__key=second)] == ["Stan"]


@pytest.fixture
def offered(owner: Person) -> Seat:
    """A seat open to anybody, the only empty one of the owner's game."""
    return an_offer(owner)


def an_offer(host: Person) -> Seat:
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    return open_seat(make_game(host, rules=rules, seating={first: "me", second: "listed"}))


def address_of(seat: Seat) -> str:
    return f"/g/{seat.game_id}/sit/?seat={seat.key}"


def test_the_front_page_links_to_a_listed_seat(offered, client):
    assert f'href="{address_of(offered)}"' in client.get("/").text


def test_the_front_page_names_the_open_seats_of_a_game(owner, client):
    rules = next(r for r in all_rules().values() if len(r.seats(r.clean({}))) > 2)
    first, *others = rules.seats(rules.clean({}))
    seating = {first.key: "me"} | {spec.key: "listed" for spec in others}
    game = make_game(owner, rules=rules, seating=seating)
    entry = client.get("/").text.split('id="open"')[1].split("</ul>")[0]
    assert f'href="{game.get_absolute_url()}"' in entry
    assert ", ".join(str(spec.name) for spec in others) in entry
    assert str(first.name) not in entry


def test_the_page_of_a_game_links_to_its_listed_seat(offered, client):
    page = client.get(f"/g/{offered.game_id}/").text
    assert f'href="{address_of(offered)}"' in page
    assert "Take this seat" in page


def test_a_seat_holder_is_offered_no_other_seat(offered, owner):
    assert "Take this seat" not in owner.client.get(f"/g/{offered.game_id}/").text


def test_a_past_position_offers_no_seat(offered, client):
    assert "Take this seat" not in client.get(f"/g/{offered.game_id}/0/").text


def test_a_seat_for_an_invitation_is_not_offered_to_visitors(game, client):
    assert "Take this seat" not in client.get(game.get_absolute_url()).text


def test_a_get_of_a_listed_seat_does_not_claim_it(offered, client):
    page = client.get(address_of(offered)).text
    assert "Sit down to play" in page
    assert 'name="name"' in page
    assert open_seat(offered.game) == offered


def test_claiming_a_listed_seat_sets_the_name_and_leads_to_the_game(offered, client):
    response = client.post(address_of(offered), {"name": "Nora"})
    assert response["Location"] == offered.game.get_absolute_url()
    assert [str(player) for player in offered.players.all()] == ["Nora"]


def test_a_repeated_claim_of_a_listed_seat_leads_to_the_game(offered, stranger):
    addresses = [stranger.client.post(address_of(offered))["Location"] for _ in range(2)]
    assert addresses == [offered.game.get_absolute_url()] * 2
    assert offered.holders.count() == 1


def test_the_holder_of_a_listed_seat_is_led_to_the_game(offered, stranger):
    stranger.client.post(address_of(offered))
    response = stranger.client.get(address_of(offered))
    assert response.get("Location") == offered.game.get_absolute_url()


def test_a_listed_seat_claimed_during_the_wait_for_the_lock_stays_its_holders(offered, stranger):
    for _ in range(2):
        taken = services.take_listed_seat(
            game_id=offered.game.id, seat_key=offered.key, player=stranger.player
        )
        assert [holder.player for holder in taken.holders.all()] == [stranger.player]


def test_a_seat_of_a_finished_game_cannot_be_claimed(offered, owner, client):
    game = offered.game
    seat = game.seats.exclude(pk=offered.pk).get()
    services.resign(game_id=game.id, seat=seat.key, player=owner.player, ply=0)
    for response in (client.get(address_of(offered)), client.post(address_of(offered))):
        assert response.status_code == 409
        assert "The game is over." in response.text
    with pytest.raises(GameEnded):
        services.take_listed_seat(game_id=game.id, seat_key=offered.key, player=owner.player)
    assert not offered.holders.exists()


def test_a_finished_game_offers_no_seat(offered, owner, client):
    seat = offered.game.seats.exclude(pk=offered.pk).get()
    services.resign(game_id=offered.game_id, seat=seat.key, player=owner.player, ply=0)
    assert "Take this seat" not in client.get(f"/g/{offered.game_id}/").text


def test_a_bad_name_is_refused_at_its_field(offered, client):
    response = client.post(address_of(offered), {"name": "x" * 31})
    assert response.status_code == 422
    assert "at most 30 characters" in response.text
    assert "Sit down to play" in response.text


def test_a_seat_taken_by_another_player_shows_the_game_with_a_notice(offered, client, stranger):
    stranger.client.post(address_of(offered))
    response = client.get(address_of(offered))
    assert response.status_code == 409
    assert "That seat is already taken." in response.text


def test_a_game_without_a_move_for_two_weeks_is_no_longer_listed(offered, client):
    Game.objects.update(updated=timezone.now() - timedelta(days=15))
    assert offered.game_id not in client.get("/").text


def test_listed_games_per_player_are_limited(owner, opponent, client):
    other = an_offer(opponent)
    games = [an_offer(owner).game_id for _ in range(30)]
    page = client.get("/").text
    assert [game_id for game_id in games if game_id in page] == games[-2:]
    assert other.game_id in page


def test_a_seat_for_an_invitation_cannot_be_claimed_without_it(game, stranger):
    response = stranger.client.post(f"/g/{game.id}/sit/", {"seat": open_seat(game).key})
    assert response.status_code == 409


@pytest.fixture
def when_named() -> Iterator[Callable[[Callable[[], object]], None]]:
    """Has something done as soon as somebody is called Nora: before that, all was looked at."""
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
def taken_meanwhile(offered: Seat, opponent: Person, when_named) -> Seat:
    """A seat that somebody else takes as soon as who asks for it is called something."""

    def take() -> None:
        services.take_listed_seat(
            game_id=offered.game.id, seat_key=offered.key, player=opponent.player
        )

    when_named(take)
    return offered


def test_a_failed_claim_creates_no_player(taken_meanwhile, client):
    assert client.post(address_of(taken_meanwhile), {"name": "Nora"}).status_code == 409
    assert not Player.objects.filter(name="Nora").exists()
    assert "player" not in client.cookies


def test_a_failed_claim_renames_no_player(taken_meanwhile, stranger):
    assert stranger.client.post(address_of(taken_meanwhile), {"name": "Nora"}).status_code == 409
    stranger.player.refresh_from_db()
    assert stranger.player.name == "Stan"


def test_a_seat_of_a_game_deleted_during_the_claim_is_not_found(offered, client, when_named):
    when_named(offered.game.delete)
    assert client.post(address_of(offered), {"name": "Nora"}).status_code == 404


@pytest.fixture
def open_team(owner: Person) -> Seat:
    """The seat of a team, open to anybody."""
    rules = all_rules()[kinds_with_shared_seats()[0]]
    specs = rules.seats(rules.clean({}))
    key = next(spec.key for spec in specs if spec.shared)
    seating = {spec.key: "listed" if spec.key == key else "invite" for spec in specs}
    return make_game(owner, rules=rules, seating=seating).seats.get(key=key)


def test_a_shared_seat_is_listed_until_its_first_holder(open_team, stranger, opponent):
    assert stranger.client.post(address_of(open_team)).status_code == 302
    for response in (
        opponent.client.get(address_of(open_team)),
        opponent.client.post(address_of(open_team)),
    ):
        assert response.status_code == 409
        assert "That seat is already taken." in response.text
    with pytest.raises(SeatTaken):
        services.take_listed_seat(
            game_id=open_team.game.id, seat_key=open_team.key, player=opponent.player
        )
    assert [str(player) for player in open_team.players.all()] == ["Stan"]


def test_the_first_holder_of_a_listed_shared_seat_invites_others(open_team, stranger, opponent):
    stranger.client.post(address_of(open_team))
    token = services.invitation_token(open_team)
    assert opponent.client.post(f"/join/{token}/").status_code == 302
    assert open_team.holders.count() == 2
