"""The stored values of positions, and those that version 1.0 had packed."""

from __future__ import annotations

import json
import zlib
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from games.contract import ntext, text
from games.models import Analysis, Evaluation, PositionValues
from games.state.evaluations import (
    BEST,
    BEST_OF_HINT,
    lacks,
    position_id,
    read_evaluations,
    rest_of,
    shorten,
    write_block,
)
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game_with_moves
from tests.support.players import Person

PACKED = json.loads((Path(__file__).parent / "data" / "packed_values.json").read_text())
"""Positions as version 1.0 packed them, and the values that it read from each."""

SEAT = "first"


def entry(move: str, value: float, **more: Any) -> dict[str, Any]:
    shown = ntext("%(n)s point", "%(n)s points", n=int(value)).to_json()
    usual = {"exact": False, "known": True, "shown": shown, "detail": shown, "why": None}
    return {"move": move, "value": value, **usual, **more}


def values_of(*moves: dict[str, Any]) -> dict[str, Any]:
    return {
        "seat": SEAT,
        "moves": list(moves),
        "inaccuracy": 1,
        "mistake": 2.5,
        "blunder": 5,
        "regions": [{"cells": ["a1", "b2"], "value": text("a name").to_json()}],
    }


def many(count: int) -> dict[str, Any]:
    return values_of(*(entry(f"a{number}", count - number) for number in range(count)))


def test_values_of_few_moves_are_stored_in_full():
    why = text("Because of %(reason)s and %(n)s.", reason=text("a reason"), n=3).to_json()
    values = values_of(
        entry("a1", 2, why=why, exact=True), entry("b2", 0.25, detail=text("x").to_json())
    )
    stored = shorten(values, "a1", hint=True)
    assert stored == {**values, "count": 2, "of": "a1"}


def test_only_the_best_and_the_played_of_many_moves_are_stored():
    found = shorten(many(300), "a250")
    names = [value["move"] for value in found["moves"]]
    assert names == [*(f"a{number}" for number in range(BEST)), "a250"]
    assert found["count"] == 300


def test_a_hint_has_more_moves_and_the_sentence_of_the_best():
    values = many(300)
    values["moves"][0]["why"] = text("Because.").to_json()
    hint, ply = shorten(values, "", hint=True), shorten(values, "")
    assert (len(hint["moves"]), len(ply["moves"])) == (BEST_OF_HINT, BEST)
    assert hint["moves"][0]["why"] and not ply["moves"][0]["why"]


def test_the_positions_of_a_game_take_less_than_100_bytes_each_together():
    positions = {str(ply): shorten(many(300 - ply), "a0") for ply in range(60)}
    assert len(write_block(positions)) < 60 * 100


@pytest.mark.parametrize("values", [None, {"moves": [], "mistake": 3, "regions": []}])
def test_a_position_without_values_has_none(values):
    assert shorten(values, "a1") == {"of": "a1"}


def test_the_reason_why_there_are_no_values_is_stored():
    reason = text("Too many players.").to_json()
    assert shorten({"moves": [], "refused": reason}, "")["refused"] == reason


@pytest.mark.parametrize(
    ("of", "played", "expected"),
    [("", "a2", False), ("", "a99", True), ("a99", "a99", False), ("a2", "", False)],
)
def test_only_a_move_that_was_not_stored_is_lacking(of, played, expected):
    assert lacks(shorten(many(300), of), played) is expected


def test_no_move_is_lacking_where_all_were_stored():
    assert not lacks(shorten(many(3), ""), "resign")


def test_of_a_costly_move_the_rest_of_the_moves_is_stored_by_what_is_shown():
    found = shorten(many(30), "a9")
    names = [value["move"] for value in found["moves"]]
    assert names == [*(f"a{number}" for number in range(BEST)), "a9"]
    assert {value["move"] for value in rest_of(found)} == {
        f"a{n}" for n in range(BEST, 30) if n != 9
    }
    assert not any(value["good"] for value in rest_of(found))
    assert "rest" not in shorten(many(30), "a0")


def test_moves_as_good_as_the_best_are_known_as_such_whatever_their_number():
    values = values_of(*(entry(f"a{number}", 5) for number in range(9)), entry("b1", -5))
    assert [value["good"] for value in rest_of(shorten(values, "b1"))] == [True] * 5


def copy_values() -> None:
    migration = import_module("games.migrations.0057_copy_values")
    migration.copy_values(apps, SimpleNamespace(connection=connection))


def store_row(game: Any, ply: int, move_id: int, packed: Any, **more: Any) -> None:
    values = {"done": True, "packed": packed, **more}
    Evaluation.objects.create(game=game, ply=ply, move_id=move_id, **values)


@pytest.mark.django_db
def test_values_of_every_old_form_are_read_as_before(owner: Person) -> None:
    count = len(PACKED)
    game = make_game_with_moves(owner, 2)
    Analysis.objects.create(
        game=game,
        packed=zlib.compress(json.dumps([case["packed"] for case in PACKED[:3]]).encode()),
        seen=timezone.now() - timedelta(days=3),
    )
    snapshot = read_snapshot(game.pk)
    for number in range(3, count):
        key = position_id(snapshot, 1, f"line {number}")
        store_row(game, 1, key, PACKED[number]["packed"], line=f"line {number}")
    copy_values()
    found = read_evaluations(snapshot)
    read = [found.at(ply) for ply in range(3)]
    read += [found.at(1, f"line {number}") for number in range(3, count)]
    assert all(known and known.done for known in read)
    assert [_as_before(known.values) for known in read if known] == [c["values"] for c in PACKED]


def _as_before(values: Any) -> Any:
    """Return values in the form that version 1.0 read."""
    if values is None:
        return None
    rest = [{name: one[name] for name in ("move", "shown", "good")} for one in rest_of(values)]
    before = {name: value for name, value in values.items() if name != "of"}
    return {**before, "rest": rest} if rest else before


@pytest.mark.django_db
def test_first_values_wait_for_better_ones_and_those_of_lost_moves_go(owner: Person) -> None:
    game = make_game_with_moves(owner, 1)
    store_row(game, 0, 0, PACKED[2]["packed"], done=False)
    store_row(game, 1, 10**9, PACKED[2]["packed"])
    copy_values()
    # A second run, after one that was interrupted, changes nothing.
    before = bytes(PositionValues.objects.get().block)
    copy_values()
    assert bytes(PositionValues.objects.get().block) == before
    found = read_evaluations(read_snapshot(game.pk))
    assert [*found.stored] == ["0"]
    assert (found.at(0).jobs, found.at(0).done, found.at(1)) == (1, False, None)


@pytest.mark.django_db
def test_damaged_values_are_left_out_and_computed_again(owner: Person) -> None:
    game = make_game_with_moves(owner, 1)
    Analysis.objects.create(game=game, packed=b"packed", seen=timezone.now())
    store_row(game, 0, 0, {"of": "", "moves": 7})
    store_row(game, 1, game.moves.get().pk, PACKED[2]["packed"])
    copy_values()
    assert len(read_evaluations(read_snapshot(game.pk)).stored) == 1
    PositionValues.objects.update(block=b"block")
    assert read_evaluations(read_snapshot(game.pk)).asked == 0
