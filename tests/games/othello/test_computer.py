"""The computer player of Othello through the contract: levels, sizes, refusals, values of moves."""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import mean

import pytest

from benchmarks.match_othello import match
from games.contract import CannotPlay, Position, cell_name, parse_cell
from games.othello import computer
from games.othello.ai import generic
from games.othello.ai.endgame import LIMIT, NODES, STOP
from games.othello.ai.perfect import Solver
from games.othello.ai.root import Limits, loss_of, think
from games.othello.computer import LEVELS, choose, evaluate, look_again
from games.othello.position import OthelloPosition
from games.othello.rules import RULES
from games.othello.sight import moves_of
from tests.games.othello.positions import minimax

SIZES = [4, 6, 8, 10, 26]
TOP = [*LEVELS][-1]


def after(n: int, *moves: str) -> Position:
    position = RULES.start({"size": n})
    for move in moves:
        position.play(mover(position), move)
    return position


def mover(position: Position) -> str:
    (seat,) = position.to_move()
    return seat


def at_random(n: int, empties: int, seed: int) -> Position:
    """Return a position that is not over, reached by random moves, with so many squares empty."""
    rng = Random(seed)
    position = RULES.start({"size": n})
    while n * n - sum(position.view(None)["counts"].values()) > empties:
        if not position.to_move():
            return at_random(n, empties, seed + 1000)
        position.play(mover(position), rng.choice(list(position.legal_moves(mover(position)))))
    return position if position.to_move() else at_random(n, empties, seed + 1000)


def masks(position: Position) -> tuple[int, int]:
    """Return the masks of own and opponent, as the side to move sees them."""
    view, seat = position.view(None), mover(position)
    discs = [
        (cell["disc"], 1 << view["size"] * row + column)
        for cells in view["rows"]
        for cell in cells
        for row, column in [parse_cell(cell["name"])]
    ]
    own = sum(bit for disc, bit in discs if disc == seat)
    return own, sum(bit for disc, bit in discs if disc not in (None, seat))


def score(position: Position, seat: str) -> int:
    """Return the official score of a finished game: discs of ``seat`` minus the other's."""
    counts = position.view(None)["score"]
    return int(2 * counts[seat] - sum(counts.values()))


def play_out(position: Position, levels: dict[str, int], rng: Random) -> Position:
    while position.to_move():
        seat = mover(position)
        position.play(seat, choose(position, seat, levels[seat], rng).move)
    return position


def test_the_rules_announce_the_levels_that_there_are() -> None:
    assert set(LEVELS) == set(RULES.ladder)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_level_plays_legal_moves_on_every_size(n: int, level: int) -> None:
    position, rng = RULES.start({"size": n}), Random(n)
    for _ in range(6):
        seat = mover(position)
        position.play(seat, choose(position, seat, level, rng).move)
    assert sum(position.view(None)["counts"].values()) == 10


