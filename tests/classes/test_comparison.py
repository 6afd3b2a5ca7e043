"""Pupils' classes compared with the records, under CPython."""

from __future__ import annotations

import pytest

from games.classes.sentences import sentence
from games.core.registry import all_rules
from tests.support.pupils import EXERCISES, Fault, all_faults, compare, planted, pupil, shown


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_class_has_no_difference(exercise: str) -> None:
    assert not any(compare(exercise, pupil(exercise)))


@pytest.mark.parametrize("fault", all_faults(), ids=lambda fault: fault.name)
def test_a_fault_is_found_and_shown_with_few_lines(fault: Fault) -> None:
    found = shown(fault.exercise, planted(fault))
    assert found.code in fault.codes
    assert 0 < len(found.lines) <= fault.lines
    assert str(sentence(found.to_json()))


def test_every_game_with_an_exercise_has_faults() -> None:
    slugs = {exercise.slug for rules in all_rules().values() for exercise in rules.exercises[:1]}
    assert slugs <= {fault.exercise for fault in all_faults()}
