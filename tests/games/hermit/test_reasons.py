"""The coach's sentences on lost games of Hermit."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

from games.hermit.computer import evaluate, values_of_regions
from games.hermit.messages import display_move
from games.hermit.position import HermitPosition
from games.hermit.reasons import explain


def played_on(seed: int, plies: int) -> HermitPosition:
    """Return a position of 4x4 after random moves."""
    position, rng = HermitPosition(4), Random(seed)
    for _ in range(plies):
        (seat,) = position.to_move()
        position.play(seat, rng.choice(position.legal_moves(seat)))
    return position


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_reason_tells_the_true_values_of_regions(seed: int) -> None:
    position = played_on(seed, 3)
    (seat,) = position.to_move()
    values = evaluate(position)
    best, *_, worst = sorted(values, key=lambda move: -values[move].value)
    assert values[best].value > 0 > values[worst].value
    reason = explain(position, best, worst, values)
    assert reason
    figures = reason.figures.params if reason.figures else {}
    for move, name in ((best, "kept"), (worst, "lost")):
        if name in figures:
            found = values_of_regions(position.copy().play(seat, move))
            sizes = map(int, figures[name].split(" + "))
            assert sorted(sizes) == sorted(value for _, value in found if value is not None)
    assert loses(position.copy().play(seat, best), {})
    if "reply" in reason.sentence.params:
        after, shown = position.copy().play(seat, worst), str(reason.sentence.params["reply"])
        (other,) = after.to_move()
        replies = [m for m in after.legal_moves(other) if str(display_move(m)) == shown]
        assert loses(after.play(other, replies[0]), {})
    if "total" in figures:
        found = values_of_regions(position.copy().play(seat, worst))
        assert figures["total"] == reduce(xor, (value or 0 for _, value in found))


def loses(position: HermitPosition, known: dict[str, bool]) -> bool:
    """Return whether the player to move loses, by playing every game."""
    key = str(position.board)
    if key not in known:
        moves = [(seat, move) for seat in position.to_move() for move in position.legal_moves(seat)]
        known[key] = not any(loses(position.copy().play(*move), known) for move in moves)
    return known[key]


def lengths(position: HermitPosition) -> set[int]:
    """Return how many blocks may still be laid until none fits, by laying them in every way."""
    if not position.to_move():
        return {0}
    (seat,) = position.to_move()
    moves = position.legal_moves(seat)
    return {1 + n for move in moves for n in lengths(position.copy().play(seat, move))}


def test_a_number_of_blocks_is_called_odd_or_even_if_it_is_so_in_every_way() -> None:
    explained = 0
    for seed in range(40):
        position = played_on(seed, 5)
        if not position.to_move():
            continue
        (seat,) = position.to_move()
        values = evaluate(position)
        best, worst = (choose(values, key=lambda move: values[move].value) for choose in (max, min))
        if not values[best].value > 0 > values[worst].value:
            continue
        reason = explain(position, best, worst, values)
        if reason is None or "however they are laid" not in reason.sentence.message:
            continue
        explained += 1
        for move, word, parity in ((best, "even", 0), (worst, "odd", 1)):
            if word in reason.sentence.message:
                assert {n % 2 for n in lengths(position.copy().play(seat, move))} == {parity}
    assert explained
