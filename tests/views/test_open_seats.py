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


def test_a_seat_open_to_anybody_is_offered_and_taken_once(owner, stranger, client):
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


def test_the_front_page_leads_to_the_seat_that_is_open_to_anybody(offered, client):
    assert f'href="{address_of(offered)}"' in client.get("/").text


def test_the_front_page_names_the_seats_of_a_game_that_are_free(owner, client):
    rules = next(r for r in all_rules().values() if len(r.seats(r.clean({}))) > 2)
    first, *others = rules.seats(rules.clean({}))
    seating = {first.key: "me"} | {spec.key: "listed" for spec in others}
    game = make_game(owner, rules=rules, seating=seating)
    entry = client.get("/").text.split('id="open"')[1].split("</ul>")[0]
    assert f'href="{game.get_absolute_url()}"' in entry
    assert ", ".join(str(spec.name) for spec in others) in entry
    assert str(first.name) not in entry


def test_the_page_of_a_game_leads_a_visitor_to_the_seat_that_is_open_to_anybody(offered, client):
    page = client.get(f"/g/{offered.game_id}/").text
    assert f'href="{address_of(offered)}"' in page
    assert "Take this seat" in page


def test_who_holds_a_seat_of_a_game_is_offered_no_other(offered, owner):
    assert "Take this seat" not in owner.client.get(f"/g/{offered.game_id}/").text


def test_a_position_of_the_past_offers_no_seat(offered, client):
    assert "Take this seat" not in client.get(f"/g/{offered.game_id}/0/").text


def test_a_seat_kept_for_an_invitation_is_not_offered_to_a_visitor(game, client):
    assert "Take this seat" not in client.get(game.get_absolute_url()).text


def test_looking_at_a_seat_open_to_anybody_does_not_take_it(offered, client):
    page = client.get(address_of(offered)).text
    assert "Sit down to play" in page
    assert 'name="name"' in page
    assert open_seat(offered.game) == offered


def test_who_takes_a_seat_open_to_anybody_says_a_name_and_comes_to_the_game(offered, client):
    answer = client.post(address_of(offered), {"name": "Nora"})
    assert answer["Location"] == offered.game.get_absolute_url()
    assert [str(player) for player in offered.players.all()] == ["Nora"]


def test_who_takes_a_seat_open_to_anybody_twice_comes_to_the_game_both_times(offered, stranger):
    addresses = [stranger.client.post(address_of(offered))["Location"] for _ in range(2)]
    assert addresses == [offered.game.get_absolute_url()] * 2
    assert offered.holders.count() == 1


def test_who_comes_back_to_a_seat_that_was_open_to_anybody_comes_to_the_game(offered, stranger):
    stranger.client.post(address_of(offered))
    answer = stranger.client.get(address_of(offered))
    assert answer.get("Location") == offered.game.get_absolute_url()


def test_who_has_a_seat_open_to_anybody_by_the_time_it_is_ones_turn_keeps_it(offered, stranger):
    for _ in range(2):
        taken = services.take_listed_seat(
            game_id=offered.game.id, seat_key=offered.key, player=stranger.player
        )
        assert [holder.player for holder in taken.holders.all()] == [stranger.player]


def test_nobody_sits_down_at_a_game_that_is_over(offered, owner, client):
    game = offered.game
    seat = game.seats.exclude(pk=offered.pk).get()
    services.resign(game_id=game.id, seat=seat.key, player=owner.player, ply=0)
    for answer in (client.get(address_of(offered)), client.post(address_of(offered))):
        assert answer.status_code == 409
        assert "The game is over." in answer.text
    with pytest.raises(GameEnded):
        services.take_listed_seat(game_id=game.id, seat_key=offered.key, player=owner.player)
    assert not offered.holders.exists()


def test_a_game_that_is_over_offers_no_seat(offered, owner, client):
    seat = offered.game.seats.exclude(pk=offered.pk).get()
    services.resign(game_id=offered.game_id, seat=seat.key, player=owner.player, ply=0)
    assert "Take this seat" not in client.get(f"/g/{offered.game_id}/").text


def test_a_bad_name_is_refused_beside_the_form_that_asked_for_it(offered, client):
    answer = client.post(address_of(offered), {"name": "x" * 31})
    assert answer.status_code == 422
    assert "at most 30 characters" in answer.text
    assert "Sit down to play" in answer.text


def test_a_seat_that_somebody_took_meanwhile_shows_the_game_and_says_so(offered, client, stranger):
    stranger.client.post(address_of(offered))
    answer = client.get(address_of(offered))
    assert answer.status_code == 409
    assert "That seat has been taken." in answer.text


def test_a_game_that_nobody_has_touched_for_two_weeks_looks_for_players_no_more(offered, client):
    Game.objects.update(updated=timezone.now() - timedelta(days=15))
    assert offered.game_id not in client.get("/").text


def test_one_visitor_does_not_fill_the_list_of_games_that_look_for_players(owner, opponent, client):
    other = an_offer(opponent)
    games = [an_offer(owner).game_id for _ in range(30)]
    page = client.get("/").text
    assert [game_id for game_id in games if game_id in page] == games[-2:]
    assert other.game_id in page


def test_a_seat_kept_for_an_invitation_cannot_be_sat_on(game, stranger):
    answer = stranger.client.post(f"/g/{game.id}/sit/", {"seat": open_seat(game).key})
    assert answer.status_code == 409


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


def test_who_finds_a_seat_taken_meanwhile_is_not_made_a_player(taken_meanwhile, client):
    assert client.post(address_of(taken_meanwhile), {"name": "Nora"}).status_code == 409
    assert not Player.objects.filter(name="Nora").exists()
    assert "player" not in client.cookies


def test_who_finds_a_seat_taken_meanwhile_keeps_the_name(taken_meanwhile, stranger):
    assert stranger.client.post(address_of(taken_meanwhile), {"name": "Nora"}).status_code == 409
    stranger.player.refresh_from_db()
    assert stranger.player.name == "Stan"


def test_a_seat_of_a_game_that_goes_meanwhile_is_not_found(offered, client, when_named):
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


def test_a_team_is_open_to_anybody_until_it_has_its_first(open_team, stranger, opponent):
    assert stranger.client.post(address_of(open_team)).status_code == 302
    for answer in (
        opponent.client.get(address_of(open_team)),
        opponent.client.post(address_of(open_team)),
    ):
        assert answer.status_code == 409
        assert "That seat has been taken." in answer.text
    with pytest.raises(SeatTaken):
        services.take_listed_seat(
            game_id=open_team.game.id, seat_key=open_team.key, player=opponent.player
        )
    assert [str(player) for player in open_team.players.all()] == ["Stan"]


def test_the_first_of_a_team_that_was_open_to_anybody_still_invites_the_others(
    open_team, stranger, opponent
):
    stranger.client.post(address_of(open_team))
    token = services.invitation_token(open_team)
    assert opponent.client.post(f"/join/{token}/").status_code == 302
    assert open_team.holders.count() == 2
