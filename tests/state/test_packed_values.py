"""The stored form of a position's values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.contract import ntext, text
from games.state.packed_values import (
    BEST,
    BEST_OF_HINT,
    lacks,
    pack,
    pack_together,
    shorten,
    unpack,
    unpack_together,
)

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
    stored = json.loads(json.dumps(pack(values, "a1", hint=True)))
    assert unpack(stored) == {**values, "count": 2, "line": []}


def test_only_the_best_and_the_played_of_many_moves_are_stored():
    found = unpack(pack(many(300), "a250"))
    names = [value["move"] for value in found["moves"]]
    assert names == [*(f"a{number}" for number in range(BEST)), "a250"]
    assert found["count"] == 300


def test_each_message_is_stored_once():
    assert json.dumps(pack(many(300), "a250")).count("%(n)s points") == 1


def test_a_hint_has_more_moves_and_the_sentence_of_the_best():
    values = many(300)
    values["moves"][0]["why"] = text("Because.").to_json()
    hint, ply = unpack(pack(values, "", hint=True)), unpack(pack(values, ""))
    assert (len(hint["moves"]), len(ply["moves"])) == (BEST_OF_HINT, BEST)
    assert hint["moves"][0]["why"] and not ply["moves"][0]["why"]


def test_packed_values_are_shortened_for_an_analysis():
    values = many(300)
    values["moves"][0]["why"] = text("Because.").to_json()
    assert shorten(pack(values, "", hint=True), "a0") == pack(values, "a0")
    assert shorten(pack(values, "", whole=True), "a250") == pack(values, "a250")


@pytest.mark.parametrize("values", [None, {"moves": [], "refused": text("Too many.").to_json()}])
def test_a_position_without_values_stays_so_when_it_is_shortened(values):
    assert shorten(pack(values, "a1"), "a1") == pack(values, "a1")


def test_the_positions_of_a_game_take_less_than_100_bytes_each_together():
    positions = [pack(many(300 - ply), "a0") for ply in range(60)]
    block = pack_together(positions)
    assert unpack_together(block) == positions
    assert len(block) < 60 * 100


def test_a_position_takes_some_hundred_bytes():
    assert len(json.dumps(pack(many(300), "a0"))) < 400


@pytest.mark.parametrize("values", [None, {"moves": [], "mistake": 3, "regions": []}])
def test_a_position_without_values_has_none(values):
    assert unpack(pack(values, "a1")) is None


def test_the_reason_why_there_are_no_values_is_stored():
    reason = text("Too many players.").to_json()
    assert unpack(pack({"moves": [], "refused": reason}, ""))["refused"] == reason


@pytest.mark.parametrize(
    ("of", "played", "expected"),
    [("", "a2", False), ("", "a99", True), ("a99", "a99", False), ("a2", "", False)],
)
def test_only_a_move_that_was_not_stored_is_lacking(of, played, expected):
    assert lacks(pack(many(300), of), played) is expected


def test_no_move_is_lacking_where_all_were_stored():
    assert not lacks(pack(many(3), ""), "resign")


def test_of_a_costly_move_the_rest_of_the_moves_is_stored_by_what_is_shown():
    values = many(30)
    found = unpack(pack(values, "a9"))
    names = [value["move"] for value in found["moves"]]
    assert names == [*(f"a{number}" for number in range(BEST)), "a9"]
    assert {value["move"] for value in found["rest"]} == {
        f"a{n}" for n in range(BEST, 30) if n != 9
    }
    assert not any(value["good"] for value in found["rest"])
    assert "rest" not in unpack(pack(values, "a0"))


def test_moves_as_good_as_the_best_are_known_as_such_whatever_their_number():
    values = values_of(*(entry(f"a{number}", 5) for number in range(9)), entry("b1", -5))
    assert [value["good"] for value in unpack(pack(values, "b1"))["rest"]] == [True] * 5


def test_a_reason_is_stored_with_its_move():
    sentence = text("%(move)s gives the corner.", move="a9").to_json()
    reason = {"move": "a9", "best": False, "text": sentence}
    stored = pack({**many(30), "reason": reason}, "a9")
    assert unpack(stored)["reason"] == reason
    assert shorten(stored, "a9") == stored
