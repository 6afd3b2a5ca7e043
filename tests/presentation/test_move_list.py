"""Moves are listed in the reader's language, and can be typed as they are listed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.conf import settings
from django.utils import translation

from games.contract import RESIGN, SeatSpec, normalize_move, text
from games.presentation.move_list import columns, display_move, move_rows
from games.state.replay import StoredMove
from tests.contract.test_contract import each_game, each_variant
from tests.support.random_games import Variant, sample_positions


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@each_variant
def test_a_listed_move_can_be_typed(variant: Variant, language: str) -> None:
    for position in sample_positions(variant):
        for seat in position.to_move():
            moves = [*position.legal_moves(seat)][:200]
            with translation.override(language):
                listed = [display_move(move, variant.rules) for move in moves]
            assert [normalize_move(position, seat, move) for move in listed] == moves


@each_game
def test_a_resignation_is_listed_as_a_word(variant: Variant) -> None:
    with translation.override("nl"):
        assert display_move(RESIGN, variant.rules) == "geeft op"
    with translation.override("en"):
        assert display_move(RESIGN, variant.rules) == "resigns"


def rounds(specs: Sequence[SeatSpec], *seats: str) -> list[dict[int, list[int]]]:
    """Return the plies by column of each row, for moves of ``seats``."""
    moves = [StoredMove(ply, ply, seat, "a1") for ply, seat in enumerate(seats, start=1)]
    rows = move_rows(specs, moves)
    assert [row.number for row in rows] == [*range(1, len(rows) + 1)]
    return [
        {column: [move.ply for move in turn] for column, turn in row.turns.items()} for row in rows
    ]


def seats_of(*sides: str) -> list[SeatSpec]:
    """Return seats named a, b, c and so on, of these sides."""
    return [
        SeatSpec(key=key, name=text(key), side=side, side_name=text(side) if side else None)
        for key, side in zip("abcd", sides, strict=False)
    ]


def test_a_round_is_a_row_with_a_column_for_each_player() -> None:
    assert rounds(seats_of("", ""), "a", "b", "a") == [{0: [1], 1: [2]}, {0: [3]}]


def test_the_column_of_a_player_who_was_passed_over_stays_empty() -> None:
    assert rounds(seats_of("", ""), "a", "b", "b", "a", "a") == [
        {0: [1], 1: [2]},
        {1: [3]},
        {0: [4]},
        {0: [5]},
    ]


def test_a_player_who_begins_second_has_the_second_column() -> None:
    assert rounds(seats_of("", "", ""), "b", "c", "a") == [{1: [1], 2: [2]}, {0: [3]}]


def test_the_moves_of_a_team_in_one_turn_share_a_cell() -> None:
    teams = seats_of("red", "red", "blue", "blue")
    assert rounds(teams, "a", "b", "b", "c", "d", "a") == [{0: [1, 2, 3], 1: [4, 5]}, {0: [6]}]


def test_the_columns_of_teams_have_the_names_of_teams() -> None:
    assert [str(name) for name in columns(seats_of("red", "red", "blue")).values()] == [
        "red",
        "blue",
    ]
    assert [str(name) for name in columns(seats_of("", "")).values()] == ["a", "b"]
