"""Verification of stored games in the admin."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command

from games.models import Account, Device, EmailAddress, Game, Move
from tests.support.game_factory import make_game, make_game_with_moves, make_lobby
from tests.support.game_requests import post_move
from tests.support.players import Person
from tests.support.staff import GAME_LIST, change_page, log_in_staff, verify_page

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


def corrupt(game: Game, ply: int) -> None:
    Move.objects.filter(game=game, ply=ply).update(text="z99")


def test_a_sound_game_verifies(clerk, game):
    response = clerk.post(verify_page(game), follow=True)
    assert "5 moves replayed" in response.text


def test_the_messages_of_verification_set_no_cookie(clerk, game):
    response = clerk.post(verify_page(game))
    assert response.status_code == 302
    assert set(response.cookies) <= {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def test_verification_names_the_first_move_that_does_not_replay(clerk, game):
    corrupt(game, 3)
    corrupt(game, 4)
    response = clerk.post(verify_page(game), follow=True)
    assert "Move 3 can’t be replayed" in response.text
    assert "z99" in response.text


def test_verification_finds_a_missing_move(clerk, game):
    Move.objects.filter(game=game, ply=2).delete()
    response = clerk.post(verify_page(game), follow=True)
    assert "Move 2 is missing." in response.text


def test_verification_finds_a_result_that_differs_from_the_replay(clerk, game):
    Game.objects.filter(pk=game.pk).update(status="over")
    response = clerk.post(verify_page(game), follow=True)
    assert "its replay is not" in response.text


def test_several_games_are_verified_by_one_action(clerk, game, owner):
    good = make_game(owner)
    corrupt(game, 1)
    data = {"action": "verify_selected", "_selected_action": [game.pk, good.pk]}
    response = clerk.post(GAME_LIST, data, follow=True)
    assert f"Game {game.pk}: Move 1 can’t be replayed" in response.text
    assert "1 game is intact." in response.text


def test_games_beyond_the_limit_of_one_verification_are_counted(clerk, game, owner, monkeypatch):
    selected = [game.pk, *(make_game(owner).pk for _ in range(3))]
    for limit, message in (
        (2, "2 more selected games were not checked."),
        (3, "1 more selected game was"),
    ):
        monkeypatch.setattr("games.admin.games.VERIFIED_AT_ONCE", limit)
        data = {"action": "verify_selected", "_selected_action": selected}
        response = clerk.post(GAME_LIST, data, follow=True).text
        assert f"{limit} games are intact." in response
        assert message in response


def test_games_within_the_limit_are_all_verified(clerk, game, owner, monkeypatch):
    monkeypatch.setattr("games.admin.games.VERIFIED_AT_ONCE", 2)
    data = {"action": "verify_selected", "_selected_action": [game.pk, make_game(owner).pk]}
    assert "not checked" not in clerk.post(GAME_LIST, data, follow=True).text


def test_a_get_of_the_verify_address_changes_nothing(clerk, game):
    assert clerk.get(verify_page(game)).status_code == 403


def verified() -> bool:
    """Return whether `verify_games --mark` finds all games sound."""
    try:
        call_command("verify_games", "--mark", verbosity=0)
    except CommandError:
        return False
    return True


def test_an_open_lobby_is_sound(owner):
    make_lobby(owner)
    assert verified()


def test_the_mark_goes_once_the_game_is_well(clerk, game, owner):
    Game.objects.filter(pk=game.pk).update(result_json="all")
    assert not verified()
    game.refresh_from_db()
    assert game.fault
    post_move(owner, game)
    game.refresh_from_db()
    assert game.fault is None and verified()


def test_the_mark_goes_when_staff_verify_a_game_that_is_well(clerk, game):
    Game.objects.filter(pk=game.pk).update(fault={"plies": 0, "reason": {}})
    clerk.post(verify_page(game))
    game.refresh_from_db()
    assert game.fault is None


def test_the_board_of_a_damaged_row_does_not_come_from_the_cache(clerk, game):
    page = change_page(game)
    assert "errornote" not in clerk.get(page).text
    corrupt(game, 3)
    shown = clerk.get(page).text
    assert "Move 3 can’t be replayed" in shown
    assert "Position after move 2 of 5" in shown


def test_the_page_of_a_game_shows_its_moves_with_times_and_links_to_positions(game):
    shown = log_in_staff("view_game").get(change_page(game)).text
    assert '<a href="?ply=4">4</a>' in shown
    for label in ("Time control", "Closed to watchers", "Hints allowed", "Moves taken back"):
        assert label in shown


def test_who_has_left_a_game_is_on_its_page(clerk, owner, opponent):
    game = make_game(owner, opponent)
    seat = game.seats.get(players=owner.player)
    Move.objects.create(game=game, ply=1, seat=seat.key, text="x", player=owner.player)
    seat.holders.all().delete()
    shown = clerk.get(change_page(game)).text
    assert f"/admin/games/player/{owner.player.pk}/change/" in shown


def test_seeing_secrets_is_in_the_history_of_the_game(game):
    log_in_staff("view_game", "see_secrets").get(change_page(game), {"secrets": ""})
    assert [entry.change_message for entry in LogEntry.objects.all()] == ["Saw the secrets"]


def test_an_ordinary_look_is_not_in_the_history(clerk, game):
    clerk.get(change_page(game))
    assert not LogEntry.objects.exists()


def test_the_page_of_a_player_shows_account_address_and_devices_without_secrets(clerk, owner):
    account = Account.objects.create(player=owner.player, name="Olive O", key="k", password="hash")
    EmailAddress.objects.create(account=account, address="olive@boards.example", site="s")
    device = Device.objects.create(player=owner.player, name="Firefox on Linux")
    shown = clerk.get(f"/admin/games/player/{owner.player.pk}/change/").text
    for known in ("Olive O", "olive@boards.example", "Firefox on Linux"):
        assert known in shown
    assert str(device.pk) not in shown and "hash" not in shown
