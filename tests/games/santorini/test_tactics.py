"""Santorini's computer player in many random positions: nothing missed, nothing illegal."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, count, islice, product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.contract import Position
from games.santorini.ai.placement import class_of
from games.santorini.ai.spaces import space_name
from games.santorini.computer import LEVELS, choose
from games.santorini.rules import RULES
from tests.games.santorini.test_computer import (
    can_climb_afterwards,
    choice,
    climbs,
    random_position,
    to_move,
)
from tests.support.repeats import SOAK

SEEDS = st.integers(0, 100_000)
FACED = [(3, 15), (4, 15), (5, 10), (6, 1)] if SOAK else [(3, 5), (4, 5), (5, 3), (6, 1)]
"""The threats that each level faces: the higher ones think for seconds."""


@cache
def positions(kind: str, players: int, number: int) -> list[tuple[int, Position]]:
    """Return the first positions of a kind that random moves lead to, and their seeds."""
    is_kind, rounds = KINDS[kind]
    tried = ((seed, random_position(players, seed, rounds * players)) for seed in count())
    wanted = ((seed, one) for seed, one in tried if one.result() is None and is_kind(one))
    return list(islice(wanted, number))


def safe_moves(position: Position) -> list[str]:
    """Return the moves after which the next player has no climb."""
    moves = position.legal_moves(to_move(position))
    return [move for move in moves if not can_climb_afterwards(position, move)]


def can_be_lost_next_turn(position: Position, move: str) -> bool:
    """Return whether the next player can end the game, by a climb or by shutting in the others."""
    child = position.copy().play(to_move(position), move)
    return any(
        child.copy().play(seat, reply).result() is not None
        for seat in child.to_move()
        for reply in child.legal_moves(seat)
    )


def is_threat(position: Position) -> bool:
    """Return whether some moves leave the next player a climb, and others do not."""
    number = len(list(position.legal_moves(to_move(position))))
    return not climbs(position) and 0 < len(safe_moves(position)) < number


def has_few_moves(position: Position) -> bool:
    return len(list(position.legal_moves(to_move(position)))) <= 4 and not climbs(position)


def has_lost_somebody(position: Position) -> bool:
    return any(player["out"] for player in position.view(None)["players"])


KINDS: dict[str, tuple[Callable[[Position], bool], int]] = {
    "climb": (lambda position: bool(climbs(position)), 12),
    "threat": (is_threat, 12),
    "nearly shut in": (has_few_moves, 18),
    "somebody out": (has_lost_somebody, 22),
}
"""For each kind of position its condition, and the number of rounds after which to look for it."""


def climbs_after_all_replies(position: Position, move: str) -> bool:
    """Return whether the next player can climb, or the one after that whatever is played in
    between."""
    child = position.copy().play(to_move(position), move)
    if child.result() is not None:
        return False
    replies = child.legal_moves(to_move(child))
    return bool(climbs(child)) or all(can_climb_afterwards(child, reply) for reply in replies)


# --- nothing missed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "players"), [*product(LEVELS, (2, 3)), *product(set(LEVELS) - {1}, (4,))]
)
def test_a_climb_is_never_missed(level: int, players: int) -> None:
    for seed, position in positions("climb", players, 20 if SOAK else 8):
        assert choice(position, level, seed) in climbs(position)


def test_the_first_level_of_four_overlooks_most_climbs_but_not_all() -> None:
    found = [choice(at, 1, seed) in climbs(at) for seed, at in positions("climb", 4, 20)]
    assert 0 < sum(found) < 14


@pytest.mark.parametrize(("level", "number"), FACED)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_climb_is_left_that_can_be_prevented(level: int, number: int, players: int) -> None:
    for seed, position in positions("threat", players, 15)[:number]:
        assert choice(position, level, seed) in safe_moves(position)


@given(SEEDS, st.integers(24, 45), st.sampled_from([2, 3]), st.sampled_from([3, 4, 5]))
@example(53550, 42, 3, 3)  # One move shuts in the next player, so that the last one climbs at once.
@example(50466, 33, 2, 4)  # The nodes run out when all moves but two are known to lose at once.
@example(86517, 36, 2, 5)  # No move holds: where no climb is left, player 1 can be shut in.
@example(96417, 38, 2, 5)
def test_a_position_that_can_be_held_for_a_turn_is_held(
    seed: int, length: int, players: int, level: int
) -> None:
    position = random_position(players, seed, length)
    if position.result() is not None or climbs(position):
        return
    move = choice(position, level, seed)
    if can_climb_afterwards(position, move):
        assert all(can_be_lost_next_turn(position, safe) for safe in safe_moves(position))


@pytest.mark.parametrize("level", [3, 4, 5])
@pytest.mark.parametrize("seed", [85, 185, 364])
def test_a_climb_of_the_last_of_three_is_stopped_by_the_only_player_who_can(
    level: int, seed: int
) -> None:
    position = random_position(3, seed, length=36 + seed % 9)
    moves = list(position.legal_moves(to_move(position)))
    lost = [move for move in moves if climbs_after_all_replies(position, move)]
    assert 20 < len(lost) < len(moves)
    assert choice(position, level, seed) not in lost


# --- everywhere legal ------------------------------------------------------------------------


def test_every_first_placement_is_answered() -> None:
    for pair in {class_of(pair) for pair in combinations(range(25), 2)}:
        position = RULES.start({"players": 2}).play("p1", " ".join(map(space_name, pair)))
        assert choice(position, 1) in position.legal_moves("p2")


@pytest.mark.parametrize("level", [1, 3, 4, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_places_legally(level: int, players: int) -> None:
    position = RULES.start({"players": players})
    for number in range(players):
        seat = to_move(position)
        move = choice(position, level, number)
        assert move in position.legal_moves(seat)
        position.play(seat, move)


@pytest.mark.parametrize("level", [1, 3, 4, 5])
@pytest.mark.parametrize("players", [3, 4])
def test_remaining_players_play_on_when_others_are_shut_in(level: int, players: int) -> None:
    for seed, position in positions("somebody out", players, 4):
        assert choice(position, level, seed) in position.legal_moves(to_move(position))


@pytest.mark.parametrize("level", [1, 3, 4, 5])
@pytest.mark.parametrize("players", [2, 3])
def test_a_nearly_shut_in_player_plays_legally(level: int, players: int) -> None:
    for seed, position in positions("nearly shut in", players, 4):
        assert choice(position, level, seed) in position.legal_moves(to_move(position))


# --- the same again --------------------------------------------------------------------------


def test_the_time_allowed_does_not_change_a_move() -> None:
    position = random_position(2, seed=8, length=9)
    moves = {
        choose(position, to_move(position), 5, Random(1), seconds=seconds).move
        for seconds in (60.0, 600.0)
    }
    assert len(moves) == 1
