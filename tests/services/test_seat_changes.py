"""Seat changes between information sets: a player with knowledge of a key never guesses by it, on
any way from one seat to another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.contract import BadSetup, Rules, SeatSpec
from games.core.refusals import Refusal, SecretSeat
from games.core.registry import all_rules
from games.models import Bot, Game, Insight
from games.people import accounts, bots, devices, merging
from games.services import absence, lobby, seat_changes, seats, setup
from games.services.insights import AnotherInformationSet
from games.services.seats import lobby_token
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_lobby
from tests.support.kinds import default_specs, kinds_with_two_information_sets
from tests.support.players import Person, new_person

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("slug", kinds_with_two_information_sets()),
]


def secret_and_plain(slug: str) -> tuple[SeatSpec, SeatSpec]:
    """Return a seat with secrets and one without them, of one side."""
    specs = default_specs(all_rules()[slug])
    secret = next(spec for spec in specs if spec.secret)
    plain = next(spec for spec in specs if not spec.secret and spec.side == secret.side)
    return secret, plain


class Table:
    """A game that has begun, with a person on each seat."""

    def __init__(self, slug: str) -> None:
        self.rules: Rules = all_rules()[slug]
        self.people = {spec.key: new_person(f"At {spec.key}") for spec in default_specs(self.rules)}
        host, *_ = self.people.values()
        self.game: Game = make_lobby(host, rules=self.rules)
        for key, person in self.people.items():
            lobby.sit_down(game_id=self.game.pk, seat_key=key, player=person.player)
        lobby.begin(game_id=self.game.pk, player=host.player)

    def leave(self, key: str) -> Person:
        person = self.people[key]
        seat_changes.give_up_seat(game_id=self.game.pk, seat_key=key, player=person.player)
        return person

    def sit(self, key: str, person: Person) -> None:
        lobby.sit_down(game_id=self.game.pk, seat_key=key, player=person.player)

    def held_by(self, person: Person) -> frozenset[str]:
        return read_snapshot(self.game.pk).seats_of(person.player.pk)


def by_lobby(table: Table, key: str, person: Person) -> None:
    table.sit(key, person)


def by_link(table: Table, key: str, person: Person) -> None:
    seat = table.game.seats.get(key=key)
    seats.open_link(seat)
    seat.save()
    seats.claim_seat(token=seats.invitation_token(seat), player=person.player)


def by_listed_seat(table: Table, key: str, person: Person) -> None:
    table.game.seats.filter(key=key).update(listed=True)
    table.game.seats.get(key=key).holders.all().delete()
    clear_all()
    seats.take_free_seat(game_id=table.game.pk, seat_key=key, player=person.player)


WAYS = [by_lobby, by_link, by_listed_seat]
Way = Callable[[Table, str, Person], None]


@pytest.mark.parametrize("way", WAYS)
def test_a_holder_who_gives_up_a_secret_seat_never_gets_another(slug: str, way: Way):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    person = table.leave(secret.key)
    with pytest.raises(AnotherInformationSet):
        way(table, plain.key, person)
    assert table.held_by(person) == set()


@pytest.mark.parametrize("way", [by_lobby, by_link])
def test_a_holder_of_a_plain_seat_gets_no_look_at_the_vacant_secret_seat(slug: str, way: Way):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    table.leave(secret.key)
    person = table.leave(plain.key)
    with pytest.raises(AnotherInformationSet):
        way(table, secret.key, person)
    assert table.held_by(person) == set()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("who", ["newcomer", "former holder"])
def test_nobody_enters_a_vacant_secret_seat_without_being_let_in(slug: str, way: Way, who: str):
    table, (secret, _) = Table(slug), secret_and_plain(slug)
    former = table.leave(secret.key)
    person = former if who == "former holder" else new_person(who)
    with pytest.raises(SecretSeat):
        way(table, secret.key, person)
    assert table.held_by(person) == set()


@pytest.mark.parametrize("way", WAYS)
def test_a_secret_seat_that_was_never_taken_is_closed_once_the_game_begins(slug: str, way: Way):
    table, (secret, plain) = Table.__new__(Table), secret_and_plain(slug)
    host = new_person("host")
    seating = {plain.key: "me", secret.key: "listed"}
    table.game = make_lobby(host, rules=all_rules()[slug], seating=seating)
    lobby.begin(game_id=table.game.pk, player=host.player)
    assert not table.game.seats.get(key=secret.key).listed
    with pytest.raises(SecretSeat):
        way(table, secret.key, new_person("newcomer"))


def test_a_game_without_a_lobby_gathers_its_players_until_the_first_move(slug: str):
    secret, plain = secret_and_plain(slug)
    host, newcomer = new_person("host"), new_person("newcomer")
    game = make_game(host, rules=all_rules()[slug], seating={plain.key: "me"})
    seat = game.seats.get(key=secret.key)
    seats.claim_seat(token=seats.invitation_token(seat), player=newcomer.player)
    assert read_snapshot(game.pk).seats_of(newcomer.player.pk) == {secret.key}
    other = next(spec for spec in game.specs if spec.secret and spec.key != secret.key)
    Game.objects.filter(pk=game.pk).update(ply=1)
    clear_all()
    seat = game.seats.get(key=other.key)
    with pytest.raises(SecretSeat):
        seats.claim_seat(token=seats.invitation_token(seat), player=new_person("late").player)


def test_a_page_refuses_the_seat_with_its_reason(slug: str):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    person = table.leave(secret.key)
    table.game.refresh_from_db()
    address = f"/invite/{lobby_token(table.game)}/"
    answer = person.client.post(address, {"seat": plain.key})
    assert answer.status_code == 422
    assert "had a seat in this game that sees something else" in answer.text


def test_an_absent_holder_who_was_replaced_is_not_forgotten(slug: str):
    table = Table(slug)
    long_ago = timezone.now() - settings.ABSENT_AFTER - timedelta(hours=1)
    Game.objects.filter(pk=table.game.pk).update(updated=long_ago)
    clear_all()
    waited = read_snapshot(table.game.pk).game.to_move
    other = next(key for key in table.people if key not in waited)
    absence.replace_absent(
        game_id=table.game.pk, player=table.people[other].player, ply=0, undone=0
    )
    sets = {spec.key: spec.information_set for spec in default_specs(table.rules)}
    for key in waited:
        wrong = next(other for other in table.people if sets[other] != sets[key])
        with pytest.raises(AnotherInformationSet):
            by_link(table, wrong, table.people[key])


def test_the_device_that_a_secret_seat_left_gets_no_plain_seat(slug: str):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    person, new_device = table.people[secret.key], new_person("new device")
    if secret.shared:
        pytest.skip("the link of a team moves nobody")
    seat = seats.offer_seat(game_id=table.game.pk, seat_key=secret.key, player=person.player)
    seats.claim_seat(token=seats.invitation_token(seat), player=new_device.player)
    assert table.held_by(person) == set()
    with pytest.raises(AnotherInformationSet):
        by_lobby(table, plain.key, person)


@pytest.mark.parametrize("join", ["merge", "device", "account"])
def test_a_second_browser_of_a_former_holder_cannot_join_him(slug: str, join: str):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    person, guesser = table.leave(secret.key), table.people[plain.key]
    with pytest.raises(Refusal, match="play in the same game"):
        unite(person, guesser, join)
    with pytest.raises(Refusal, match="play in the same game"):
        unite(guesser, person, join)


def unite(joined: Person, owner: Person, how: str) -> None:
    """Let the browser of one person become a device of another."""
    device = devices.register_device(
        player=joined.player, device_id=joined.player.pk, name="Firefox"
    )
    if how == "merge":
        merging.merge_players(source=joined.player, target=owner.player)
    elif how == "device":
        link = devices.offer_device(player=owner.player)
        devices.claim_device(
            token=devices.device_token(link), device=device, claimant="", name="Firefox"
        )
    else:
        password = "an uncommon sentence"
        accounts.create_account(player=owner.player, name=owner.player.name, password=password)
        accounts.sign_in(
            name=owner.player.name, password=password, device=device, device_name="Firefox"
        )


def test_what_a_merged_player_has_seen_counts_for_all_devices(slug: str):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    person, account = table.leave(secret.key), new_person("account")
    merging.merge_players(source=person.player, target=account.player)
    with pytest.raises(AnotherInformationSet):
        by_lobby(table, plain.key, account)


def test_what_a_deleted_bot_has_seen_its_owner_knows(slug: str):
    table, (secret, plain) = Table(slug), secret_and_plain(slug)
    owner, spymaster = new_person("owner"), table.people[secret.key]
    bot = Bot.objects.create(player=spymaster.player, owner=owner.player, kinds=[slug])
    table.leave(secret.key)
    bots.delete_bot(bot=bot)
    with pytest.raises(AnotherInformationSet):
        by_lobby(table, plain.key, owner)


def test_seats_are_changed_freely_in_a_lobby(slug: str, owner: Person):
    secret, plain = secret_and_plain(slug)
    game = make_lobby(owner, rules=all_rules()[slug])
    for key in (secret.key, plain.key, secret.key):
        lobby.sit_down(game_id=game.pk, seat_key=key, player=owner.player)
    assert read_snapshot(game.pk).seats_of(owner.player.pk) == {secret.key}
    assert not Insight.objects.exists()


def secret_option(slug: str) -> dict[str, Any]:
    """Return options with a typed secret of the deal."""
    rules = all_rules()[slug]
    option = next(option for option in rules.options if option.secret)
    key = setup.plan_game(
        setup.NewGame(rules=rules, options={}, seating={}),
    ).setup["key"]
    return {option.name: key}


def typed_lobby(slug: str, owner: Person, seating: dict[str, str]) -> Game:
    rules = all_rules()[slug]
    return setup.create_game(
        player=owner.player,
        new=setup.NewGame(rules=rules, options=secret_option(slug), seating=seating, lobby=True),
    )


def test_a_host_who_has_typed_the_secrets_cannot_begin_on_a_plain_seat(slug: str, owner: Person):
    _, plain = secret_and_plain(slug)
    with pytest.raises(BadSetup, match="typed what this seat must not know"):
        typed_lobby(slug, owner, {plain.key: "me"})


def test_a_host_who_has_typed_the_secrets_takes_no_plain_seat_in_the_lobby(
    slug: str, owner: Person
):
    secret, plain = secret_and_plain(slug)
    game = typed_lobby(slug, owner, {secret.key: "me"})
    with pytest.raises(AnotherInformationSet, match="typed what this seat must not know"):
        lobby.sit_down(game_id=game.pk, seat_key=plain.key, player=owner.player)
    assert read_snapshot(game.pk).seats_of(owner.player.pk) == {secret.key}


@pytest.mark.parametrize("attempt", range(5))
def test_shuffled_seats_give_the_typist_a_seat_that_sees_the_secrets(
    slug: str, attempt: int, owner: Person, opponent: Person, stranger: Person
):
    secret, plain = secret_and_plain(slug)
    game = typed_lobby(slug, owner, {secret.key: "me"})
    for key, person in zip([plain.key] * 2, [opponent, stranger], strict=True):
        lobby.sit_down(game_id=game.pk, seat_key=key, player=person.player)
    snapshot = lobby.shuffle(game_id=game.pk, player=owner.player)
    (mine,) = snapshot.seats_of(owner.player.pk)
    assert snapshot.spec(mine).secret
