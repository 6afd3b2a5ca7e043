"""The seat of an absent player is freed if all at the table agree, and nothing leaks by it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models import Game, Insight
from games.people import accounts
from games.services import absence, lobby, seats
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import Table, leave_page, let_a_computer_play
from tests.support.game_factory import make_game, make_lobby
from tests.support.hidden_setups import with_other_secrets
from tests.support.kinds import kinds_with_shared_seats
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(owner: Person) -> Table:
    return Table(owner)


def test_a_seat_is_freed_once_all_at_the_table_agree(table):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    assert table.ask(asker) == 302
    for person in others:
        assert table.holders()
        assert 'id="b-yes-seat"' in table.page(person.client)
        assert table.answer(person) == 302
    assert not table.holders()
    assert "left. The seat is free" in table.page(asker.client)
    token = seats.invitation_token(table.game.seats.get(key=table.gone_key))
    assert Client().get(f"/join/{token}/").status_code == 200


def test_the_menu_names_the_players_whose_seats_may_be_freed(table):
    menu = table.page(table.rest[0].client).split("Someone is away")[1]
    assert f"<bdi>{table.gone.player.name}</bdi>" in menu


def test_those_who_are_away_too_need_not_agree(table):
    partner = next(
        person for person in table.rest if table.side_of(person) == table.side_of(table.gone)
    )
    missing, asker = (person for person in table.rest if person is not partner)
    leave_page(table.game, table.gone, missing)
    table.ask(asker)
    table.answer(partner)
    assert not table.holders()


def test_one_who_declines_ends_the_request(table):
    leave_page(table.game, table.gone)
    asker, other, third = table.rest
    table.ask(asker)
    table.answer(other, "no")
    assert table.answer(third) == 409
    assert table.holders()
    assert table.ask(asker) == 422


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
    absence.note_people({table.game.pk: [table.gone.player.pk]})
    assert [table.answer(person) for person in others] == [422, 422]
    assert table.holders() == {table.gone.player.pk}


def test_nobody_decides_alone(table):
    asker, *others = table.rest
    leave_page(table.game, table.gone, *others)
    assert table.ask(asker) == 302
    assert table.holders()
    partners = [person for person in others if table.side_of(person) == table.side_of(asker)]
    assert [table.answer(person) for person in partners] == [302] * len(partners)
    assert table.holders()
    opponent = next(person for person in others if person not in partners)
    assert table.answer(opponent) == 302
    assert not table.holders()


def test_opponents_alone_take_nobody_off_a_seat(table):
    own = [person for person in table.rest if table.side_of(person) == table.side_of(table.gone)]
    first, second = (person for person in table.rest if person not in own)
    leave_page(table.game, table.gone, *own)
    assert table.ask(first) == 302
    assert table.answer(second) == 302
    assert table.holders() == {table.gone.player.pk}
    assert table.ask_back(Client()) == 302
    assert [table.answer(person, of="newcomer") for person in (first, second)] == [302, 302]
    assert table.holders() == {table.gone.player.pk}


def test_latecomers_have_no_voice(table):
    """Two windows that have sat down on both teams by the lobby's link agree with each other."""
    leave_page(table.game, table.gone, *table.rest)
    late = [new_person("A"), new_person("B")]
    for key, person in zip(table.open, late, strict=True):
        lobby.sit_down(game_id=table.game.pk, seat_key=key, player=person.player)
    assert table.ask(late[0]) == 302
    assert table.answer(late[1]) == 422
    assert table.ask_back(Client()) == 302
    assert [table.answer(person, of="newcomer") for person in late] == [422, 422]
    assert table.holders() == {table.gone.player.pk}


def test_a_side_that_a_player_joins_later_gives_no_second_voice(table):
    """A player with the seats of both teams is not both teams."""
    own = table.side_of(table.gone)
    there = next(person for person in table.rest if table.side_of(person) == own)
    others = [person for person in table.rest if person is not there]
    leave_page(table.game, table.gone, *others)
    other = next(key for key in table.open if key != table.key_of(there))
    lobby.sit_down(game_id=table.game.pk, seat_key=other, player=there.player)
    assert len(read_snapshot(table.game.pk).seats_of(there.player.pk)) == 2
    assert table.ask(there) == 302
    assert table.holders() == {table.gone.player.pk}


