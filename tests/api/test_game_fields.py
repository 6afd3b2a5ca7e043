"""All that people can do with a game has a field or an endpoint for programs, with answers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game, Holder
from games.services.lobby import close_to_watchers
from games.state.questions import MOVES, UNDO, VOID
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.api.test_api import Program, problem, program_of
from tests.support.absences import Table, leave_page
from tests.support.game_factory import (
    make_finished_game,
    make_game,
    make_game_with_moves,
    make_lobby,
)
from tests.support.game_requests import post_move
from tests.support.kinds import kinds_with_secrets, seat_keys

DRAWN = next(rules for rules in all_rules().values() if rules.draws)


def begin(program: Program, **fields: Any) -> Any:
    response = program.post("games", **fields)
    assert response.status_code == 201, response.content
    return response.json()


def board(game: Game) -> dict[str, int]:
    return {"ply": game.ply, "undone": game.undone}


# --- new games -------------------------------------------------------------------------------


@pytest.mark.parametrize("time", ["5+3", "3d"])
def test_a_game_with_a_clock_tells_the_time_of_each_side(owner, time):
    mine = seat_keys(DRAWN)[0]
    state = begin(program_of(owner), kind=DRAWN.slug, time=time, seating={mine: "me"})
    assert state["clock"]["control"] == time
    assert len(state["clock"]["left"]) == 2 and min(state["clock"]["left"].values()) > 0


@pytest.mark.parametrize("time", ["5", "99d", "11s", "soon"])
def test_a_clock_that_the_game_does_not_have_is_refused_by_its_field(owner, time):
    refused = program_of(owner).post("games", kind=DRAWN.slug, time=time)
    assert (problem(refused, 422), refused.json()["field"]) == ("bad_setup", "time")


def test_a_game_begins_at_the_first_position_of_another_and_with_moves(owner):
    program, seating = program_of(owner), dict.fromkeys(seat_keys(DRAWN), "me")
    moves = DRAWN.transcript.example
    first = begin(program, kind=DRAWN.slug, seating=seating, moves=moves)
    assert first["ply"] == len(first["moves"]) > 0
    again = begin(program, kind=DRAWN.slug, seating=seating, setup=first["setup"])
    assert (again["setup"], again["ply"]) == (first["setup"], 0)
    assert again["imported"] and first["imported"]


@pytest.mark.parametrize("slug", sorted(all_rules()))
def test_a_first_position_that_the_game_cannot_have_is_refused(owner, slug):
    refused = program_of(owner).post("games", kind=slug, setup={"nonsense": 1})
    assert (problem(refused, 422), refused.json()["field"]) == ("bad_setup", "setup")


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_nobody_begins_a_game_whose_secrets_are_known(owner, stranger, slug):
    setup = make_game(owner, rules=all_rules()[slug]).setup
    refused = program_of(stranger).post("games", kind=slug, setup=setup)
    assert (problem(refused, 422), refused.json()["field"]) == ("bad_setup", "setup")


def test_a_closed_game_is_closed_from_the_first_moment(owner, stranger):
    state = begin(program_of(owner), kind=DRAWN.slug, closed=True)
    refused = program_of(stranger).get(f"games/{state['id']}")
    assert problem(refused, 403) == "closed_to_watchers"


@pytest.mark.parametrize("do", ["remind", "claim", "free", "computer"])
def test_a_program_that_has_waited_for_days_may_do_what_people_may(owner, opponent, stranger, do):
    game = make_game(owner, opponent, rules=DRAWN)
    post_move(owner, game)
    game.refresh_from_db()
    path, sent = f"games/{game.id}", {"do": do, **board(game)}
    assert program_of(owner).get(path).json()["absent"] == []
    assert program_of(owner).post(f"{path}/absent", **sent).status_code == 422
    long_ago = timezone.now() - settings.ABSENT_AFTER - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(updated=long_ago)
    clear_all()
    (gone,) = program_of(owner).get(path).json()["absent"]
    assert problem(program_of(stranger).post(f"{path}/absent", **sent), 403) == "not_your_seat"
    assert program_of(opponent).post(f"{path}/absent", **sent).status_code == 422
    state = program_of(owner).post(f"{path}/absent", **sent).json()
    seat = read_snapshot(game.pk).seating.places[gone]
    assert state["over"] == (do == "claim")
    assert (seat.computer is not None, seat.empty) == (do == "computer", do == "free")


# --- questions -------------------------------------------------------------------------------


def asked(kind: str, owner: Any, opponent: Any) -> tuple[Game, str]:
    """Return a game in which the owner's program has asked for something, and its path."""
    game = make_game(owner, opponent, rules=DRAWN)
    post_move(owner, game)
    game.refresh_from_db()
    path = f"games/{game.id}"
    response = program_of(owner).post(f"{path}/questions", kind=kind, **board(game))
    assert response.status_code == 200, response.content
    return game, path


@pytest.mark.parametrize("kind", MOVES)
def test_a_question_is_a_field_that_both_see(owner, opponent, kind):
    _game, path = asked(kind, owner, opponent)
    mine, other = seat_keys(DRAWN)
    expected = {"kind": kind, "asker": mine, "waiting": [other], "agreed": [], "seat": None}
    for person in (owner, opponent):
        assert program_of(person).get(path).json()["questions"] == [expected]


