"""Databases of older versions are migrated with all their rows."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import polib
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from games.contract import Rules
from games.core.registry import all_rules
from games.models import Analysis, Evaluation, Game, Move
from games.services import computers, play
from games.state.packed_values import pack, unpack_together
from games.state.replay import verify
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_resign
from tests.support.players import Person
from tests.support.random_games import play_randomly
from tests.support.snapshots import position_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def migrate_to(name: str) -> None:
    """Bring the tables of the app to one of its migrations."""
    executor = MigrationExecutor(connection)
    executor.migrate([("games", name)])


@pytest.fixture
def newest():
    """Return the name of the newest migration, to which the test's database returns."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes("games")
    yield leaves[0][1]
    migrate_to(leaves[0][1])


def old_model(migration: str, name: str) -> type[Model]:
    """Return a model as it was after a migration."""
    loader = MigrationExecutor(connection).loader
    return loader.project_state(("games", migration)).apps.get_model("games", name)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("", None),
        ("p2", {"asker": "p2", "accepted": []}),
        ("p2 p1 p3", {"asker": "p2", "accepted": ["p1", "p3"]}),
    ],
)
def test_an_open_undo_request_of_an_old_database_stays_open(newest, stored, expected):
    migrate_to("0005_turns")
    game = old_model("0005_turns", "Game").objects.create(
        id="old", kind="any", rules_version=1, options={}, setup={}, undo_asked_by=stored
    )
    migrate_to(newest)
    assert apps.get_model("games", "Game").objects.get(pk=game.pk).undo_request == expected


REWORDED = import_module("games.migrations.0007_reworded_texts")
OLD_MESSAGES = {
    new: old for old, (new, _) in REWORDED.MESSAGES.items() if old not in REWORDED.RENAMED
}


def stored(message: str, plural: str = "", **params: Any) -> dict[str, Any]:
    return {"message": message, "plural": plural, "params": params}


def in_old_words(reason: dict[str, Any]) -> dict[str, Any]:
    """Return a stored reason as older versions stored it, which had a loser as well."""
    old = OLD_MESSAGES.get(reason["message"], reason["message"])
    return {**reason, "message": old, "params": {"loser": stored("Somebody")} | reason["params"]}


