"""The coach's sentences on lost games of Hermit."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

from games.hermit.computer import evaluate, values_of_regions
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
    for move, name in ((best, "kept"), (worst, "lost")):
        if name in reason.sentence.params:
            found = values_of_regions(position.copy().play(seat, move))
            told = map(int, reason.sentence.params[name].split(" + "))
            assert sorted(told) == sorted(value for _, value in found if value is not None)
    if "total" in reason.sentence.params:
        found = values_of_regions(position.copy().play(seat, worst))
        assert reason.sentence.params["total"] == reduce(xor, (value or 0 for _, value in found))
