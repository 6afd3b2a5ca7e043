"""Computer players of as many levels as the contract allows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.contract import BadSetup
from games.core.registry import all_rules
from games.services.setup import NewGame, plan_game

RULES = replace(next(iter(all_rules().values())), levels=12)
SEAT = RULES.seats(RULES.clean({}))[0].key


@pytest.mark.parametrize("level", [1, 9, 10, 12])
def test_a_computer_of_any_level_of_a_game_can_be_asked_for(level: int) -> None:
    plan = plan_game(NewGame(rules=RULES, options={}, seating={SEAT: f"computer-{level}"}))
    assert plan.levels[SEAT] == level


@pytest.mark.parametrize("level", ["0", "01", "13", "100", ""])
def test_a_computer_of_no_level_of_a_game_is_refused(level: str) -> None:
    with pytest.raises(BadSetup):
        plan_game(NewGame(rules=RULES, options={}, seating={SEAT: f"computer-{level}"}))
