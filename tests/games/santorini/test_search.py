"""The compiled kernels of Santorini's computer player against the rules and plain search."""

from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.contract import Position
from games.santorini.ai import bits, many, placement
from games.santorini.ai.evaluation import evaluate, load_weights
from games.santorini.ai.many_root import table_of
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import Seen, see
from games.santorini.ai.tools import MOVES, SURE, WIN
from games.santorini.rules import RULES

GRID = np.arange(25).reshape(5, 5)
IMAGES = [
    image.ravel().tolist()
    for turn in range(4)
    for image in (np.rot90(GRID, turn), np.rot90(GRID, turn).T)
]


def is_climb(move: str) -> bool:
    return len(move.split()) == 2 and move[0].isupper()


def random_position(seed: int, length: int, players: int = 2) -> Position:
    """Return the position after random moves; climbs are left out while there is anything else."""
    rng = Random(seed)
    position = RULES.start({"players": players})
    for _ in range(length):
        for seat in position.to_move():
            moves = list(position.legal_moves(seat))
            position.play(seat, rng.choice([m for m in moves if not is_climb(m)] or moves))
    return position


def mover(position: Position) -> str:
    (seat,) = position.to_move()
    return seat


def seen_before_the_end(seed: int, length: int, players: int = 2) -> tuple[Position, Seen] | None:
    """Return a position in which all have placed workers and nobody has won, and the search's view
    of it."""
    position = random_position(seed, length, players)
    if position.result() is not None:
        return None
    return position, see(position.view(None))


SEEDS = st.integers(0, 100_000)
LENGTHS = st.integers(4, 45)


@pytest.mark.parametrize(("depth", "turns"), [(1, 38), (2, 2944), (3, 140387)])
def test_the_number_of_games_of_a_few_turns(depth: int, turns: int) -> None:
    assert bits.perft((0, 0, 0, 0, 15, 21, 6, 12), depth) == turns


@given(SEEDS, LENGTHS)
def test_the_kernel_finds_the_turns_of_the_rules(seed: int, length: int) -> None:
    found = seen_before_the_end(seed, length)
    if found is None:
        return
    position, seen = found
    legal = set(position.legal_moves(mover(position)))
    climbs = {move for move in legal if is_climb(move)}
    assert set(seen.climbs()) == climbs
    state = seen.two_player_state()
    assert bool(bits.climbs(state, state[4], state[5])) == bool(climbs)
    if not climbs:
        moves = np.zeros(MOVES, dtype=np.int64)
        number = bits.generate(state, bits.BOARD, moves)
        turns = [seen.notation(int(move)) for move in moves[:number]]
        assert sorted(turns) == sorted(legal)


@given(SEEDS, LENGTHS)
def test_the_kernel_plays_as_the_rules_do(seed: int, length: int) -> None:
    found = seen_before_the_end(seed, length)
    if found is None or found[1].climbs():
        return
    position, seen = found
    moves = np.zeros(MOVES, dtype=np.int64)
    state = seen.two_player_state()
    for move in moves[: bits.generate(state, bits.BOARD, moves)]:
        child = position.copy().play(mover(position), seen.notation(int(move)))
        if child.result() is None:
            assert see(child.view(None)).two_player_state() == bits.play(state, int(move))


@given(SEEDS, LENGTHS, st.sampled_from([3, 4]))
def test_the_kernel_finds_the_turns_of_three_and_four(seed: int, length: int, players: int) -> None:
    found = seen_before_the_end(seed, length, players)
    if found is not None:
        assert turns_among_many(found[1]) == turns_by_the_rules(found[0])


def turns_among_many(seen: Seen) -> int:
    return many.turns_of(table_of(seen), 0, np.zeros(MOVES, dtype=np.int64))


def turns_by_the_rules(position: Position) -> int:
    return sum(not is_climb(move) for move in position.legal_moves(mover(position)))


