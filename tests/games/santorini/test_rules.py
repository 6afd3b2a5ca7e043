"""Santorini on the site: placement, turns, winning, elimination, and choosing step by step."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    BadNotation,
    BadSetup,
    GameOver,
    IllegalMove,
    MoveError,
    NotYourTurn,
    Position,
    cell_name,
    normalize_move,
)
from games.santorini.rules import RULES
from tests.games.santorini.positions import (
    CLIMB,
    cells,
    news,
    played,
    random_game,
    refused,
    start,
    state,
    workers,
)

STUCK = [
    ("p1", "a1 a2"),
    ("p2", "b2 b3"),
    ("p1", "B NE E"),
    ("p2", "D NE N"),
    ("p1", "B SW SE"),
    ("p2", "D SW NE"),
    ("p1", "B NE SE"),
    ("p2", "D NW S"),
]
"""The last turn leaves the first player without one."""


# --- the set-up ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_three_or_four_can_play(players: int) -> None:
    options = RULES.clean({"players": players})
    assert [seat.key for seat in RULES.seats(options)] == ["p1", "p2", "p3", "p4"][:players]
    assert RULES.deal(options, Random(0)) == {"players": players}


@pytest.mark.parametrize("players", ["1", "5", "two", ""])
def test_another_number_of_players_is_refused(players: str) -> None:
    with pytest.raises(BadSetup):
        RULES.clean({"players": players})


def test_two_play_by_default() -> None:
    assert RULES.clean({}) == {"players": 2}


# --- placing ---------------------------------------------------------------------------------


def test_players_place_both_workers_in_turn() -> None:
    position = start(3)
    for seat, move in [("p1", "a1 e5"), ("p2", "c3 d4"), ("p3", "b2 a5")]:
        assert position.to_move() == {seat}
        position.play(seat, move)
    assert workers(position) == {
        "A": "a1",
        "B": "e5",
        "C": "c3",
        "D": "d4",
        "E": "b2",
        "F": "a5",
    }
    assert position.to_move() == {"p1"}


def test_every_pair_of_free_spaces_is_a_placement() -> None:
    position = start()
    assert len(set(position.legal_moves("p1"))) == 25 * 24
    position.play("p1", "c3 d4")
    moves = set(position.legal_moves("p2"))
    assert len(moves) == 23 * 22
    assert not any("c3" in move or "d4" in move for move in moves)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("c3 a1", "There’s already a worker on c3."),
        ("a1 a1", "Your workers can’t share a space."),
        ("a1 a6", "a6 is off the board."),
        ("f1 a1", "f1 is off the board."),
        ("a1", "Place both your workers, e.g. “c3 d4”."),
        ("a1 a2 a3", "Place both your workers, e.g. “c3 d4”."),
        ("C E W", "Place both your workers, e.g. “c3 d4”."),
        ("a1 A2", "“A2” is not a square."),
        ("a1  a2", "Put a single space between the parts of a move."),
        ("", "Place both your workers, e.g. “c3 d4”."),
    ],
)
def test_a_wrong_placement_is_refused_and_changes_nothing(move: str, reason: str) -> None:
    assert str(refused(played([("p1", "c3 d4")]), "p2", move)) == reason


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("A O W", "A E W"),
        ("a no  zw", "A NE SW"),
        ("A zo z", "A SE S"),
        ("A z N", "A S N"),
        ("A E S", "A E S"),
    ],
)
def test_directions_can_be_typed_by_the_letters_of_a_dutch_compass(typed: str, move: str) -> None:
    position = played([("p1", "c3 a1"), ("p2", "e1 e5")])
    assert normalize_move(position, "p1", typed) == move
    position.play("p1", move)


def test_a_square_off_the_board_is_no_dutch_direction() -> None:
    assert normalize_move(start(2), "p1", "c3 o3") == "c3 o3"


# --- turns ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "turns"), [(1, 38), (2, 2944), (3, 140387)])
def test_the_number_of_games_of_a_few_turns(depth: int, turns: int) -> None:
    assert perft(played([("p1", "a4 b5"), ("p2", "b2 c3")]), depth) == turns


def perft(position: Position, depth: int) -> int:
    (seat,) = position.to_move()
    moves = list(position.legal_moves(seat))
    if depth == 1:
        return len(moves)
    return sum(perft(position.copy().play(seat, move), depth - 1) for move in moves)


def test_the_worker_that_moved_builds() -> None:
    position = played([("p1", "a4 b5"), ("p2", "b2 c3"), ("p1", "B E W")])
    assert workers(position)["B"] == "c5"
    assert cells(position)["b5"]["level"] == 1
    assert position.view(None)["last"] == ["b5", "c5", "b5"]
    assert news(position) == ["Player 1 moves B to c5 and builds the first level on b5."]
    assert position.to_move() == {"p2"}


REFUSALS = [
    ("C N N", IllegalMove, "C isn’t your worker."),
    ("A E", IllegalMove, "There’s a worker on b4."),
    ("B N E", IllegalMove, "There’s a worker on b4."),
    ("B S E", IllegalMove, "That’s off the board."),
    ("B E S", IllegalMove, "That’s off the board."),
    ("B W N", IllegalMove, "There’s a worker on a4."),
    ("A N", IllegalMove, "A must build after moving."),
    ("A NE E", IllegalMove, "There’s a worker on c3."),
    ("A", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
    ("A N N N", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
    ("a N N", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
    ("AB N N", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
    ("A n N", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
    ("A N  N", BadNotation, "Put a single space between the parts of a move."),
    ("a1 a2", BadNotation, "Type a worker, a direction to move and one to build, e.g. “B E W”."),
]


@pytest.mark.parametrize(("move", "error", "reason"), REFUSALS)
def test_a_wrong_turn_is_refused_and_changes_nothing(
    move: str, error: type[MoveError], reason: str
) -> None:
    position = played([("p1", "a4 b5"), ("p2", "b4 c3")])
    caught = refused(position, "p1", move)
    assert type(caught) is error
    assert str(caught) == reason


def test_a_climb_of_two_levels_is_refused() -> None:
    position = played(CLIMB[:7])
    assert cells(position)["b4"]["level"] == 2
    assert str(refused(position, "p2", "C W N")) == "C can only climb one level at a time."


def test_a_dome_closes_a_space() -> None:
    position = played([*CLIMB[:9], ("p2", "C SW N")])
    assert cells(position)["b4"]["level"] == 4
    assert news(position) == ["Player 2 moves C to b5 and builds a dome on b4."]
    assert str(refused(position, "p1", "A SW")) == "There’s a dome on b4."
    assert str(refused(position, "p1", "A W S")) == "There’s a dome on b4."


def test_only_the_seat_to_move_may_move() -> None:
    assert type(refused(start(), "p2", "a1 a2")) is NotYourTurn
    assert list(start().legal_moves("p2")) == []


# --- winning -------------------------------------------------------------------------------


def test_reaching_the_third_level_wins_at_once() -> None:
    position = played([*CLIMB, ("p1", "A SW")])
    result = position.result()
    assert result is not None
    assert result.winners == {"p1"}
    assert str(result.reason) == "Player 1 climbs to the third level on b4 with worker A."
    assert position.to_move() == frozenset()
    assert list(position.legal_moves("p2")) == []
    assert position.view(None)["last"] == ["c3", "b4"]


def test_a_winning_climb_has_no_build() -> None:
    position = played(CLIMB)
    assert [move for move in position.legal_moves("p1") if move.startswith("A SW")] == ["A SW"]
    reason = "Reaching the third level wins immediately: there is nothing left to build."
    assert str(refused(position, "p1", "A SW N")) == reason


def test_nothing_can_be_played_after_the_end() -> None:
    position = played([*CLIMB, ("p1", "A SW")])
    assert type(refused(position, "p2", "C N N")) is GameOver
    assert type(refused(position, "p2", "resign")) is GameOver


def test_the_last_one_left_of_two_wins() -> None:
    position = played(STUCK[:-1])
    assert position.result() is None
    position.play(*STUCK[-1])
    result = position.result()
    assert result is not None
    assert result.winners == {"p2"}
    assert str(result.reason) == "Player 2 is the last player left."
    assert news(position)[-1] == "Player 1 has no legal move and is out."


# --- for all games -----------------------------------------------------------------------


@given(st.sampled_from([2, 3, 4]), st.integers(0, 10_000), st.integers(0, 60))
def test_the_legal_moves_are_the_accepted_ones(players: int, seed: int, length: int) -> None:
    position = random_game(players, seed, length)
    for seat in position.to_move():
        legal = set(position.legal_moves(seat))
        assert legal
        names = "ABCDEFGH"
        ways = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        tries = {f"{w} {m}" for w in names for m in ways}
        tries |= {f"{one} {way}" for one in tries for way in ways}
        if position.view(None)["placing"]:
            tries = {f"{one} {two}" for one in cells(position) for two in cells(position)}
        accepted = set()
        for move in tries:
            try:
                position.copy().play(seat, move)
            except IllegalMove:
                continue
            accepted.add(move)
        assert accepted == legal


@given(st.sampled_from([2, 3, 4]), st.integers(0, 10_000))
def test_every_game_ends_with_one_winner(players: int, seed: int) -> None:
    result = random_game(players, seed).result()
    assert result is not None
    assert len(result.winners) == 1


@given(st.sampled_from([2, 3, 4]), st.integers(0, 10_000), st.integers(0, 60))
def test_a_copy_is_independent(players: int, seed: int, length: int) -> None:
    position = random_game(players, seed, length)
    before = state(position)
    twin = position.copy()
    assert state(twin) == before
    for seat in twin.to_move():
        twin.play(seat, next(iter(twin.legal_moves(seat))))
    assert state(position) == before


def test_all_viewers_see_the_same() -> None:
    position = played(CLIMB)
    assert position.view("p1") == position.view("p2") == position.view(None)


def test_labels_name_the_level_and_the_worker_of_a_space() -> None:
    labels = {name: str(cell["label"]) for name, cell in cells(played(CLIMB)).items()}
    assert labels["c3"] == "level 2, worker A of Player 1"
    assert labels["d4"] == "ground, worker D of Player 2"
    assert (labels["a1"], labels["a2"], labels["b4"]) == (
        "ground",
        "level 1",
        "level 3, worker A can climb here",
    )


@pytest.mark.parametrize("name", RULES.examples)
def test_the_examples_of_the_rules_page_can_be_played(name: str) -> None:
    example = RULES.examples[name]
    position = RULES.start(json.loads(json.dumps(example.setup)))
    for seat, move in example.moves:
        position.play(seat, move)
    if example.mover is not None:
        assert position.stage(example.mover, example.chosen).steps


def test_cells_are_named_row_by_row() -> None:
    rows = start().view(None)["rows"]
    names = [[cell["name"] for cell in row] for row in rows]
    assert names == [[cell_name(row, column) for column in range(5)] for row in range(5)]


def test_the_last_turn_shows_where_it_came_from_and_where_it_built() -> None:
    position = RULES.start({"players": 2})
    for seat, move in (("p1", "a1 e5"), ("p2", "c3 d4"), ("p1", "A E S")):
        position.play(seat, move)
    traces = {cell["name"]: cell["trace"] for row in position.view(None)["rows"] for cell in row}
    assert {name: trace for name, trace in traces.items() if trace} == {"a1": "left", "b2": "built"}


def test_a_third_level_beside_a_worker_on_the_second_is_a_threat() -> None:
    position = played(CLIMB)
    threats = {name: cell["threat"] for name, cell in cells(position).items() if cell["threat"]}
    assert threats == {"b4": "A"}
    assert cells(position)["b4"]["threat_player"] == 0
    position.play("p1", "A SW")
    assert not any(cell["threat"] for cell in cells(position).values())


def test_a_climb_is_won_on_the_space_of_the_worker() -> None:
    position = played(CLIMB)
    assert position.view(None)["winning"] == []
    position.play("p1", "A SW")
    assert position.view(None)["winning"] == ["b4"]


def test_the_last_player_left_wins_where_its_workers_stand() -> None:
    position = played(CLIMB)
    position.play("p2", "resign")
    assert position.view(None)["winning"] == ["c3", "c2"]