@pytest.mark.parametrize("n", [8, 10])
def test_the_top_level_plays_legal_moves(n: int) -> None:
    position = at_random(n, 10, seed=4)
    assert play_out(position, {"black": TOP, "white": TOP}, Random(1)).result() is not None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_move(level: int) -> None:
    position = at_random(8, 18, seed=level)
    seat = mover(position)
    # Only nodes limit the level: a busy machine is no emergency.
    choices = [choose(position, seat, level, Random(7), seconds=600) for _ in range(2)]
    assert choices[0] == choices[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", SIZES)
def test_every_level_moves_though_its_time_has_run_out(n: int, level: int) -> None:
    position = after(n)
    move = choose(position, mover(position), level, Random(1), seconds=-1).move
    assert move in set(position.legal_moves(mover(position)))


def test_games_begin_differently() -> None:
    begun = set()
    for seed in range(8):
        position, rng = RULES.start({"size": 8}), Random(seed)
        for _ in range(4):
            seat = mover(position)
            position.play(seat, choose(position, seat, 5, rng).move)
        begun.add(str(position.view(None)["rows"]))
    assert len(begun) > 4


def test_a_position_that_is_not_looked_at_again_is_not_changed() -> None:
    position = at_random(8, 12, seed=2)
    before = position.view(None)
    choose(position, mover(position), TOP, Random(1))
    evaluate(position)
    assert position.view(None) == before


def test_the_lemur_leaves_fewer_moves_than_its_equal() -> None:
    left: dict[int, list[int]] = {9: [], 13: []}
    for game in range(12):
        levels = {"black": 9, "white": 13} if game % 2 else {"black": 13, "white": 9}
        position, rng = at_random(8, 52, game // 2), Random(game)
        assert isinstance(position, OthelloPosition)
        while position.to_move():
            seat = mover(position)
            position.play(seat, choose(position, seat, levels[seat], rng).move)
            opponent = "white" if seat == "black" else "black"
            left[levels[seat]].append(len(moves_of(position, opponent)))
    lemur, equal = (sum(left[level]) / len(left[level]) for level in (13, 9))
    assert lemur < 0.95 * equal


def test_the_raccoon_takes_every_corner_and_its_equal_does_not() -> None:
    corners, taken = {"a1", "a8", "h1", "h8"}, {9: 0, 14: 0}
    positions = [at_random(8, 24, seed) for seed in range(60)]
    offered = [one for one in positions if corners & set(one.legal_moves(mover(one)))]
    for position in offered:
        for level in taken:
            taken[level] += choose(position, mover(position), level, Random(1)).move in corners
    assert taken[14] == len(offered) > taken[9]


def test_the_first_level_loses_to_the_fourth() -> None:
    for seed in range(6):
        levels = {"black": 1, "white": 4} if seed % 2 else {"black": 4, "white": 1}
        ended = play_out(RULES.start({"size": 8}), levels, Random(seed)).result()
        assert ended is not None
        assert [levels[seat] for seat in ended.winners] == [4]


@pytest.mark.parametrize(("n", "pairs"), [(6, 10), (8, 12)])
def test_the_first_level_wins_at_most_60_percent_against_a_novice(n: int, pairs: int) -> None:
    score = match("level-1", "novice", pairs, plies=4, seed=1, n=n)
    assert 0.15 <= score.won / (2 * pairs) <= 0.6


@pytest.mark.parametrize(("n", "pairs"), [(6, 10), (8, 12)])
def test_the_first_level_beats_random_moves(n: int, pairs: int) -> None:
    score = match("level-1", "random", pairs, plies=4, seed=1, n=n)
    assert score.won > score.lost


def test_the_top_level_stops_by_its_nodes_and_not_by_the_time() -> None:
    position = at_random(8, 25, seed=1)
    searched = think(*masks(position), LEVELS[TOP].limits, seconds=600.0)
    # About 13 million nodes a second: at most 2.5 s of processor time.
    assert 1_000_000 < searched.memory.counters[NODES] < 33_000_000


def test_the_top_level_stops_solving_a_small_board_by_its_nodes(monkeypatch) -> None:
    solvers = []

    def solver(n: int, **limits: int) -> Solver:
        solvers.append(Solver(n, **limits))
        return solvers[-1]

    monkeypatch.setattr(computer, "Solver", solver)
    monkeypatch.setattr(computer, "SOLVER_NODES", 100)
    position = at_random(6, 20, 1)
    assert choose(position, mover(position), TOP, Random(1), seconds=600).move
    assert [(solver.counters[LIMIT], solver.counters[STOP]) for solver in solvers] == [(100, 1)]


@pytest.mark.parametrize("seed", range(8))
def test_the_top_level_plays_a_won_ending_to_its_full_score(seed: int) -> None:
    position = at_random(8, 12, seed)
    seat = mover(position)
    best = max(value.value for value in evaluate(position, seconds=60).values())
    play_out(position, {"black": TOP, "white": TOP}, Random(seed))
    assert score(position, seat) == best


# The shortest game in which white loses all discs, black's last move at c5 still to come.
SHORTEST = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]


def shifted(name: str, n: int) -> str:
    """Return the square of an n x n board that corresponds to ``name`` on 8x8, counted from the
    centre."""
    row, column = parse_cell(name)
    return cell_name(row + n // 2 - 4, column + n // 2 - 4)


@pytest.mark.parametrize("n", [6, 8, 10])
@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_a_move_that_wins_at_once_is_taken(level: int, n: int) -> None:
    *played, winning = (shifted(name, n) for name in SHORTEST)
    assert choose(after(n, *played), "black", level, Random(1)).move == winning


def test_white_wins_the_4x4_game_by_ten_against_the_best_play() -> None:
    ended = play_out(RULES.start({"size": 4}), {"black": TOP, "white": TOP}, Random(1))
    assert score(ended, "white") == 10


@pytest.mark.parametrize("seed", range(10))
def test_nobody_beats_white_at_the_top_level_on_4x4(seed: int) -> None:
    ended = play_out(RULES.start({"size": 4}), {"black": 1, "white": TOP}, Random(seed))
    assert score(ended, "white") >= 10


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n", "empties"), [(4, 6), (6, 7), (8, 7)])
def test_a_solved_position_is_valued_by_minimax(n: int, empties: int, seed: int) -> None:
    position = at_random(n, empties, seed)
    seat = mover(position)
    for move, value in evaluate(position, seconds=60).items():
        then = position.copy().play(seat, move)
        expected = score(then, seat) if not then.to_move() else minimax(*masks(then), n)
        if then.to_move() and mover(then) != seat:
            expected = -expected
        assert value.exact
        assert value.value == expected


@pytest.mark.parametrize("n", SIZES)
def test_every_legal_move_is_valued(n: int) -> None:
    position = at_random(n, n * n - 10, seed=3)
    assert set(evaluate(position)) == set(position.legal_moves(mover(position)))


def test_an_estimate_is_not_called_exact() -> None:
    assert not any(value.exact for value in evaluate(after(8, "f5")).values())


def test_a_costly_move_is_valued_by_the_mean_loss_of_three_depths(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = Limits(7)
    monkeypatch.setattr(computer, "LOOK_LIMITS", limits)
    position = at_random(8, 34, seed=4)
    found = evaluate(position, seconds=60)
    worst = min(found, key=lambda move: found[move].value)
    again = look_again(position, worst, found, seconds=60)
    row, column = parse_cell(worst)
    _, _, losses = loss_of(*masks(position), 8 * row + column, limits, 60)
    best = max(value.value for value in again.values())
    assert len(losses) == 3
    assert best - again[worst].value == pytest.approx(computer.LOOK_SCALE * mean(losses))


def test_a_cheap_move_gets_no_second_look() -> None:
    position = at_random(8, 34, seed=4)
    found = evaluate(position, seconds=60)
    assert look_again(position, max(found, key=lambda move: found[move].value), found) is found


def test_a_solved_position_gets_no_second_look() -> None:
    position = at_random(8, 7, seed=1)
    found = evaluate(position, seconds=60)
    assert look_again(position, min(found, key=lambda move: found[move].value), found) is found


def test_one_disc_is_said_in_the_singular() -> None:
    # 10x10 has no learned evaluation, which would change these values whenever it is made anew.
    positions = [at_random(10, 84, seed) for seed in (2, 9)]
    values = [value for position in positions for value in evaluate(position, seconds=60).values()]
    ones = [str(value.shown) for value in values if abs(round(value.value)) == 1]
    assert set(ones) == {"≈ +1 disc", "≈ −1 disc"}


def test_the_moves_of_a_symmetric_position_are_worth_the_same() -> None:
    assert len({value.value for value in evaluate(after(8)).values()}) == 1


def test_a_finished_game_has_no_moves_to_value() -> None:
    position = play_out(after(4), {"black": 1, "white": 1}, Random(5))
    assert evaluate(position) == {}


@pytest.mark.parametrize("level", [0, 15, -1])
def test_an_unknown_level_is_refused(level: int) -> None:
    with pytest.raises(CannotPlay, match="levels 1 to 14"):
        choose(after(8), "black", level, Random(1))


@pytest.mark.parametrize("seat", ["white", "nobody"])
def test_a_seat_that_is_not_to_move_is_refused(seat: str) -> None:
    with pytest.raises(CannotPlay, match="not this player's turn"):
        choose(after(8), seat, 1, Random(1))


def test_a_finished_game_is_refused() -> None:
    position = play_out(after(4), {"black": 1, "white": 1}, Random(5))
    with pytest.raises(CannotPlay):
        choose(position, "black", 1, Random(1))


def test_estimates_on_other_boards_are_means_over_an_odd_and_an_even_depth() -> None:
    own, opponent = 1 << 44 | 1 << 55, 1 << 45 | 1 << 54
    search = partial(generic.rank, own, opponent, 10, nodes=100_000, seconds=60)
    odd, even = search(depth=3).values, search(depth=4).values
    smooth = search(depth=4, smooth=True).values
    assert smooth == {move: (odd[move] + even[move]) / 2 for move in odd}
    assert odd != even
