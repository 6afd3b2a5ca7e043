"""The levels of computer players in words."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.presentation.sight import level_name, level_names


@pytest.mark.parametrize("levels", range(1, 10))
def test_the_names_of_levels_differ(levels):
    names = [str(level_name(level, levels)) for level in range(1, levels + 1)]
    assert len(set(names)) == levels


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rules().items() if rules.levels > 1])
def test_the_easiest_level_is_for_beginners_and_the_hardest_for_masters(slug):
    names = [str(name) for _, name in level_names(all_rules()[slug])]
    assert (names[0], names[-1]) == ("Beginner", "Master")


@pytest.mark.parametrize(("level", "levels"), [(3, 7), (0, 4), (5, 4)])
def test_a_level_without_a_name_is_a_number(level, levels):
    assert str(level_name(level, levels)) == f"Level {level}"
