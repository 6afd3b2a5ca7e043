"""The timer of a turn: when it runs out the turn passes as soon as the rules allow it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.codenames.position import OPERATIVES, SPYMASTERS
from games.codenames.stages import STOP
from games.core.clocks import TimeControl
from games.core.refusals import TimeUp
from games.core.registry import all_rules
from games.models import Game
from games.services import clocks, setup
from games.services.play import fall_flag, play_move
from games.state.replay import verify
from games.state.snapshot import read_snapshot
from games.worker.jobs import SCHEDULES, run_one_job
from tests.support.moments import Now
from tests.support.players import Person

pytestmark = pytest.mark.django_db

KEY = "RRRRR" + "RRRR-" + "BBBBB" + "BBB--" + "----X"
SECOND = 1_000


@pytest.fixture
def game(owner: Person, now: Now) -> Game:
    """Return a game of one person, with typed clues and 90 seconds a turn."""
    rules = all_rules()["codenames"]
    return setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options={"own_key": KEY, "clues": "typed"},
            seating={spec.key: "me" for spec in rules.seats({})},
            time=TimeControl(turn=90),
        ),
    )


def play(game: Game, person: Person, seat: str, move: str = "") -> None:
    position = read_snapshot(game.id).position
    play_move(
        game_id=game.id,
        seat=seat,
        text=move or position.legal_moves(seat)[0],
        ply=read_snapshot(game.id).game.ply,
        player=person.player,
    )


def give_clue_and_guess(game: Game, person: Person) -> None:
    play(game, person, SPYMASTERS["R"])
    play(game, person, OPERATIVES["R"], "a1")


def told(game: Game, person: Person) -> list[str]:
    """Return the sentences about the time for the player of a game, and a spectator."""
    pages = [client.get(game.get_absolute_url()).text for client in (person.client, Client())]
    return [sentence for page in pages for sentence in re.findall(r"(?<=>)Time is up[^<]*", page)]


def test_all_are_told_of_the_missing_part_when_the_time_is_up(game, owner, now):
    now.pass_time(91 * SECOND)
    fall_flag(game_id=game.id)
    assert set(told(game, owner)) == {"Time is up. Give your clue now."}
    play(game, owner, SPYMASTERS["R"])
    assert told(game, owner) == []
    now.pass_time(91 * SECOND)
    fall_flag(game_id=game.id)
    assert set(told(game, owner)) == {"Time is up: one more card."}


def test_a_turn_passes_when_its_time_is_up(game, owner, now):
    give_clue_and_guess(game, owner)
    now.pass_time(89 * SECOND)
    assert fall_flag(game_id=game.id).game.ply == 2
    now.pass_time(2 * SECOND)
    after = fall_flag(game_id=game.id)
    assert (after.moves[-1].seat, after.moves[-1].text) == (OPERATIVES["R"], STOP)
    assert not after.game.over and after.game.to_move == [SPYMASTERS["B"]]
    assert verify(after.game).fault is None


def test_a_guess_that_comes_too_late_is_refused(game, owner, now):
    give_clue_and_guess(game, owner)
    now.pass_time(91 * SECOND)
    with pytest.raises(TimeUp):
        play(game, owner, OPERATIVES["R"], "b1")
    assert [move.text for move in read_snapshot(game.id).moves][1:] == ["a1", STOP]


def test_a_turn_without_a_guess_cannot_pass_yet(game, owner, now):
    play(game, owner, SPYMASTERS["R"])
    now.pass_time(91 * SECOND)
    before = read_snapshot(game.id).game.version
    after = fall_flag(game_id=game.id)
    assert (after.game.ply, after.game.flag_at) == (1, None)
    assert after.game.version == before + 1
    assert fall_flag(game_id=game.id).game.version == before + 1
    play(game, owner, OPERATIVES["R"], "a1")
    now.pass_time(SECOND)
    assert fall_flag(game_id=game.id).moves[-1].text == STOP


def test_spymasters_are_given_as_long_as_they_need(game, owner, now):
    now.pass_time(1_000 * SECOND)
    assert fall_flag(game_id=game.id).game.flag_at is None
    play(game, owner, SPYMASTERS["R"])
    assert read_snapshot(game.id).game.ply == 1


def test_the_timer_starts_again_with_the_clue_and_with_the_next_team(game, owner, now):
    def left() -> int:
        clock = clocks.Clock.from_json(read_snapshot(game.id).game.clock)
        (side,) = clock.running
        return clock.left[side]

    now.pass_time(60 * SECOND)
    play(game, owner, SPYMASTERS["R"])
    assert left() == 90 * SECOND
    now.pass_time(60 * SECOND)
    play(game, owner, OPERATIVES["R"], "a1")
    assert left() == 30 * SECOND
    play(game, owner, OPERATIVES["R"], STOP)
    assert left() == 90 * SECOND


def test_the_worker_passes_the_turn(game, owner, now):
    give_clue_and_guess(game, owner)
    Game.objects.filter(pk=game.pk).update(flag_at=game.created)
    now.pass_time(91 * SECOND)
    assert run_one_job(SCHEDULES[0][:1])
    assert read_snapshot(game.id).moves[-1].text == STOP


def test_the_page_shows_the_timer_and_reminds_the_site_once(game, owner, now):
    page = owner.client.get(game.get_absolute_url()).text
    assert 'role="timer"' in page and "data-over" not in page
    now.pass_time(91 * SECOND)
    fall_flag(game_id=game.id)
    assert "data-over" in owner.client.get(game.get_absolute_url()).text
    assert owner.client.get("/new/codenames/").text.count("seconds a turn") >= 4