@pytest.mark.parametrize("kind", MOVES)
def test_only_the_asked_answer_and_their_yes_counts(owner, opponent, stranger, kind):
    game, path = asked(kind, owner, opponent)
    sent = {"kind": kind, "agree": True, **board(game)}
    assert problem(program_of(stranger).post(f"{path}/answers", **sent), 403) == "not_your_seat"
    state = program_of(opponent).post(f"{path}/answers", **sent).json()
    assert (state["questions"], state["over"], state["undone"]) == ([], kind != UNDO, kind == UNDO)
    assert bool(state["result"] and state["result"]["void"]) == (kind == VOID)


@pytest.mark.parametrize("kind", MOVES)
def test_a_no_ends_a_question_and_the_game_goes_on(owner, opponent, kind):
    game, path = asked(kind, owner, opponent)
    sent = {"kind": kind, "agree": False, **board(game)}
    state = program_of(opponent).post(f"{path}/answers", **sent).json()
    assert (state["questions"], state["over"], state["ply"]) == ([], False, 1)


@pytest.mark.parametrize("path", ["questions", "answers"])
def test_an_unknown_question_is_refused_by_its_field(owner, opponent, path):
    game = make_game(owner, opponent)
    more = {"agree": True} if path == "answers" else {}
    refused = program_of(owner).post(f"games/{game.id}/{path}", kind="money", ply=0, **more)
    assert (problem(refused, 422), refused.json()["field"]) == ("bad_setup", "kind")


def test_a_stand_in_is_asked_for_and_answered_by_programs(owner, stranger):
    table = Table(owner)
    leave_page(table.game, table.gone)
    path, asker, others = f"games/{table.game.pk}", table.rest[0], table.rest[1:]
    for person in table.rest:
        state = program_of(person).get(path).json()
    assert state["away"] == [table.gone_key]
    sent = {"kind": "seat", "seat": table.gone_key, "computer": True, "ply": 0}
    state = program_of(asker).post(f"{path}/questions", **sent).json()
    (question,) = state["questions"]
    assert (question["kind"], question["seat"]) == ("seat", table.gone_key)
    assert program_of(stranger).get(path).json()["questions"] == []
    for person in others:
        answered = program_of(person).post(f"{path}/answers", kind="seat", agree=True, ply=0)
        assert answered.status_code == 200
    assert table.game.seats.get(key=table.gone_key).computer


def test_every_conflict_comes_with_the_latest_position(owner, opponent):
    game, path = asked(UNDO, owner, opponent)
    post_move(opponent, game)
    game.refresh_from_db()
    asking = program_of(owner).post(f"{path}/questions", kind=UNDO, ply=0)
    assert (problem(asking, 409), asking.json()["state"]["ply"]) == ("stale_ply", 2)
    program_of(owner).post(f"{path}/resign", seat=seat_keys(DRAWN)[0], **board(game))
    ended = program_of(owner).post(f"{path}/seats/{seat_keys(DRAWN)[0]}/hand-over", to="me")
    assert (problem(ended, 409), ended.json()["state"]["over"]) == ("game_ended", True)


# --- after the game --------------------------------------------------------------------------


def test_two_programs_agree_on_a_rematch(owner, opponent):
    path = f"games/{make_finished_game(owner, opponent).id}"
    offered = program_of(owner).post(f"{path}/rematch").json()
    told = program_of(opponent).get(path).json()["rematch"]
    assert (told["id"], told["begun"]) == (offered["id"], False)
    accepted = program_of(opponent).post(f"{path}/rematch").json()
    assert (accepted["id"], accepted["begun"]) == (offered["id"], True)


def test_no_rematch_of_a_running_game_or_by_a_stranger(owner, opponent, stranger):
    game = make_game(owner, opponent)
    assert problem(program_of(owner).post(f"games/{game.id}/rematch"), 422) == "refusal"
    over = make_finished_game(owner, opponent)
    refused = program_of(stranger).post(f"games/{over.id}/rematch")
    assert problem(refused, 403) == "not_your_seat"


def test_finished_games_are_listed_in_pages_and_since_a_moment(owner, opponent, stranger):
    games = [make_finished_game(owner, opponent).id for _ in range(26)]
    program, now = program_of(owner), timezone.now()
    for number, game_id in enumerate(games):
        ended = now - timedelta(days=number)
        Holder.objects.filter(seat__game=game_id).update(ended=ended)
    first = program.get("games/finished").json()
    rest = program.get("games/finished", before=first["older"]).json()
    assert [game["id"] for game in first["games"] + rest["games"]] == games
    assert rest["older"] is None and first["games"][0]["result"]["winners"]
    latest = program.get("games/finished", since=(now - timedelta(days=3)).isoformat()).json()
    assert [game["id"] for game in latest["games"]] == games[:4]
    assert program.get("games/finished", since=first["now"]).json()["games"] == []
    assert program_of(stranger).get("games/finished").json()["games"] == []
    assert problem(program.get("games/finished", since="yesterday"), 422) == "bad_request"


def test_an_export_is_the_file_of_the_page(owner, opponent):
    game = make_game_with_moves(owner, 3)
    exported = program_of(owner).get(f"games/{game.id}/export").json()
    assert exported == owner.client.get(f"/g/{game.id}/export.json").json()
    assert len(exported["moves"]) == 3


def test_no_export_of_a_lobby_or_of_a_closed_game(owner, opponent, stranger):
    lobby = make_lobby(owner)
    assert problem(program_of(owner).get(f"games/{lobby.id}/export"), 409) == "not_begun"
    closed = make_game(owner, opponent)
    close_to_watchers(game_id=closed.id, player=owner.player, closed=True)
    refused = program_of(stranger).get(f"games/{closed.id}/export")
    assert problem(refused, 403) == "closed_to_watchers"
