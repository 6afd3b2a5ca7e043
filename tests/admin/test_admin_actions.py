"""Actions of staff: asked first, done by a service, and logged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from games.contract import text
from games.core.registry import all_rules
from games.models import Game, Move, Player
from games.services import players
from games.storage.cache import clear_all
from tests.support.game_factory import make_finished_game, make_game, make_game_with_moves
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import kinds_with_secrets
from tests.support.staff import GAME_LIST, change_page, log_in_staff

pytestmark = pytest.mark.django_db

PLAYER_LIST = "/admin/games/player/"


@pytest.fixture
def head(db: None) -> Client:
    """Return a client of staff who may change games and players."""
    permissions = ["view_game", "end_game", "view_player", "suspend_player", "forget_player"]
    return log_in_staff(*permissions)


def act(client: Client, row: Game | Player, action: str, **data: str) -> str:
    """Post an action for one row, and return the page that follows."""
    address = PLAYER_LIST if isinstance(row, Player) else GAME_LIST
    sent = {"action": action, "_selected_action": row.pk, "post": "yes", **data}
    return client.post(address, sent, follow=True).text


def exported(response: Any) -> list[Any]:
    """Return the games of a file of JSON lines."""
    return [*map(json.loads, b"".join(response.streaming_content).splitlines())]


@pytest.mark.parametrize("action", ["take_names_away", "suspend", "unsuspend", "forget"])
def test_an_action_on_a_player_asks_first(head, owner, action):
    page = head.post(PLAYER_LIST, {"action": action, "_selected_action": owner.player.pk})
    assert page.status_code == 200
    assert str(owner.player.pk) in page.text and 'name="post"' in page.text
    owner.player.refresh_from_db()
    assert (owner.player.name, owner.player.suspended) == ("Olive", False)
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("action", ["take_names_away", "suspend", "forget"])
def test_an_action_needs_a_permission(clerk, owner, action):
    act(clerk, owner.player, action)
    owner.player.refresh_from_db()
    assert (owner.player.name, owner.player.suspended) == ("Olive", False)


@pytest.mark.services
def test_staff_suspend_a_player_and_end_the_suspension(head, owner, opponent):
    game = make_game(owner, opponent)
    act(head, owner.player, "suspend")
    assert post_move(owner, game).status_code == 403
    act(head, owner.player, "unsuspend")
    assert post_move(owner, game).status_code == 302
    labels = LogEntry.objects.order_by("id").values_list("change_message", flat=True)
    assert list(labels) == ["Suspend", "End the suspension"]


def test_staff_remove_the_names_of_a_device(head, owner, client):
    game = make_game(owner)
    key = game.seats.first().key
    players.name_seats(game_id=game.pk, player=owner.player, names={key: "Rude"})
    act(head, owner.player, "take_names_away")
    page = client.get(game.get_absolute_url()).text
    assert "Rude" not in page and "Olive" not in page
    assert LogEntry.objects.get().object_id == str(owner.player.pk)


@pytest.mark.services
def test_staff_delete_the_data_of_a_player(head, owner, opponent):
    game = make_finished_game(owner, opponent)
    act(head, owner.player, "suspend")
    act(head, owner.player, "forget")
    assert not Player.objects.filter(pk=owner.player.pk).exists()
    assert Game.objects.filter(pk=game.pk).exists()
    entries = LogEntry.objects.values_list("object_repr", flat=True)
    assert set(entries) == {str(owner.player.pk)}


def test_the_page_of_a_player_offers_the_actions(head, owner):
    page = head.get(f"{PLAYER_LIST}{owner.player.pk}/change/").text
    assert 'value="suspend"' in page and 'value="forget"' in page


def test_staff_without_permission_are_offered_no_actions(clerk, owner):
    page = clerk.get(f"{PLAYER_LIST}{owner.player.pk}/change/").text
    assert "formaction" not in page


def test_an_action_from_the_page_of_a_player_leads_back_there(head, owner):
    data = {"action": "suspend", "_selected_action": owner.player.pk, "post": "yes", "page": "1"}
    response = head.post(PLAYER_LIST, data)
    assert response.url == f"{PLAYER_LIST}{owner.player.pk}/change/"


def test_more_rows_than_one_action_takes_are_left_alone(head, owner, opponent, monkeypatch):
    monkeypatch.setattr("games.admin.confirmed.AT_ONCE", 1)
    keys = [owner.player.pk, opponent.player.pk]
    data = {"action": "suspend", "_selected_action": keys, "post": "yes"}
    assert "Select at most 1 at once." in head.post(PLAYER_LIST, data, follow=True).text
    assert not Player.objects.filter(suspended=True).exists()


def test_staff_end_a_game(head, owner, opponent):
    game = make_game(owner, opponent)
    waiting = set(game.to_move)
    act(head, game, "end")
    game.refresh_from_db()
    assert game.over
    assert waiting.isdisjoint(game.result.winners)
    assert LogEntry.objects.get().object_id == game.pk


@pytest.mark.services
@pytest.mark.parametrize("kind", sorted(all_rules()))
def test_staff_end_a_game_of_every_kind(head, owner, kind):
    game = make_game(owner, rules=all_rules()[kind])
    act(head, game, "end")
    game.refresh_from_db()
    assert game.over


def test_a_game_that_staff_call_off_counts_for_nobody_and_says_why(head, owner, opponent):
    game = make_game(owner, opponent)
    act(head, game, "call_off", reason="A test of the site.")
    game.refresh_from_db()
    assert game.over and game.result.void
    page = get_game_page(opponent, game)
    assert "The game was called off." in page and "A test of the site." in page
    assert LogEntry.objects.get().object_id == game.pk


def test_a_finished_game_cannot_be_ended_again(head, owner):
    game = make_finished_game(owner)
    assert "The game is over." in act(head, game, "end")
    assert not LogEntry.objects.exists()


def test_a_game_that_does_not_replay_is_not_ended(head, owner):
    game = make_game_with_moves(owner, 4)
    Move.objects.filter(game=game, ply=3).update(text="z99")
    clear_all()
    assert "Move 3 can’t be replayed" in act(head, game, "end")


def test_staff_free_a_stuck_game(head, owner):
    game = make_game(owner)
    Game.objects.filter(pk=game.pk).update(
        computer_to_move=True, to_move=[], undo_request={"asker": "x", "accepted": []}
    )
    clear_all()
    act(head, game, "free")
    game.refresh_from_db()
    assert not game.computer_to_move and game.undo_request is None
    assert post_move(owner, game).status_code == 302


def test_the_page_of_a_broken_game_names_the_broken_move(head, owner):
    game = make_game_with_moves(owner, 5)
    Move.objects.filter(game=game, ply=4).update(text="z99")
    fault = {"plies": 3, "reason": text("Move %(ply)s is missing.", ply=4).to_json()}
    Game.objects.filter(pk=game.pk).update(fault=fault)
    clear_all()
    page = head.get(change_page(game)).text
    assert "Move 4 can’t be replayed" in page
    assert '<tr class="broken">' in page
    assert f'href="{change_page(game)}?ply=3"' in page


def test_selected_games_are_exported_as_json_lines(head, owner, opponent):
    games = [make_game_with_moves(owner, 3), make_game(owner, opponent), make_game(opponent)]
    data = {"action": "export", "_selected_action": [game.pk for game in games[:2]]}
    response = head.post(GAME_LIST, data)
    lines = {line["id"]: line for line in exported(response)}
    assert set(lines) == {game.pk for game in games[:2]}
    moves = games[0].moves.values_list("seat", "text")
    document = lines[games[0].pk]
    assert [(move["seat"], move["move"]) for move in document["moves"]] == [*moves]
    assert [seat["ids"] for seat in document["seats"].values()] == [[str(owner.player.pk)]] * 2
    assert "attachment" in response["Content-Disposition"]


def test_an_export_holds_secrets_for_staff_who_may_see_them_alone(owner):
    games = [make_game(owner, rules=all_rules()[kind]) for kind in kinds_with_secrets()]
    data = {"action": "export", "_selected_action": [game.pk for game in games]}
    clerk = log_in_staff("view_game")
    assert not any(game["setup"] for game in exported(clerk.post(GAME_LIST, data)))
    assert not LogEntry.objects.exists()
    head = log_in_staff("view_game", "see_secrets", name="head")
    assert all(game["setup"] for game in exported(head.post(GAME_LIST, data)))
    assert {(entry.object_id, entry.change_message) for entry in LogEntry.objects.all()} == {
        (game.pk, "Saw the secrets") for game in games
    }
    assert not any(game["setup"] for game in exported(head.get(f"{GAME_LIST}export/")))


@pytest.mark.services
def test_all_games_that_match_the_filters_of_the_list_are_exported(head, owner, opponent):
    running, ended = make_game(owner, opponent), make_finished_game(owner, opponent)
    address = f"{GAME_LIST}export/"
    assert f'href="{address}?status=over"' in head.get(f"{GAME_LIST}?status=over").text
    for query, games in (("", {running, ended}), ("?status=over", {ended}), ("?q=nobody", set())):
        ids = {game["id"] for game in exported(head.get(address + query))}
        assert ids == {game.pk for game in games}


def test_staff_who_may_not_see_games_export_none(owner):
    make_game(owner)
    assert log_in_staff("view_player").get(f"{GAME_LIST}export/").status_code == 403


@pytest.mark.parametrize("reason", ["", "Nobody   came back."])
def test_the_end_of_a_game_by_staff_says_so_and_why_to_players_and_in_the_history(
    head, owner, opponent, reason
):
    game = make_game(owner, opponent)
    act(head, game, "end", reason=reason)
    page = owner.client.get(game.get_absolute_url()).text
    why = "game: Nobody came back." if reason else "game."
    assert f"The staff of this site ended this {why}" in page
    logged = "End: Nobody came back." if reason else "End"
    assert LogEntry.objects.get().change_message == logged


def test_the_end_of_a_game_by_staff_stays_in_the_list_of_moves(head, owner, opponent):
    game = make_game(owner, opponent)
    act(head, game, "end", reason="Nobody came back.")
    seat = game.seats.get(players=owner.player).key
    owner.client.post(f"/g/{game.pk}/say/", {"seat": seat, "say": "thanks"})
    page = owner.client.get(game.get_absolute_url(), {"moves": "all"}).text
    assert "The staff of this site ended this game: Nobody came back." in page


def test_the_end_of_a_game_by_staff_is_told_in_the_language_of_the_player(head, owner, opponent):
    game = make_game(owner, opponent)
    act(head, game, "end", reason="Niemand kwam terug.")
    page = opponent.client.get(game.get_absolute_url(), headers={"Accept-Language": "nl"}).text
    assert "De beheerders van deze site hebben deze partij beëindigd: Niemand kwam terug." in page


def test_the_reason_of_a_suspension_is_on_the_page_of_the_player(head, owner):
    act(head, owner.player, "suspend", reason="Spam")
    assert "suspended: Spam" in head.get(f"{PLAYER_LIST}{owner.player.pk}/change/").text


def test_an_action_asks_for_its_reason(head, owner):
    page = head.post(PLAYER_LIST, {"action": "suspend", "_selected_action": owner.player.pk}).text
    assert 'name="reason"' in page
    act(head, owner.player, "suspend", reason="Spam")
    assert LogEntry.objects.get().change_message == "Suspend: Spam"


@pytest.mark.services
def test_staff_export_the_data_of_a_player_which_is_logged(head, owner):
    sent = {"action": "export_data", "_selected_action": owner.player.pk}
    answer = head.post(PLAYER_LIST, sent)
    assert json.loads(b"".join(answer.streaming_content))["name"] == "Olive"
    assert LogEntry.objects.get().change_message == "Export the data"
    assert owner.player.security_events.get().about == "Export the data"
    assert "Export the data" in head.get(f"{PLAYER_LIST}{owner.player.pk}/change/").text
    clerk = log_in_staff("view_player", name="other")
    refused = clerk.post(PLAYER_LIST, sent, follow=True)
    assert not refused.streaming and LogEntry.objects.count() == 1


def test_an_act_of_staff_is_among_the_events_of_the_player(head, owner):
    act(head, owner.player, "suspend", reason="spam")
    assert "Suspend: spam" in owner.client.get("/me/access/").text