def test_one_partner_is_enough_against_computers(owner, opponent):
    rules = all_rules()[kinds_with_shared_seats()[0]]
    specs = rules.seats(rules.clean({}))
    mine = next(spec for spec in specs if not spec.secret)
    sides = {spec.key: "invite" if spec.side == mine.side else "computer-1" for spec in specs}
    game = make_lobby(owner, rules=rules, seating={**sides, mine.key: "me"})
    gone = next(key for key, who in sides.items() if who == "invite" and key != mine.key)
    lobby.sit_down(game_id=game.pk, seat_key=gone, player=opponent.player)
    lobby.begin(game_id=game.pk, player=owner.player)
    leave_page(game, opponent)
    assert owner.client.post(f"/g/{game.pk}/away/", {"away": gone}).status_code == 302
    assert not game.seats.get(key=gone).holders.exists()


def test_two_players_do_not_throw_each_other_out(owner, opponent):
    game = make_game(owner, opponent)
    leave_page(game, opponent)
    away = next(key for key in game.specs if key.key not in game.to_move).key
    assert owner.client.post(f"/g/{game.pk}/away/", {"away": away}).status_code == 422
    assert "b-away-" not in owner.client.get(game.get_absolute_url()).text


def test_in_a_slow_game_nobody_is_away_within_a_day(table):
    clock = Clock.new(TimeControl(days=3), table.game.specs)
    Game.objects.filter(pk=table.game.pk).update(clock=clock.to_json())
    leave_page(table.game, table.gone)
    assert table.ask(table.rest[0]) == 422
    assert table.ask_back(Client()) == 422
    assert table.holders()


def test_seats_are_freed_beside_other_clocks_too(table):
    clock = Clock.new(TimeControl(minutes=3, increment=2), table.game.specs)
    Game.objects.filter(pk=table.game.pk).update(clock=clock.to_json())
    leave_page(table.game, table.gone)
    assert table.ask(table.rest[0]) == 302


def test_strangers_neither_ask_nor_answer(table, stranger):
    leave_page(table.game, table.gone)
    assert table.ask(stranger) == 403
    table.ask(table.rest[0])
    assert table.answer(stranger) == 403
    assert "b-yes" not in table.page(stranger.client)


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


def test_a_browser_without_a_player_is_asked_whether_it_played(table, client):
    assert "Were you playing here?" not in table.page(client)
    leave_page(table.game, table.gone)
    page = table.page(client)
    assert "Were you playing here?" in page
    assert re.findall(r'name="back"\s+value="([^"]+)"', page) == [table.gone_key]


def test_nobody_is_given_a_seat_without_the_others(table, client):
    leave_page(table.game, table.gone)
    assert table.ask_back(client) == 302
    assert table.holders() == {table.gone.player.pk}
    assert "asked for a seat" in table.page(client)
    assert 'id="b-yes-seat"' not in table.page(client)


def test_whoever_comes_back_has_the_seat_when_the_others_agree(table, client):
    leave_page(table.game, table.gone)
    table.ask_back(client)
    for person in table.rest:
        assert "Someone wants to sit there" in table.page(person.client)
        assert table.answer(person, of="newcomer") == 302
    (holder,) = table.holders()
    assert holder != table.gone.player.pk
    snapshot = read_snapshot(table.game.pk)
    assert snapshot.seats_of(holder) == {table.gone_key}
    assert [insight.player_id for insight in Insight.objects.all()] == [table.gone.player.pk]
    token = seats.invitation_token(table.game.seats.get(key=table.open[1]))
    assert client.post(f"/join/{token}/").status_code == 422