@pytest.mark.parametrize("players", [3, 4])
def test_the_kernel_takes_no_climb_for_a_turn(players: int) -> None:
    found = (seen_before_the_end(seed, 40, players) for seed in range(1_000))
    position, seen = next(one for one in found if one and one[1].climbs())
    assert turns_among_many(seen) == turns_by_the_rules(position)


def image_of(state: bits.State, image: list[int]) -> bits.State:
    """Return the state on a board that is turned or reflected."""
    masks = [sum(1 << image[i] for i in range(25) if mask >> i & 1) for mask in state[:4]]
    one, two, three, dome = masks
    a, b, c, d = (image[space] for space in state[4:])
    return one, two, three, dome, a, b, c, d


@given(SEEDS, LENGTHS)
def test_images_of_a_position_have_one_value(seed: int, length: int) -> None:
    found = seen_before_the_end(seed, length)
    if found is None:
        return
    state = found[1].two_player_state()
    values = {evaluate(image_of(state, image), load_weights()) for image in IMAGES}
    assert len(values) == 1


@given(SEEDS, LENGTHS)
def test_the_order_of_two_workers_does_not_matter(seed: int, length: int) -> None:
    found = seen_before_the_end(seed, length)
    if found is None:
        return
    one, two, three, dome, a, b, c, d = found[1].two_player_state()
    twins = [
        (one, two, three, dome, *own, *foe) for own in ((a, b), (b, a)) for foe in ((c, d), (d, c))
    ]
    assert len({bits.hash_of(twin) for twin in twins}) == 1
    assert len({evaluate(twin, load_weights()) for twin in twins}) == 1


def can_win(position: Position, seat: str, turns: int) -> bool:
    """Return whether a seat can force a win in so many turns of both, by trying all moves."""
    result = position.result()
    if result is not None:
        return seat in result.winners
    if turns == 0:
        return False
    player = mover(position)
    children = (position.copy().play(player, move) for move in position.legal_moves(player))
    outcomes = (can_win(child, seat, turns - 1) for child in children)
    return any(outcomes) if player == seat else all(outcomes)


@given(SEEDS, st.integers(12, 40))
@example(seed=500, length=30)
def test_a_win_is_found_exactly_where_one_is_forced_within_three_turns(
    seed: int, length: int
) -> None:
    # It may be a longer win, which the search for threats alone finds first.
    found = seen_before_the_end(seed, length)
    if found is None or found[1].climbs():
        return
    position, seen = found
    lines = think(seen.two_player_state(), Budget(50_000, 60.0), depth=3)
    value = lines[0].value if lines else -WIN
    forced = can_win(position, mover(position), 3)
    assert value > SURE if forced else value < WIN - 3


@given(SEEDS, st.integers(4, 40))
def test_the_quick_search_finds_the_best_of_all_values(seed: int, length: int) -> None:
    found = seen_before_the_end(seed, length)
    if found is None:
        return
    state = found[1].two_player_state()
    wide = think(state, Budget(100_000, 60.0), depth=1, wide=True)
    quick = think(state, Budget(100_000, 60.0), depth=1)
    assert [line.value for line in wide[:1]] == [line.value for line in quick[:1]]


def test_a_search_keeps_to_its_nodes() -> None:
    state = see(random_position(3, 6).view(None)).two_player_state()
    assert think(state, Budget(20_000, 60.0)) == think(state, Budget(20_000, 600.0))


def test_placements_that_are_images_of_each_other_are_one_class() -> None:
    classes = {placement.class_of(pair) for pair in permutations(range(25), 2)}
    assert len(classes) == 49


def test_the_first_placement_has_the_value_of_its_images() -> None:
    values = placement.first_values(nodes=2_000, seconds=60.0)
    assert len(values) == 300
    for image in IMAGES:
        corner = tuple(sorted((image[0], image[6])))
        assert values[corner[0], corner[1]] == values[0, 6]
