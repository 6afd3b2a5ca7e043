"""Two players become one: seats, games, moves and marks go over, and conflicts are refused."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Device, Game, Holder, Move, Player
from games.people import devices
from games.people.merging import merge_players
from games.services import players, seats
from games.services.verification import store_outcomes
from games.state.replay import verify
from games.state.seat_claims import Claim, claims
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, kinds_with_secrets, kinds_with_shared_seats
from tests.support.players import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def merge(source: Person, target: Person) -> None:
    merge_players(source=source.player, target=target.player)


def test_seats_games_and_moves_are_merged(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    game = make_game(opponent, stranger)
    post_move(opponent, game)
    version = read_snapshot(game.id).game.version
    merge(opponent, owner)
    snapshot = read_snapshot(game.id)
    assert snapshot.seats_of(owner.player.pk)
    assert snapshot.game.version > version
    assert snapshot.game.created_by_id == owner.player.pk
    assert Move.objects.get().player == owner.player


def test_finished_games_stay_finished(owner: Person, opponent: Person) -> None:
    make_finished_game(opponent)
    merge(opponent, owner)
    assert None not in Holder.objects.values_list("ended", flat=True)
    assert {holder.player for holder in Holder.objects.all()} == {owner.player}


def test_a_player_who_sits_on_both_sides_gets_both_seats(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    merge(opponent, owner)
    assert len(read_snapshot(game.id).seats_of(owner.player.pk)) == 2


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_seats_that_must_not_see_the_same_are_refused_and_nothing_changes(
    slug: str, owner: Person, opponent: Person
) -> None:
    rules = all_rules()[slug]
    specs = default_specs(rules)
    secret = next(spec for spec in specs if spec.secret)
    plain = next(spec for spec in specs if spec.information_set != secret.information_set)
    seating = {spec.key: "me" if spec == secret else "invite" for spec in specs}
    game = make_game(owner, rules=rules, seating=seating)
    seat = game.seats.get(key=plain.key)
    seats.claim_seat(token=seats.invitation_token(seat), player=opponent.player)
    other = make_game(opponent)
    before = read_snapshot(game.id)
    with pytest.raises(Refusal):
        merge(opponent, owner)
    assert read_snapshot(game.id).seating.places == before.seating.places
    assert read_snapshot(other.id).seats_of(opponent.player.pk)


@pytest.mark.parametrize("slug", kinds_with_shared_seats())
def test_a_seat_that_both_hold_keeps_one_holder(slug: str, owner: Person, opponent: Person) -> None:
    rules = all_rules()[slug]
    specs = default_specs(rules)
    shared = next(spec for spec in specs if spec.shared)
    seating = {spec.key: "me" if spec == shared else "invite" for spec in specs}
    game = make_game(owner, rules=rules, seating=seating)
    seat = game.seats.get(key=shared.key)
    seats.claim_seat(token=seats.invitation_token(seat), player=opponent.player)
    merge(opponent, owner)
    assert [holder.player for holder in seat.holders.all()] == [owner.player]


def test_in_a_lobby_the_seat_of_the_joined_browser_is_free_again(
    owner: Person, opponent: Person
) -> None:
    game = make_lobby(owner)
    free = next(key for key, place in read_snapshot(game.id).seating.places.items() if place.empty)
    Holder.objects.create(seat=game.seats.get(key=free), player=opponent.player)
    Game.objects.update(version=game.version + 1)
    merge(opponent, owner)
    assert read_snapshot(game.id).seating.places[free].empty


def test_a_player_without_a_name_gets_the_name_of_the_other(
    owner: Person, opponent: Person
) -> None:
    players.rename(player=owner.player, name="")
    merge(opponent, owner)
    assert Player.objects.get().name == "Otto"


def test_a_player_with_a_name_keeps_it(owner: Person, opponent: Person) -> None:
    merge(opponent, owner)
    assert Player.objects.get().name == "Olive"


def test_marks_of_the_joined_player_are_removed(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    marks = [
        {"player": str(person.player.pk), "seat": "x", "move": "y"} for person in (owner, opponent)
    ]
    Game.objects.filter(pk=game.pk).update(marks=marks)
    merge(opponent, owner)
    game.refresh_from_db()
    assert game.marks == marks[:1]


def test_a_merged_player_has_the_devices_of_both(owner: Person, opponent: Person) -> None:
    devices.register_device(player=opponent.player, device_id=opponent.player.pk, name="Edge")
    merge(opponent, owner)
    assert [device.player for device in Device.objects.all()] == [owner.player]


def test_nobody_stands_in_for_oneself_after_merging(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    claim = Claim(
        seat=game.specs[0].key,
        player=owner.player.pk,
        joined=game.created,
        since=timezone.now(),
        by=opponent.player.pk,
    )
    Game.objects.filter(pk=game.pk).update(claims=[claim.to_json()])
    merge(opponent, owner)
    assert claims(read_snapshot(game.pk)) == []


def test_the_outcomes_of_a_game_of_both_are_derived_anew(owner: Person, opponent: Person) -> None:
    game = make_finished_game(owner, opponent)
    store_outcomes()
    merge(opponent, owner)
    store_outcomes()
    outcomes = game.seats.values_list("holders__kind", "holders__outcome").order_by("index")
    assert list(outcomes) == [(game.kind, ""), ("", "")]
    assert verify(game).fault is None
