"""The contract of moves, tested on every game: `legal_moves` are exactly the moves that can be
played, and neither a refusal nor a look changes the position.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import games
from games.contract import RESIGN, MoveError, Position, SeatKey, split_move
from tests.contract.test_contract import each_game, each_variant, refused
from tests.support.random_games import (
    Variant,
    cell_names,
    encode_json,
    observable_state,
    random_legal_move,
    sample_positions,
)

MANY = 30
"""The number of moves of other positions that are tried in each position."""


def can_be_clicked(position: Position, seat: SeatKey, move: str) -> bool:
    """Return whether every step of a legal move is offered; a step of free text is only typed."""
    steps = split_move(move)
    return all(
        step in {offered.text for offered in position.stage(seat, steps[:number]).steps}
        for number, step in enumerate(steps)
    )


def typed(position: Position, seat: SeatKey) -> set[str]:
    """Return the first steps of moves with free text, of which `legal_moves` has specimens only."""
    one_of_each = {split_move(move)[0]: move for move in position.legal_moves(seat)}
    return {
        first for first, move in one_of_each.items() if not can_be_clicked(position, seat, move)
    }


def not_legal(position: Position, seat: SeatKey, moves: set[str]) -> list[str]:
    """Return the ``moves`` that ``seat`` must not be able to play here."""
    free = typed(position, seat)
    others = moves - set(position.legal_moves(seat)) - {RESIGN}
    return sorted(move for move in others if split_move(move)[0] not in free)


def moves_in(position: Position) -> set[str]:
    return {move for seat in position.to_move() for move in position.legal_moves(seat)}


@cache
def own_words(slug: str) -> frozenset[str]:
    """Return the words in the code of a game, which include the steps of its moves."""
    (folder,) = [Path(path, slug) for path in games.__path__]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py")]
    strings = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return frozenset(word for word in strings if split_move(word) == (word,) and len(word) <= 20)


def with_other_steps(move: str, words: set[str]) -> Iterator[str]:
    """Yield the move with each of its steps replaced, left out, or followed by one more."""
    steps = split_move(move)
    for number in range(len(steps) + 1):
        before, after = steps[:number], steps[number + 1 :]
        yield from (" ".join([*before, word, *after]) for word in words)
        if before + after:
            yield " ".join(before + after)


@each_variant
def test_a_move_that_is_legal_elsewhere_and_not_here_is_refused(variant: Variant) -> None:
    positions = sample_positions(variant)
    elsewhere = sorted({move for position in positions for move in moves_in(position)})
    known = set(elsewhere[:: max(1, len(elsewhere) // MANY)])
    for position in positions[:-1]:
        for seat in position.to_move():
            for move in not_legal(position, seat, known):
                refused(position, variant.seats(), seat, move)


@each_variant
def test_nothing_can_be_played_that_is_not_among_the_legal_moves(variant: Variant) -> None:
    rng = Random(11)
    for position in sample_positions(variant)[:-1]:
        words = {*own_words(variant.rules.slug), *cell_names(position)}
        seat, move = random_legal_move(position, rng)
        before = observable_state(position, variant.seats())
        for other in not_legal(position, seat, {*words, *with_other_steps(move, words)}):
            try:
                position.play(seat, other)
            except MoveError:
                continue
            raise AssertionError(f"{seat} could play {other!r}, which legal_moves does not give")
        assert observable_state(position, variant.seats()) == before, (
            "a refused move has changed the position"
        )


@each_game
def test_looking_at_a_position_does_not_change_it(variant: Variant) -> None:
    def state(position: Position) -> str:
        legal = [list(position.legal_moves(seat)) for seat in variant.seats()]
        return encode_json([legal, sorted(position.to_move()), repr(position.result())])

    for position in sample_positions(variant):
        before = state(position)
        for seat in [None, *variant.seats()]:
            view = encode_json(position.view(seat))
            assert state(position) == before, "view() has changed the position"
            assert encode_json(position.view(seat)) == view, "view() shows something else each time"


@each_game
def test_looking_at_a_position_does_not_change_its_future(variant: Variant) -> None:
    for position in sample_positions(variant)[:-1]:
        looked_at, other = position.copy(), position.copy()
        seat, move = random_legal_move(position, Random(12))
        for viewer in [None, *variant.seats()]:
            looked_at.view(viewer)
        after = [
            observable_state(position.play(seat, move), variant.seats())
            for position in (looked_at, other)
        ]
        assert after[0] == after[1]


@each_variant
def test_a_part_of_a_move_or_none_can_be_shown(variant: Variant) -> None:
    for position in sample_positions(variant, count=3):
        moves = [move for seat in position.to_move() for move in position.legal_moves(seat)]
        for steps in map(split_move, moves):
            for shown in (" ".join(steps[:length]) for length in range(len(steps))):
                assert str(variant.rules.display_move(shown)) == shown
                position.label_move(shown)
