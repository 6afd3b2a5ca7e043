"""The coach's sentences on costly moves of Santorini."""

from __future__ import annotations

from games.santorini.computer import evaluate
from games.santorini.reasons import explain
from tests.games.santorini.positions import CLIMB, played


def test_a_missed_climb_is_told() -> None:
    position = played(CLIMB)
    values = evaluate(position)
    best = max(values, key=lambda move: values[move].value)
    worst = min(values, key=lambda move: values[move].value)
    reason = explain(position, best, worst, values)
    assert reason and "climbs to the third level and wins" in str(reason.sentence)


def test_an_allowed_climb_is_told() -> None:
    position = played(CLIMB[:-1])
    values = evaluate(position)
    stops = [move for move, value in values.items() if value.value > -100]
    loses = next(move for move in values if move not in stops)
    best = max(stops, key=lambda move: values[move].value)
    reason = explain(position, best, loses, values)
    assert str(reason and reason.sentence) == f"{loses} lets Player 1 climb to b4 and win."
    assert reason and not reason.names_best
