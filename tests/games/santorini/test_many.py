"""The search for three and four players of Santorini: certain results, and limits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import Position
from games.santorini.ai import many
from games.santorini.ai.many_root import table_of, think_many
from games.santorini.ai.root import Budget, Line
from games.santorini.ai.spaces import see
from games.santorini.ai.tools import SURE
from games.santorini.computer import LEVELS_OF_MANY, choose
from games.santorini.rules import RULES
from tests.games.santorini.test_computer import (
    can_climb_afterwards,
    climbs,
    is_climb,
    random_position,
    to_move,
)


def lines(position: Position, nodes: int, seed: int = 0) -> list[Line]:
    return think_many(see(position.view(None)), Budget(nodes, 60.0), rng=Random(seed))


def open_position(players: int, seed: int, length: int) -> Position | None:
    """Return a position with so many players left, none of whom can climb at once."""
    position = random_position(players, seed, length)
    if position.result() is not None or climbs(position):
        return None
    return position if len(see(position.view(None)).pairs) == players else None


@given(st.sampled_from([3, 4]), st.integers(0, 100_000), st.integers(30, 50))
def test_a_climb_is_called_certain_exactly_when_no_reply_closes_it(
    players: int, seed: int, length: int
) -> None:
    position = open_position(players, seed, length)
    if position is None:
        return
    mine = to_move(position)
    children = [position.copy().play(mine, move) for move in position.legal_moves(mine)]
    if any(len(see(child.view(None)).pairs) < players for child in children):
        # It shuts a player in, and the next one can climb, which takes a search to see.
        return
    certain = many.winner_of(table_of(see(position.view(None))), 0) == 1
    assert certain == all(map(climbs, children))


@pytest.mark.parametrize("players", [3, 4])
def test_every_turn_has_a_value_unless_a_climb_must_be_closed(players: int) -> None:
    position = random_position(players, seed=4, length=6 * players)
    legal = set(position.legal_moves(to_move(position)))
    seen = see(position.view(None))
    assert {seen.notation(line.move) for line in lines(position, 2_000)} == legal


@pytest.mark.parametrize("nodes", [1, 300, 5_000])
def test_a_player_who_must_close_a_climb_considers_nothing_else(nodes: int) -> None:
    position = next(
        one
        for seed in range(1_000)
        if (one := open_position(3, seed, 36)) and 0 < len(closing(one)) < len(all_moves(one))
    )
    seen = see(position.view(None))
    assert {seen.notation(line.move) for line in lines(position, nodes)} == set(closing(position))


def all_moves(position: Position) -> list[str]:
    return [move for move in position.legal_moves(to_move(position)) if not is_climb(move)]


def closing(position: Position) -> list[str]:
    """Return the moves after which the next player has no climb."""
    return [move for move in all_moves(position) if not can_climb_afterwards(position, move)]


@pytest.mark.parametrize("players", [3, 4])
def test_a_certain_win_is_won_whatever_the_others_do(players: int) -> None:
    won = 0
    for seed in range(400):
        position = open_position(players, seed, 12 * players)
        if position is None or (best := lines(position, 3_000)[0]).value < SURE:
            continue
        mine = to_move(position)
        position.play(mine, see(position.view(None)).notation(best.move))
        won += play_out(position, mine, Random(seed))
        if won == 5:
            break
    assert won == 5


def play_out(position: Position, mine: str, rng: Random) -> bool:
    """Play to the end: one player plays its best moves, the others close climbs or move at
    random."""
    while position.result() is None:
        seat = to_move(position)
        if found := climbs(position):
            move = found[0]
        elif seat == mine:
            move = see(position.view(None)).notation(lines(position, 3_000)[0].move)
        else:
            move = rng.choice(closing(position) or all_moves(position))
        position.play(seat, move)
    result = position.result()
    assert result is not None and mine in result.winners
    return True


@pytest.mark.parametrize("players", [3, 4])
def test_the_seconds_allowed_do_not_change_what_the_nodes_limit(players: int) -> None:
    seen = see(random_position(players, seed=2, length=7 * players).view(None))
    thought = [think_many(seen, Budget(5_000, seconds), rng=Random(3)) for seconds in (30.0, 600.0)]
    assert thought[0] == thought[1]


def test_a_player_of_three_without_a_turn_is_out_in_the_search_too() -> None:
    position = random_position(3, seed=0, length=0)
    position.play("p1", "a1 b1").play("p2", "a2 d4").play("p3", "c1 b3")
    table = table_of(see(position.view(None)))
    left = many.after(table, 0, many.OUT)
    assert many.next_of(left, 2) == 1
    assert left[4] & 1023 == 1023


def test_level_one_among_many_leaves_climbs_that_others_would_close() -> None:
    opened = (open_position(3, seed, 36) for seed in range(60))
    assert any(
        can_climb_afterwards(position, choose(position, to_move(position), 1, Random(chance)).move)
        for position in opened
        if position and closing(position)
        for chance in range(10)
    )


def test_level_one_among_four_misses_some_climbs_that_win() -> None:
    reached = (random_position(4, seed, 40) for seed in range(200))
    position = next(each for each in reached if each.result() is None and climbs(each))
    seat = to_move(position)
    made = [is_climb(choose(position, seat, 1, Random(chance)).move) for chance in range(40)]
    assert 0 < sum(made) < len(made)


def test_higher_levels_among_many_look_further() -> None:
    nodes = [LEVELS_OF_MANY[level].nodes for level in RULES.ladder]
    assert nodes == sorted(nodes)


def winner_of_a_game(levels: dict[str, int], seed: int) -> str:
    rng, position = Random(seed), RULES.start({"players": len(levels)})
    while position.result() is None:
        seat = to_move(position)
        position.play(seat, choose(position, seat, levels[seat], rng).move)
    (winner,) = position.result().winners  # type: ignore[union-attr]
    return winner


@pytest.mark.parametrize("players", [3, 4])
def test_a_careful_player_beats_all_careless_ones_together(players: int) -> None:
    seats = [f"p{number}" for number in range(1, players + 1)]
    won = sum(
        winner_of_a_game({seat: 3 if seat == mine else 1 for seat in seats}, seed) == mine
        for seed in range(3)
        for mine in seats
    )
    assert won >= 2 * players
