"""The seat of a player who is away is freed if all at the table agree, and nothing leaks by it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models import Game, Holder, Insight
from games.people import accounts
from games.services import lobby, seats
from games.services.absences import attendance
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import leave_page
from tests.support.game_factory import make_game, make_lobby
from tests.support.hidden_setups import with_other_secrets
from tests.support.kinds import kinds_with_shared_seats
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


class Table:
    """A game with secrets, and the person on each seat."""

    def __init__(self, owner: Person) -> None:
        game = make_lobby(owner, rules=all_rules()[kinds_with_shared_seats()[0]])
        self.secret = [spec.key for spec in game.specs if spec.secret]
        self.open = [spec.key for spec in game.specs if not spec.secret]
        self.people = {self.open[0]: owner}
        for number, key in enumerate([*self.secret, *self.open[1:]]):
            self.people[key] = new_person(f"P{number}")
            lobby.sit_down(game_id=game.pk, seat_key=key, player=self.people[key].player)
        lobby.begin(game_id=game.pk, player=owner.player)
        self.game = Game.objects.get(pk=game.pk)
        self.gone, self.gone_key = self.people[self.secret[0]], self.secret[0]
        self.rest = [person for key, person in self.people.items() if key != self.gone_key]

    def ask(self, person: Person) -> int:
        form = {"away": self.gone_key}
        return person.client.post(f"/g/{self.game.pk}/away/", form).status_code

    def answer(self, person: Person, agree: str = "yes") -> int:
        form = {"agree": agree}
        return person.client.post(f"/g/{self.game.pk}/away/answer/", form).status_code

    def holders(self) -> set[object]:
        held = Holder.objects.filter(seat__game=self.game, seat__key=self.gone_key)
        return set(held.values_list("player", flat=True))

    def page(self, client: Client) -> str:
        return client.get(self.game.get_absolute_url()).text


@pytest.fixture
def table(owner: Person) -> Table:
    return Table(owner)


def test_a_seat_is_freed_once_all_at_the_table_agree(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    assert table.ask(asker) == 302
    for person in others:
        assert table.holders()
        assert 'id="b-free-seat"' in table.page(person.client)
        assert table.answer(person) == 302
    assert not table.holders()
    assert "left. The seat is free" in table.page(asker.client)
    token = seats.invitation_token(table.game.seats.get(key=table.gone_key))
    assert Client().get(f"/join/{token}/").status_code == 200


def test_the_menu_names_the_players_whose_seats_may_be_freed(table):
    menu = table.page(table.rest[0].client).split("Someone is away")[1]
    assert f"<bdi>{table.gone.player.name}</bdi>" in menu


def test_those_who_are_away_too_need_not_agree(table):
    asker, other, missing = table.rest
    leave_page(table.game, table.gone, missing)
    table.ask(asker)
    table.answer(other)
    assert not table.holders()


def test_one_who_declines_ends_the_request(table):
    leave_page(table.game, table.gone)
    asker, other, third = table.rest
    table.ask(asker)
    table.answer(other, "no")
    assert table.answer(third) == 409
    assert table.holders()


def test_nobody_frees_the_seat_of_somebody_who_is_there(table):
    assert table.ask(table.rest[0]) == 422
    assert table.holders()


def test_a_player_who_comes_back_keeps_the_seat(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    table.ask(asker)
    table.page(table.gone.client)
    assert table.answer(others[0]) == 409
    assert table.holders() == {table.gone.player.pk}


def test_a_player_who_is_seen_before_the_last_answer_keeps_the_seat(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    table.ask(asker)
    attendance.note_people({table.game.pk: [table.gone.player.pk]})
    assert [table.answer(person) for person in others] == [422, 422]
    assert table.holders() == {table.gone.player.pk}


def test_nobody_decides_alone(table):
    asker, *others = table.rest
    leave_page(table.game, table.gone, *others)
    assert table.ask(asker) == 422
    assert table.holders()


def test_two_players_do_not_throw_each_other_out(owner, opponent):
    game = make_game(owner, opponent)
    leave_page(game, opponent)
    away = next(key for key in game.specs if key.key not in game.to_move).key
    assert owner.client.post(f"/g/{game.pk}/away/", {"away": away}).status_code == 422
    assert "b-away-" not in owner.client.get(game.get_absolute_url()).text


def test_seats_are_not_freed_where_a_clock_runs(table):
    leave_page(table.game, table.gone)
    clock = Clock.new(TimeControl(minutes=3, increment=2), table.game.specs)
    Game.objects.filter(pk=table.game.pk).update(clock=clock.to_json())
    clear_all()
    assert table.ask(table.rest[0]) == 422
    assert ask_back(table, Client()) == 422
    assert table.holders()


def test_strangers_neither_ask_nor_answer(table, stranger):
    leave_page(table.game, table.gone)
    assert table.ask(stranger) == 403
    table.ask(table.rest[0])
    assert table.answer(stranger) == 403
    assert "b-free-seat" not in table.page(stranger.client)


def test_whoever_was_freed_gets_no_seat_that_sees_something_else(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    table.ask(asker)
    for person in others:
        table.answer(person)
    known = Insight.objects.get(game=table.game, player=table.gone.player)
    assert (
        known.information_set
        == table.game.rules.seats(table.game.options)[
            [spec.key for spec in table.game.specs].index(table.gone_key)
        ].information_set
    )
    token = seats.invitation_token(table.game.seats.get(key=table.open[1]))
    assert table.gone.client.post(f"/join/{token}/").status_code == 422


def test_an_operative_does_not_take_the_seat_that_was_freed(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    table.ask(asker)
    for person in others:
        table.answer(person)
    token = seats.invitation_token(table.game.seats.get(key=table.gone_key))
    assert table.people[table.open[0]].client.post(f"/join/{token}/").status_code == 422


# --- a browser without its cookie ---


def ask_back(table: Table, client: Client) -> int:
    form = {"back": table.gone_key}
    return client.post(f"/g/{table.game.pk}/back/", form).status_code


def test_a_browser_without_a_player_is_asked_whether_it_played(table, client):
    assert "Were you playing here?" not in table.page(client)
    leave_page(table.game, table.gone)
    page = table.page(client)
    assert "Were you playing here?" in page
    assert re.findall(r'name="back"\s+value="([^"]+)"', page) == [table.gone_key]


def test_nobody_is_given_a_seat_without_the_others(table, client):
    leave_page(table.game, table.gone)
    assert ask_back(table, client) == 302
    assert table.holders() == {table.gone.player.pk}
    assert "asked for your seat back" in table.page(client)
    assert 'id="b-free-seat"' not in table.page(client)


def test_whoever_comes_back_has_the_seat_when_the_others_agree(table, client):
    leave_page(table.game, table.gone)
    ask_back(table, client)
    for person in table.rest:
        assert "wants the seat back" in table.page(person.client)
        assert table.answer(person) == 302
    (holder,) = table.holders()
    assert holder != table.gone.player.pk
    snapshot = read_snapshot(table.game.pk)
    assert snapshot.seats_of(holder) == {table.gone_key}
    assert {insight.player_id for insight in Insight.objects.all()} == {
        holder,
        table.gone.player.pk,
    }
    token = seats.invitation_token(table.game.seats.get(key=table.open[1]))
    assert client.post(f"/join/{token}/").status_code == 422


def test_a_player_of_another_seat_does_not_come_back_as_somebody_else(table):
    leave_page(table.game, table.gone)
    assert ask_back(table, table.rest[0].client) == 409
    assert table.holders() == {table.gone.player.pk}


def test_a_former_operative_does_not_come_back_as_a_spymaster(table):
    operative = table.people[table.open[0]]
    operative.client.post(f"/g/{table.game.pk}/give-up/", {"free": table.open[0]})
    leave_page(table.game, table.gone)
    assert ask_back(table, operative.client) == 422


def test_the_seat_of_an_account_needs_its_password(table, client):
    accounts.create_account(player=table.gone.player, name="gone", password="correct horse 1")
    leave_page(table.game, table.gone)
    assert "Were you playing here?" not in table.page(client)
    assert ask_back(table, client) == 422


@pytest.mark.parametrize("asks", ["player", "newcomer"])
@pytest.mark.parametrize("frees", [False, True])
def test_a_request_shows_nothing_secret(table, client, asks, frees):
    """Two games that differ only for the seats with secrets give others the same bytes, while a
    seat is asked for and when it is freed or given back."""
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    if asks == "player":
        table.ask(asker)
    else:
        ask_back(table, client)
        others = table.rest
    for person in others if frees else []:
        table.answer(person)
    viewers = [table.people[key].client for key in table.open] + [Client()]

    def shown() -> list[bytes]:
        clear_all()
        path = f"/g/{table.game.pk}/board/"
        return [client.get(path, headers={"HX-Request": "true"}).content for client in viewers]

    before = shown()
    other = with_other_secrets(table.game.rules, table.game.setup)
    Game.objects.filter(pk=table.game.pk).update(setup=other)
    assert shown() == before
    assert all(before)


def test_a_request_ends_with_the_game(table):
    leave_page(table.game, table.gone)
    asker, other, _ = table.rest
    table.ask(asker)
    Game.objects.filter(pk=table.game.pk).update(status=Game.Status.OVER)
    clear_all()
    assert table.answer(other) == 409
