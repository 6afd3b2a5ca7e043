"""The model of arrivals, for a seeded day with many visitors."""

from __future__ import annotations

import pytest

from benchmarks import arrivals

pytestmark = pytest.mark.processes

VISITORS, HASTE = 48, 60


def test_visitors_of_a_day_meet_in_pairs() -> None:
    result = arrivals.run(range(1), VISITORS, HASTE, after=True)
    assert result.visitors == VISITORS
    assert result.met > 0
    assert result.met % 2 == 0
