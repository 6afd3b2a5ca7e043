"""Seats that others have given to stand-ins are taken back, and absent players are told of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.models import Game, NoticeKind, Outgoing, Player
from games.notices import channels, events
from games.people import accounts
from games.people.bots import make_token
from games.services import lobby, play, seats
from games.services.play import play_for_site
from games.services.players import name_seats
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import Table, leave_page, let_a_computer_play
from tests.support.game_requests import next_legal_move
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(owner: Person) -> Table:
    return Table(owner)


def take_back(table: Table, person: Person, **form: str) -> int:
    return person.client.post(f"/g/{table.game.pk}/take-back/", form).status_code


def let_sit_in(table: Table) -> Client:
    """Let a newcomer sit in for the absent spymaster, with the consent of all."""
    leave_page(table.game, table.gone)
    client = Client()
    table.ask_back(client)
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


def test_the_seat_keeps_the_name_that_it_had(table):
    name_seats(game_id=table.game.pk, player=table.gone.player, names={table.gone_key: "Ada"})
    let_sit_in(table)
    take_back(table, table.gone)
    assert read_snapshot(table.game.pk).seating.name_on(table.gone_key) == "Ada"
    assert "Ada is back" in table.page(table.rest[0].client)


def test_a_newcomer_sits_down_by_the_name_of_the_form(table, client):
    leave_page(table.game, table.gone)
    assert 'name="name"' in table.page(client)
    client.post(f"/g/{table.game.pk}/back/", {"back": table.gone_key, "name": "Bea"})
    for person in table.rest:
        table.answer(person, of="newcomer")
    assert read_snapshot(table.game.pk).seating.name_on(table.gone_key) == "Bea"


def test_a_private_game_lets_in_a_player_who_can_take_a_seat_back(table, stranger):
    let_sit_in(table)
    Game.objects.filter(pk=table.game.pk).update(closed=True)
    clear_all()
    assert "Take my seat back" in table.page(table.gone.client)
    assert stranger.client.get(table.game.get_absolute_url()).status_code == 403


def test_a_player_who_lost_the_seat_for_good_is_told(table, stranger):
    client, key = table.people[table.open[1]].client, table.open[1]
    client.post(f"/g/{table.game.pk}/give-up/", {"free": key})
    told = "You no longer have a seat in this game"
    assert told in table.page(client) and told not in table.page(stranger.client)
    lobby.sit_down(game_id=table.game.pk, seat_key=key, player=stranger.player)
    assert told in table.page(client) and f"b-take-{key}" not in table.page(client)


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
    token = seats.lobby_token(Game.objects.get(pk=table.game.pk))
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
    token = seats.lobby_token(Game.objects.get(pk=table.game.pk))
    answer = client.post(f"/invite/{token}/", {"seat": table.open[0], "name": "New"})
    assert answer.status_code == 422
    assert "sees something else" in answer.text


def test_a_program_takes_back_the_seat_of_its_player(table, stranger):
    let_sit_in(table)
    address, seat = f"/api/1/games/{table.game.pk}", table.gone_key
    for person, free in ((table.rest[0], []), (stranger, []), (table.gone, [seat])):
        token = make_token(player=person.player, name="program")
        program = Client(headers={"Authorization": f"Bearer {token}"})
        assert program.get(address).json()["free_seats"] == free
        assert program.post(f"{address}/seats/{seat}").status_code == (200 if free else 409)
    assert table.holders() == {table.gone.player.pk}


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
    table.ask_back(client)
    for person in table.rest if granted else []:
        table.answer(person, of="newcomer")
    (row,) = Outgoing.objects.filter(kind=NoticeKind.SEAT_ASKED)
    assert row.player == player
    assert events.notice_of(row) is not None
    table.page(table.gone.client)
    if not granted:
        assert events.notice_of(row) is None


# --- clocks ---


def use_up_turn(table: Table) -> None:
    """Let the game have a timer of turns, which is up."""
    clock = Clock.new(TimeControl(turn=60), table.game.specs)
    clock = clock.run([table.side_of(table.gone)], 1)
    Game.objects.filter(pk=table.game.pk).update(clock=clock.to_json(), flag_at=None)
    clear_all()


@pytest.mark.parametrize("scripts", [False, True])
def test_a_team_whose_player_has_gone_sees_how_to_play_on_when_the_time_is_up(table, scripts):
    asker, headers = table.rest[0], {"HX-Request": "true"} if scripts else {}
    path, away = f"/g/{table.game.pk}/board/", "Someone is away"

    def is_in_sight(client: Client) -> bool:
        page = client.get(path, headers=headers).text
        return page.find(away) < page.find('id="b-menu"') if away in page else False

    assert not is_in_sight(asker.client)
    use_up_turn(table)
    assert [is_in_sight(person.client) for person in table.rest] == [True] * len(table.rest)
    assert not is_in_sight(table.gone.client) and not is_in_sight(Client())
    leave_page(table.game, table.gone)
    assert let_a_computer_play(table.game, table.gone_key, asker) == 302
    for person in table.rest[1:]:
        table.answer(person)
    assert table.game.seats.get(key=table.gone_key).computer
    assert table.gone.client.post(f"/g/{table.game.pk}/take-back/").status_code == 302
    assert table.holders() == {table.gone.player.pk}


def test_a_turn_that_the_site_passes_leaves_the_request_for_a_seat_open(table):
    use_up_turn(table)
    leave_page(table.game, table.gone)
    let_a_computer_play(table.game, table.gone_key, table.rest[0])
    snapshot = read_snapshot(table.game.pk)
    (move, *_) = snapshot.position.legal_moves(table.gone_key)
    play_for_site(snapshot, table.gone_key, move)
    for person in table.rest[1:]:
        assert table.answer(person) == 302
    assert table.game.seats.get(key=table.gone_key).computer


@pytest.mark.parametrize("days", [0, 3])
def test_a_slow_game_is_played_on_by_a_computer_and_taken_back(table, days):
    """Beside days a move nobody is away within a day."""
    clock = Clock.new(TimeControl(days=3), table.game.specs) if days else None
    Game.objects.filter(pk=table.game.pk).update(clock=clock and clock.to_json())
    leave_page(table.game, table.gone, by=timedelta(hours=25))
    assert let_a_computer_play(table.game, table.gone_key, table.rest[0]) == 302
    for person in table.rest[1:]:
        table.answer(person)
    assert table.game.seats.get(key=table.gone_key).computer
    assert "Take my seat back" in table.page(table.gone.client)
    assert table.gone.client.post(f"/g/{table.game.pk}/take-back/").status_code == 302
    assert table.holders() == {table.gone.player.pk}
