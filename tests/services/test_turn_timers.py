"""Timers of turns that are only shown, because the rules have no move that passes a turn."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core.clocks import TimeControl
from games.core.registry import all_rules
from games.services import clocks, play, setup
from tests.support.game_requests import post_move
from tests.support.kinds import two_player_rules

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("written", ["30s", "90s", "600s"])
def test_the_seconds_of_a_turn_read_as_they_are_written(written):
    assert str(TimeControl.parse(written)) == written


@pytest.mark.parametrize("written", ["5s", "601s", "s", "90", "-90s", "1000s"])
def test_other_seconds_are_no_time_control(written):
    assert TimeControl.parse(written) is None


def test_running_out_of_time_costs_nothing_if_a_turn_cannot_pass(owner, monkeypatch):
    rules = two_player_rules()
    moment = clocks.now_ms()
    monkeypatch.setattr(clocks, "now_ms", lambda: moment)
    game = setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options={},
            seating={spec.key: "me" for spec in rules.seats(rules.clean({}))},
            time=TimeControl(turn=60),
        ),
    )
    moment += 100_000
    after = play.fall_flag(game_id=game.id)
    assert (after.game.ply, after.game.over, after.game.flag_at) == (0, False, None)
    for client in (owner.client, Client()):
        assert "Time is up." in client.get(game.get_absolute_url()).text
    assert post_move(owner, game).status_code == 302
    assert "Time is up." not in owner.client.get(game.get_absolute_url()).text


def test_timers_are_offered_where_turns_can_pass(owner):
    for rules in all_rules().values():
        page = owner.client.get(f"/new/{rules.slug}/").text
        assert ("seconds a turn</option>" in page) == bool(rules.turn_times)
