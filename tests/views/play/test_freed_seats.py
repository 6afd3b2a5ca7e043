"""The seat of a player who is away is freed if all at the table agree, and nothing leaks by it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models import Game, Holder, Insight, NoticeKind, PendingNotice, Player
from games.notices import channels, events
from games.people import accounts
from games.people.bots import make_token
from games.services import absence, lobby, play, seats, start
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import leave_page
from tests.support.game_factory import make_game, make_lobby
from tests.support.game_requests import next_legal_move
from tests.support.hidden_setups import with_other_secrets
from tests.support.kinds import kinds_with_shared_seats
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


class Table:
    """A game with secrets, and the person on each seat."""

    def __init__(self, owner: Person) -> None:
        rules = all_rules()[kinds_with_shared_seats()[0]]
        game = make_lobby(owner, rules=rules, **rules.computer_options)
        self.secret = [spec.key for spec in game.specs if spec.secret]
        self.open = [spec.key for spec in game.specs if not spec.secret]
        self.people = {self.open[0]: owner}
        for number, key in enumerate([*self.secret, *self.open[1:]]):
            self.people[key] = new_person(f"P{number}")
            lobby.sit_down(game_id=game.pk, seat_key=key, player=self.people[key].player)
        lobby.begin(game_id=game.pk, player=owner.player)
        self.game = Game.objects.get(pk=game.pk)
        (self.gone_key,) = self.game.to_move
        self.gone = self.people[self.gone_key]
        self.rest = [person for key, person in self.people.items() if key != self.gone_key]

    def ask(self, person: Person) -> int:
        form = {"away": self.gone_key}
        return person.client.post(f"/g/{self.game.pk}/away/", form).status_code

    def answer(self, person: Person, agree: str = "yes", of: str = "player") -> int:
        form = {"agree": agree}
        return person.client.post(f"/g/{self.game.pk}/away/answer/?of={of}", form).status_code

    def holders(self) -> set[object]:
        held = Holder.objects.filter(seat__game=self.game, seat__key=self.gone_key)
        return set(held.values_list("player", flat=True))

    def key_of(self, person: Person) -> str:
        return next(key for key, other in self.people.items() if other is person)

    def side_of(self, person: Person) -> str:
        return {spec.key: spec.side for spec in self.game.specs}[self.key_of(person)]

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
        assert 'id="b-yes-player"' in table.page(person.client)
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
    assert ask_back(table, Client()) == 302
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
    assert ask_back(table, Client()) == 302
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
    assert ask_back(table, Client()) == 422
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
    assert "asked for a seat" in table.page(client)
    assert 'id="b-yes-player"' not in table.page(client)


def test_whoever_comes_back_has_the_seat_when_the_others_agree(table, client):
    leave_page(table.game, table.gone)
    ask_back(table, client)
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
        ask_back(table, client)
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
    assert ask_back(table, client) == 302
    assert table.ask(asker) == 302
    page = table.page(others[0].client)
    assert 'id="b-yes-player"' in page and 'id="b-yes-newcomer"' in page
    table.answer(others[0], "no", of="newcomer")
    for person in others:
        table.answer(person)
    assert not table.holders()


def test_a_newcomer_who_was_refused_is_barred_with_the_address(table, client):
    leave_page(table.game, table.gone)
    ask_back(table, client)
    table.answer(table.rest[0], "no", of="newcomer")
    assert ask_back(table, client) == 422
    assert ask_back(table, Client()) == 422
    assert ask_back(table, Client(REMOTE_ADDR="192.0.2.7")) == 302


def test_the_request_of_a_newcomer_lapses(table, client):
    leave_page(table.game, table.gone)
    ask_back(table, client)
    stored = Game.objects.get(pk=table.game.pk).newcomer
    before = timezone.now() - timedelta(minutes=11)
    Game.objects.filter(pk=table.game.pk).update(newcomer=stored | {"since": before.isoformat()})
    clear_all()
    assert table.answer(table.rest[0], of="newcomer") == 409
    assert ask_back(table, Client()) == 302


# --- coming back ---


def take_back(table: Table, person: Person, **form: str) -> int:
    return person.client.post(f"/g/{table.game.pk}/take-back/", form).status_code


def let_sit_in(table: Table) -> Client:
    """Let a newcomer sit in for the absent spymaster, with the consent of all."""
    leave_page(table.game, table.gone)
    client = Client()
    ask_back(table, client)
    for person in table.rest:
        table.answer(person, of="newcomer")
    return client


@pytest.mark.parametrize("way", ["freed", "newcomer"])
def test_the_old_browser_takes_its_seat_back(table, way):
    if way == "newcomer":
        let_sit_in(table)
    else:
        leave_page(table.game, table.gone)
        table.ask(table.rest[0])
        for person in table.rest[1:]:
            table.answer(person)
    assert "Take my seat back" in table.page(table.gone.client)
    assert take_back(table, table.gone) == 302
    assert table.holders() == {table.gone.player.pk}
    assert "Take my seat back" not in table.page(table.gone.client)
    assert take_back(table, table.gone) == 403


def test_a_seat_is_taken_back_from_a_computer(table):
    leave_page(table.game, table.gone)
    path, (first, *others) = f"/g/{table.game.pk}/away/", table.rest
    first.client.post(f"{path}?for=computer", {"away": table.gone_key})
    for person in others:
        table.answer(person)
    assert table.game.seats.get(key=table.gone_key).computer
    claims = Game.objects.get(pk=table.game.pk).claims
    old = timezone.now() - timedelta(days=20)
    for claim in claims:
        claim["since"] = old.isoformat()
    Game.objects.filter(pk=table.game.pk).update(claims=claims)
    clear_all()
    assert take_back(table, table.gone) == 302
    assert table.holders() == {table.gone.player.pk}
    assert not table.game.seats.get(key=table.gone_key).computer


def test_a_computer_sits_in_only_where_the_game_waits(table):
    other = next(key for key in table.people if key not in table.game.to_move)
    leave_page(table.game, table.people[other])
    asker = next(person for key, person in table.people.items() if key != other)
    path = f"/g/{table.game.pk}/away/?for=computer"
    assert asker.client.post(path, {"away": other}).status_code == 422


def test_a_seat_is_taken_back_from_a_person_for_a_day(table):
    let_sit_in(table)
    claims = Game.objects.get(pk=table.game.pk).claims
    claims[0]["since"] = (timezone.now() - timedelta(hours=25)).isoformat()
    Game.objects.filter(pk=table.game.pk).update(claims=claims)
    clear_all()
    assert take_back(table, table.gone) == 403


def test_whoever_was_both_keeps_both_browsers(table):
    let_sit_in(table)
    assert take_back(table, table.gone, both="1") == 302
    assert len(table.holders()) == 2
    assert table.gone.player.pk in table.holders()


def test_strangers_take_nothing_back(table, stranger, client):
    let_sit_in(table)
    assert take_back(table, stranger) == 403
    assert client.post(f"/g/{table.game.pk}/take-back/").status_code == 403


def test_a_stand_in_does_not_end_the_game_or_pass_the_seat_on(table):
    client, path = let_sit_in(table), f"/g/{table.game.pk}"
    page = table.page(client)
    assert 'id="b-resign"' not in page and 'id="b-device"' not in page
    game = Game.objects.get(pk=table.game.pk)
    resigned = {"seat": table.gone_key, "ply": game.ply, "undone": game.undone}
    assert client.post(f"{path}/resign/", resigned).status_code == 403
    assert client.post(f"{path}/give-up/", {"computer": table.gone_key}).status_code == 403
    assert client.post(f"{path}/device/", {"seat": table.gone_key}).status_code == 403
    assert client.post(f"{path}/away/", {"away": table.open[0]}).status_code == 403


def test_a_stand_in_who_left_gets_no_seat_of_another_set(table):
    client = let_sit_in(table)
    take_back(table, table.gone)
    token = start.lobby_token(Game.objects.get(pk=table.game.pk))
    assert client.post(f"/invite/{token}/", {"seat": table.open[0]}).status_code == 422


@pytest.mark.parametrize("way", ["sign out", "delete", "sign in"])
def test_a_browser_that_has_shown_a_secret_takes_no_seat_of_another_set(table, way):
    client = table.gone.client
    client.post(f"/g/{table.game.pk}/give-up/", {"free": table.gone_key})
    if way == "delete":
        password = "correct horse 1"
        accounts.create_account(player=table.gone.player, name="gone", password=password)
        assert client.post("/me/account/delete/", {"password": password}).status_code == 302
        assert not Player.objects.filter(pk=table.gone.player.pk).exists()
    else:
        client.post("/me/devices/sign-out/", {"device": table.gone.player.pk})
    if way == "sign in":
        accounts.create_account(player=new_person("X").player, name="x", password="horse battery")
        client.post("/me/account/sign-in/", {"name": "x", "password": "horse battery"})
    token = start.lobby_token(Game.objects.get(pk=table.game.pk))
    answer = client.post(f"/invite/{token}/", {"seat": table.open[0], "name": "New"})
    assert answer.status_code == 422
    assert "sees something else" in answer.text


# --- presence ---


def test_a_move_is_a_sign_of_life(table):
    leave_page(table.game, table.gone)
    seat, move = next_legal_move(table.game)
    assert seat == table.gone_key
    player = table.gone.player
    play.play_move(game_id=table.game.pk, seat=seat, text=move, ply=0, player=player)
    assert table.ask(table.rest[0]) == 422


def test_a_call_of_the_api_is_a_sign_of_life(table):
    leave_page(table.game, table.gone)
    token = make_token(player=table.gone.player, name="program")
    headers = {"Authorization": f"Bearer {token}"}
    assert Client().get(f"/api/1/games/{table.game.pk}", headers=headers).status_code == 200
    assert table.ask(table.rest[0]) == 422


# --- notices ---


@pytest.mark.parametrize("granted", [False, True])
def test_the_absent_player_is_told_of_the_question_and_of_the_stand_in(table, client, granted):
    player = table.gone.player
    channels.set_hook(player=player, url="https://hooks.example/", site="https://x/")
    leave_page(table.game, table.gone)
    ask_back(table, client)
    for person in table.rest if granted else []:
        table.answer(person, of="newcomer")
    (row,) = PendingNotice.objects.filter(kind=NoticeKind.SEAT_ASKED)
    assert row.player == player
    assert events.notice_of(row) is not None
    table.page(table.gone.client)
    if not granted:
        assert events.notice_of(row) is None
