"""Right classes in many hands: none of them is accused."""

from __future__ import annotations

import pytest

from games.classes.comparison.differences import shortest
from tests.support.pupils import EXERCISES, STYLES, compare, styled
from tests.support.repeats import SOAK


@pytest.mark.parametrize("number", range(STYLES if SOAK else STYLES // 2))
@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_right_class_is_accused(exercise: str, number: int) -> None:
    found = shortest(compare(exercise, styled(exercise)[number]))
    assert found is None, found.to_json()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_right_classes_are_different_ones(exercise: str) -> None:
    assert len(set(styled(exercise))) == STYLES