def finish_randomly(owner: Person, rules: Rules, seed: int) -> Game:
    """Return a game that was played to its end by random moves."""
    game = make_game(owner, rules=rules)
    for ply, (seat, move) in enumerate(play_randomly(position_at(game, 0), Random(seed))):
        play.play_move(game_id=game.pk, player=owner.player, seat=seat, text=move, ply=ply)
    game.refresh_from_db()
    assert game.over
    return game


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            stored("%(square)s, flips %(n)s", square="d3", n=1),
            stored(
                "Play %(square)s and flip %(n)s disc",
                "Play %(square)s and flip %(n)s discs",
                square="d3",
                n=1,
            ),
            id="a text that has a plural now",
        ),
        pytest.param(
            stored(
                "%(loser)s cannot place a block any more: %(winner)s placed the last one.",
                loser=stored("First player"),
                winner=stored("Second player"),
            ),
            stored(
                "No block fits any more: %(winner)s placed the last one.",
                winner=stored("Second player"),
            ),
            id="a text that lost a place",
        ),
        pytest.param(
            stored("%(team)s resigned.", team=stored("Red")),
            stored("%(player)s resigned.", player=stored("Red")),
            id="a text with a place of another name",
        ),
        pytest.param(
            {"moves": [{"move": "e5", "shown": stored("wins at once")}]},
            {"moves": [{"move": "e5", "shown": stored("wins immediately")}]},
            id="a text in other values",
        ),
        pytest.param(stored("The end."), stored("The end."), id="a text of a game that is gone"),
        pytest.param({"message": 3}, {"message": 3}, id="no text"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_stored_texts_get_the_words_of_today(old, new):
    assert REWORDED.reworded(old) == new
    assert REWORDED.reworded(new) == new


def test_reworded_texts_are_in_the_catalogues():
    root = Path(settings.BASE_DIR)
    entries = [e for path in root.glob("**/locale/nl/**/*.po") for e in polib.pofile(str(path))]
    known = {(entry.msgid, entry.msgid_plural) for entry in entries}
    assert set(REWORDED.MESSAGES.values()) <= known
    assert REWORDED.MESSAGES.keys().isdisjoint(entry.msgid for entry in entries)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_an_old_game_that_is_over_replays_to_its_stored_result(owner, rules, seed):
    game = finish_randomly(owner, rules, seed)
    result = game.result_json
    old = {**result, "reason": in_old_words(result["reason"])}
    Game.objects.filter(pk=game.pk).update(result_json=old)
    REWORDED.reword(apps, SimpleNamespace(connection=connection))
    game.refresh_from_db()
    assert verify(game).fault is None
    assert game.result_json == result


def test_values_of_an_old_evaluation_are_packed(newest, owner):
    game = make_game(owner)
    migrate_to("0014_devices")
    moves = [
        {"move": f"a{n}", "value": -n, "shown": stored("%(n)s", n=n), "why": stored("Since.")}
        for n in range(40)
    ]
    values = {"seat": "first", "mistake": 3, "moves": moves, "regions": []}
    old_model("0014_devices", "Evaluation").objects.create(
        game_id=game.pk,
        ply=0,
        move_id=0,
        done=True,
        values=values,
        summary={"of": "a30", "best": None, "played": None},
    )
    migrate_to(newest)
    evaluation = Evaluation.objects.get()
    usual = {"exact": False, "known": True}
    whole = [{**usual, "detail": move["shown"], **move} for move in moves]
    assert evaluation.packed == pack({**values, "moves": whole}, "a30")


def entries(count: int) -> dict[str, Any]:
    """Return the values of so many moves, as a worker hands them over."""
    usual = {"exact": False, "known": True, "why": None}
    moves = [
        {
            "move": f"a{n}",
            "value": -n,
            "shown": stored("%(n)s", n=n),
            "detail": stored("%(n)s", n=n),
        }
        for n in range(count)
    ]
    verdicts = {"inaccuracy": 1, "mistake": 3, "blunder": 6}
    return {"seat": "first", "moves": [usual | move for move in moves], "regions": [], **verdicts}


def evaluate_old(migration: str, game: Game, plies: int) -> None:
    """Store evaluations of the first positions of a game in the rows of an older version, as those
    of hints, which have more moves than an analysis shows."""
    rows = old_model(migration, "Evaluation").objects
    keys = [0, *game.moves.values_list("pk", flat=True)]
    for ply in range(plies):
        packed = pack(entries(40 - ply), "", hint=True)
        rows.create(game_id=game.pk, ply=ply, move_id=keys[ply], done=True, packed=packed)


def test_the_evaluations_of_a_finished_game_are_united(newest, owner):
    game = make_game_with_moves(owner, 2)
    post_resign(owner, game)
    Move.objects.filter(ply=1).update(text="a9")
    Move.objects.filter(ply=2).update(text="a0")
    migrate_to("0031_passkeys")
    evaluate_old("0031_passkeys", game, plies=4)
    migrate_to(newest)
    played = ["a9", "a0", "resign", ""]
    expected = [pack(entries(40 - ply), move) for ply, move in enumerate(played)]
    assert unpack_together(Analysis.objects.get(game=game).packed) == expected
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize(("plies", "played"), [(3, "a0"), (4, "a39")])
def test_an_analysis_without_all_values_stays_in_its_rows(newest, owner, plies, played):
    game = make_game_with_moves(owner, 2)
    post_resign(owner, game)
    Move.objects.exclude(text="resign").update(text=played)
    migrate_to("0031_passkeys")
    evaluate_old("0031_passkeys", game, plies)
    migrate_to(newest)
    assert (Analysis.objects.count(), Evaluation.objects.count()) == (0, plies)


def test_an_old_evaluation_that_waits_still_waits(newest, owner):
    game = make_game(owner)
    migrate_to("0014_devices")
    old_model("0014_devices", "Evaluation").objects.create(game_id=game.pk, ply=0, move_id=0)
    migrate_to(newest)
    assert computers.next_evaluation(hint=False).packed is None
