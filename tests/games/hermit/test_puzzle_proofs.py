"""Puzzles are proved anew: who places the last block, by trying every game.

A position is the set of the colours that each square may still take, in parts that do not touch:
two equal parts cancel each other, since each move in one can be copied in the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations, product

import pytest

from games.contract import Position, Puzzle
from games.hermit.rules import RULES
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles, wrong_lines
from tests.support.random_games import replay_moves
from tests.support.repeats import SOAK

Place = tuple[str, int, int]
"""A colour, and the row and column of a square that may take it."""
Part = frozenset[Place]
MOST = None if SOAK else PROVED // 2
"""Puzzles that are proved in a run."""


def places(position: Position) -> Part:
    if not position.to_move():
        return frozenset()
    rows = position.view(None)["rows"]
    return frozenset(
        (colour, r, c)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        for colour in cell["allowed"]
    )


def near(place: Place) -> list[tuple[int, int]]:
    _colour, r, c = place
    return [(r + up, c + aside) for up in (-1, 0, 1) for aside in (-1, 0, 1)]


def parts_of(left: Iterable[Place]) -> Iterator[Part]:
    """Yield the parts, moved to the corner: a block on one changes no other."""
    left = set(left)
    while left:
        part, found = set[Place](), [left.pop()]
        while found:
            part.add(place := found.pop())
            touched = {(place[0], *square) for square in near(place)}
            touched |= {(colour, *place[1:]) for colour in "RYB"}
            found += touched & left
            left -= touched
        top, side = min(r for _, r, _ in part), min(c for _, _, c in part)
        yield frozenset((colour, r - top, c - side) for colour, r, c in part)


def moves(part: Part) -> Iterator[set[Place]]:
    """Yield the rest of a part after each block."""
    for colour, r, c in part:
        for block in ([(r, c)], [(r, c), (r, c + 1)], [(r, c), (r + 1, c)]):
            if all((colour, *square) in part for square in block):
                gone = {(other, *square) for other in "RYB" for square in block}
                gone |= {(colour, *square) for one in block for square in near((colour, *one))}
                yield part - gone


def is_lost(left: Iterable[Place]) -> bool:
    """Return whether the player to move loses."""
    return is_lost_in(frozenset(Counter(parts_of(left)).items()))


@cache
def is_lost_in(counted: frozenset[tuple[Part, int]]) -> bool:
    parts = [part for part, count in counted if count % 2]
    for part in sorted(parts, key=len):
        others = [other for other in parts if other != part]
        for rest in moves(part):
            known = Counter([*others, *parts_of(rest)])
            if is_lost_in(frozenset((one, n % 2) for one, n in known.items() if n % 2)):
                return False
    return True


def lengths(left: Iterable[Place]) -> set[int]:
    """Return how many blocks can still be laid, in every game from a position."""
    found = {0}
    for part in parts_of(left):
        found = {n + more for n in found for more in lengths_in(part)}
    return found


@cache
def lengths_in(part: Part) -> frozenset[int]:
    return frozenset(1 + n for rest in moves(part) for n in lengths(rest)) or frozenset({0})


@pytest.mark.parametrize("key", ["save", "cut", "parity", "upright"])
def test_the_player_to_move_loses_the_example_of_a_theme(key: str) -> None:
    assert RULES.puzzles
    theme = RULES.puzzles.themes[key]
    position = replay_moves(RULES.start(theme.setup), theme.moves)
    assert is_lost(places(position))


def test_each_other_block_of_the_example_to_save_oneself_lets_the_opponent_end_the_game() -> None:
    assert RULES.puzzles
    theme = RULES.puzzles.themes["save"]
    position = replay_moves(RULES.start(theme.setup), theme.moves[:-1])
    saving = [move for move in legal(position) if 1 not in lengths(places(after(position, move)))]
    assert saving == [theme.moves[-1][1]]
    assert lengths(places(after(position, saving[0]))) == {2}


def test_a_half_turn_maps_the_mirrored_example_onto_itself() -> None:
    assert RULES.puzzles
    theme = RULES.puzzles.themes["mirror"]
    left = places(replay_moves(RULES.start(theme.setup), theme.moves))
    assert {(colour, 4 - r, 4 - c) for colour, r, c in left} == left
    assert not [place for place in left if place[1:] == (2, 2)]


def test_the_regions_of_the_example_count_as_its_sentence_says() -> None:
    assert RULES.puzzles
    theme = RULES.puzzles.themes["region"]
    parts = [*parts_of(places(replay_moves(RULES.start(theme.setup), theme.moves)))]
    assert sorted(map(lengths_in, parts), key=sorted) == [{1}, {1}, {2}]


def test_one_move_alone_wins_a_puzzle() -> None:
    for puzzle in shuffled_puzzles(RULES)[:MOST]:
        position = puzzle.position(RULES.start)
        winning = [move for move in legal(position) if is_lost(places(after(position, move)))]
        assert winning == list(puzzle.turns[0].right)


def later_positions(puzzle: Puzzle) -> Iterator[Position]:
    """Yield the positions in which the solver moves again."""
    position = puzzle.position(RULES.start)
    for turn in puzzle.turns[:-1]:
        for move in (turn.right[0], *turn.replies):
            position = after(position, move)
        yield position


def equal_for_all(left: Iterable[Place]) -> frozenset[tuple[Part, int]]:
    """Return the parts of a position in a form that no turn, reflection or other colours change."""
    return frozenset(Counter(map(least, parts_of(left))).items())


@cache
def least(part: Part) -> Part:
    forms = product(permutations("RYB"), (1, -1), (1, -1), (1, -1))
    return min((formed(part, *form) for form in forms), key=sorted)


def formed(part: Part, colours: Sequence[str], up: int, aside: int, order: int) -> Part:
    """Return a part with other colours for red, yellow and blue, reflected or turned, in the
    corner."""
    named = dict(zip("RYB", colours, strict=True))
    return next(parts_of((named[one], *(up * r, aside * c)[::order]) for one, r, c in part))


def test_no_puzzle_stands_in_the_solution_of_another() -> None:
    puzzles = [*RULES.puzzles.puzzles().values()] if RULES.puzzles else []
    starts = {equal_for_all(places(puzzle.position(RULES.start))): puzzle.key for puzzle in puzzles}
    assert len(starts) == len(puzzles)
    for puzzle in puzzles:
        for position in later_positions(puzzle):
            assert equal_for_all(places(position)) not in starts, puzzle.key


def test_all_moves_but_the_one_that_saves_let_the_opponent_end_the_game() -> None:
    for puzzle in of_theme("save"):
        position, (right,) = puzzle.position(RULES.start), puzzle.turns[0].right
        assert puzzle.task == "save"
        for move in legal(position):
            assert (1 in lengths(places(after(position, move)))) == (move != right)


def test_the_rest_of_the_board_is_the_same_upside_down_in_the_theme_of_mirrors() -> None:
    for puzzle in of_theme("mirror"):
        position = after(puzzle.position(RULES.start), puzzle.turns[0].right[0])
        left, last = places(position), puzzle.setup["size"] - 1
        assert left == {(colour, last - r, last - c) for colour, r, c in left}


def of_theme(theme: str) -> list[Puzzle]:
    return [puzzle for puzzle in shuffled_puzzles(RULES) if theme in puzzle.themes]


def test_each_theme_has_puzzles() -> None:
    assert RULES.puzzles
    sizes = {theme: len(of_theme(theme)) for theme in RULES.puzzles.themes}
    assert min(sizes.values()) >= 20, sizes


def test_the_line_after_a_wrong_move_is_lost_and_counted_right() -> None:
    for puzzle in shuffled_puzzles(RULES)[:MOST]:
        for _, line, positions in wrong_lines(RULES, puzzle):
            assert all(is_lost(places(position)) for position in positions[1::2])
            for played, position in zip(line, positions, strict=True):
                message = played.said.message if played.said else ""
                found = lengths(places(position)) if "block" in message else {0}
                if message.startswith("%(n)s more"):
                    assert played.said
                    assert found == {played.said.params["n"]}
                elif message.startswith(("An odd", "One more")):
                    assert {n % 2 for n in found} == {1}
                else:
                    assert {n % 2 for n in found} == {0}
