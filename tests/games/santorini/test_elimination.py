"""Eliminated players of Santorini, without a legal turn or resigned, and the game of the others."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.contract import IllegalMove, Position, parse_cell
from tests.games.santorini.positions import (
    calm_move,
    news,
    played,
    random_game,
    refused,
    start,
    workers,
)

SHUT_IN = [("p1", "a1 b1"), ("p2", "a2 b2"), ("p3", "c1 c2")]
"""The first player of three is surrounded when the last one has placed."""


def test_a_player_who_is_shut_in_is_out_and_the_workers_leave() -> None:
    position = played(SHUT_IN, players=3)
    assert position.result() is None
    assert workers(position) == {"C": "a2", "D": "b2", "E": "c1", "F": "c2"}
    assert position.to_move() == {"p2"}
    assert [player["out"] for player in position.view(None)["players"]] == [True, False, False]
    assert news(position)[-1] == "Player 1 has no legal move and is out."


def test_a_player_who_is_out_has_no_more_turns() -> None:
    position = played([*SHUT_IN, ("p2", "C N E"), ("p3", "F E W")], players=3)
    assert position.to_move() == {"p2"}


def test_the_spaces_of_a_player_who_is_out_are_free() -> None:
    position = played(SHUT_IN, players=3)
    assert "C N E" in position.legal_moves("p2")


def can_move(view: Mapping[str, Any], standing: dict[str, str], letters: str) -> bool:
    """Return whether one of the workers can step anywhere, space by space."""
    levels = {
        (r, c): cell["level"] for r, row in enumerate(view["rows"]) for c, cell in enumerate(row)
    }
    taken = {parse_cell(name) for name in standing.values()}
    for letter in letters:
        r, c = parse_cell(standing[letter])
        for cell in levels.keys() - taken:
            near = abs(cell[0] - r) <= 1 and abs(cell[1] - c) <= 1
            if near and levels[cell] <= min(levels[r, c] + 1, 3):
                return True
    return False


def players_out(position: Position) -> list[str]:
    return [player["letters"] for player in position.view(None)["players"] if player["out"]]


@given(st.sampled_from([3, 4]), st.integers(0, 10_000))
def test_players_are_out_exactly_when_none_of_their_workers_can_move(
    players: int, seed: int
) -> None:
    rng = Random(seed)
    position = random_game(players, seed, length=players)
    while position.result() is None:
        (seat,) = position.to_move()
        standing, out = workers(position), players_out(position)
        assert can_move(position.view(None), standing, mine(position))
        position.play(seat, calm_move(position, seat, rng))
        left = [letters for letters in players_out(position) if letters not in out]
        leaving = {letter: standing[letter] for letters in left for letter in letters}
        after = workers(position)
        for letters in sorted(left, key=lambda pair: (pair[0] < seat_letter(seat), pair)):
            assert not can_move(position.view(None), after | leaving, letters)
            leaving = {w: cell for w, cell in leaving.items() if w not in letters}


def mine(position: Position) -> str:
    (letters,) = [p["letters"] for p in position.view(None)["players"] if p["turn"]]
    return str(letters)


def seat_letter(seat: str) -> str:
    return "ABCDEFGH"[2 * int(seat[1]) - 2]


def test_of_four_the_last_one_left_wins() -> None:
    position = played([("p1", "a1 b1"), ("p2", "d1 e1"), ("p3", "a5 c5"), ("p4", "e5 c3")], 4)
    for seat in ["p3", "p1", "p4"]:
        assert position.result() is None
        position.play(seat, "resign")
    result = position.result()
    assert result is not None
    assert result.winners == {"p2"}
    assert set(workers(position)) == {"C", "D"}


def test_a_player_who_resigns_is_out_like_one_without_a_turn() -> None:
    position = played([("p1", "a1 b1"), ("p2", "d1 e1"), ("p3", "a5 c5")], players=3)
    position.play("p1", "resign")
    assert news(position) == ["Player 1 resigned."]
    assert position.view(None)["last"] == ["a1", "b1"]
    assert position.to_move() == {"p2"}
    assert set(workers(position)) == set("CDEF")


def test_a_seat_may_resign_when_it_is_not_to_move() -> None:
    position = played([("p1", "a1 b1"), ("p2", "d1 e1"), ("p3", "a5 c5")], players=3)
    position.play("p3", "resign")
    assert position.to_move() == {"p1"}
    position.play("p1", "A S N").play("p2", "C S N")
    assert position.to_move() == {"p1"}


def test_a_player_who_resigns_before_placing_does_not_place() -> None:
    position = played([("p1", "a1 b1"), ("p2", "resign"), ("p3", "a5 c5")], players=3)
    assert workers(position) == {"A": "a1", "B": "b1", "E": "a5", "F": "c5"}
    assert position.to_move() == {"p1"}


def test_the_first_player_may_resign_before_placing() -> None:
    position = start(3).play("p1", "resign")
    assert position.to_move() == {"p2"}
    assert position.play("p2", "resign").result().winners == {"p3"}  # type: ignore[union-attr]


def test_nobody_resigns_twice() -> None:
    position = start(3).play("p1", "resign")
    assert type(refused(position, "p1", "resign")) is IllegalMove


def test_an_unknown_seat_cannot_resign() -> None:
    assert type(refused(start(2), "p3", "resign")) is IllegalMove


def test_resigning_of_two_gives_the_game_to_the_other() -> None:
    result = start().play("p2", "resign").result()
    assert result is not None
    assert result.winners == {"p1"}