def test_a_player_of_another_seat_does_not_come_back_as_somebody_else(table):
    leave_page(table.game, table.gone)
    assert table.ask_back(table.rest[0].client) == 409
    assert table.holders() == {table.gone.player.pk}


def test_a_former_operative_does_not_come_back_as_a_spymaster(table):
    operative = table.people[table.open[0]]
    operative.client.post(f"/g/{table.game.pk}/give-up/", {"free": table.open[0]})
    leave_page(table.game, table.gone)
    assert table.ask_back(operative.client) == 422


def test_the_seat_of_an_account_needs_its_password(table, client):
    accounts.create_account(player=table.gone.player, name="gone", password="correct horse 1")
    leave_page(table.game, table.gone)
    assert "Were you playing here?" not in table.page(client)
    assert table.ask_back(client) == 422
    assert table.ask(table.rest[0]) == 422
    path = f"/g/{table.game.pk}/away/?for=computer"
    form = {"away": table.gone_key}
    assert table.rest[0].client.post(path, form).status_code == 302


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
        table.ask_back(client)
        others = table.rest
    for person in others if frees else []:
        table.answer(person, of=asks)
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


def test_the_requests_of_newcomers_and_players_do_not_block_each_other(table, client):
    leave_page(table.game, table.gone)
    asker, *others = table.rest
    assert table.ask_back(client) == 302
    assert table.ask(asker) == 302
    page = table.page(others[0].client)
    assert 'id="b-yes-seat"' in page and 'id="b-yes-newcomer"' in page
    table.answer(others[0], "no", of="newcomer")
    for person in others:
        table.answer(person)
    assert not table.holders()


def test_a_newcomer_who_was_refused_is_barred_with_the_address(table, client):
    leave_page(table.game, table.gone)
    table.ask_back(client)
    table.answer(table.rest[0], "no", of="newcomer")
    assert table.ask_back(client) == 422
    assert table.ask_back(Client()) == 422
    assert table.ask_back(Client(REMOTE_ADDR="192.0.2.7")) == 302


def test_the_request_of_a_newcomer_lapses(table, client):
    leave_page(table.game, table.gone)
    table.ask_back(client)
    stored = Game.objects.get(pk=table.game.pk).newcomer
    before = timezone.now() - timedelta(minutes=11)
    Game.objects.filter(pk=table.game.pk).update(newcomer=stored | {"since": before.isoformat()})
    clear_all()
    assert table.answer(table.rest[0], of="newcomer") == 409
    assert table.ask_back(Client()) == 302


def test_a_freed_seat_is_offered_to_a_computer_which_all_allow(owner: Person) -> None:
    rules = next(r for r in all_rules().values() if len(r.seats(r.clean({"players": "3"}))) == 3)
    game = make_lobby(owner, rules=rules, players="3")
    first, *keys = [spec.key for spec in game.specs]
    people = {first: owner} | {key: new_person(key) for key in keys}
    for key in keys:
        lobby.sit_down(game_id=game.pk, seat_key=key, player=people[key].player)
    lobby.begin(game_id=game.pk, player=owner.player)
    game.refresh_from_db()
    (key,) = game.to_move
    asker, other = (person for at, person in people.items() if at != key)
    people[key].client.post(f"/g/{game.pk}/give-up/", {"free": key})
    page = asker.client.get(f"/g/{game.pk}/").text
    assert f'id="b-computer-{key}"' in page and f'id="b-away-{key}"' not in page
    assert let_a_computer_play(game, key, people[key]) == 403
    assert asker.client.post(f"/g/{game.pk}/away/", {"away": key}).status_code == 422
    assert let_a_computer_play(game, key, asker) == 302
    assert "May a computer play here?" in other.client.get(f"/g/{game.pk}/").text
    assert game.seats.get(key=key).computer is None
    other.client.post(f"/g/{game.pk}/away/answer/", {"agree": "yes"})
    assert game.seats.get(key=key).computer
    assert "A computer plays on" in asker.client.get(f"/g/{game.pk}/").text
    game.refresh_from_db()
    assert game.computer_to_move
