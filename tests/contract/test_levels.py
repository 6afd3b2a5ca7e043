"""The levels of computer players: their order, their numbers, and those that people may ask for."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest

from games.contract import BadSetup, Level, Rules, text
from games.core.registry import all_rules, computer_module
from games.services.setup import NewGame, plan_game

KINDS = [rules for rules in all_rules().values() if rules.levels]
RULES = replace(KINDS[0], levels=12)
SEAT = RULES.seats(RULES.clean({}))[0].key
ORDER = [3, 1, 2]
ORDERED = replace(RULES, levels=[Level(number=n, name=text(f"No. {n}")) for n in ORDER])

MOST_BYTES = 500
"""Bytes of the largest figure, since a page shows all of a game."""

each_kind = pytest.mark.parametrize("rules", KINDS, ids=lambda rules: rules.slug)


@pytest.mark.parametrize("level", [1, 9, 10, 12])
def test_a_computer_of_any_level_of_a_game_can_be_asked_for(level: int) -> None:
    plan = plan_game(NewGame(rules=RULES, options={}, seating={SEAT: f"computer-{level}"}))
    assert plan.levels[SEAT] == level


@pytest.mark.parametrize("level", ["0", "01", "13", "100", ""])
def test_a_computer_of_no_level_of_a_game_is_refused(level: str) -> None:
    with pytest.raises(BadSetup):
        plan_game(NewGame(rules=RULES, options={}, seating={SEAT: f"computer-{level}"}))


def test_levels_go_by_their_order_and_not_by_their_numbers() -> None:
    ladder = ORDERED.ladder
    assert [*ladder] == ORDER
    assert [ladder.rank(number) for number in (3, 1, 2, 9)] == [1, 2, 3, 4]
    assert [ladder.beside(number, 1) for number in (3, 1, 2, 9)] == [1, 2, 0, 0]
    assert [ladder.beside(number, -1) for number in (3, 1, 2)] == [0, 3, 1]


def test_a_level_that_is_not_known_is_called_by_its_number() -> None:
    assert str(ORDERED.ladder[7].name) == "Level 7"


@pytest.mark.parametrize("levels", range(1, 10))
def test_levels_of_which_a_game_gives_the_number_have_different_names(levels: int) -> None:
    named = [str(level.name) for level in replace(RULES, levels=levels).ladder.values()]
    assert len(set(named)) == levels


@each_kind
def test_the_levels_of_a_game_have_the_first_numbers_and_names_of_their_own(rules: Rules) -> None:
    levels = rules.ladder
    assert sorted(levels) == [*range(1, len(levels) + 1)]
    assert len({str(level.name) for level in levels.values()}) == len(levels)


def test_an_opponent_with_a_name_is_in_one_game() -> None:
    named = [rules.levels for rules in KINDS if not isinstance(rules.levels, int)]
    names = [str(level.name) for levels in named for level in levels]
    assert len(set(names)) == len(names) > 0


@each_kind
def test_the_levels_of_a_game_are_drawn_and_described(rules: Rules) -> None:
    for level in rules.ladder.values():
        assert level.manner
        assert 0 < len(level.figure) <= MOST_BYTES
        ElementTree.fromstring(f"<svg>{level.figure}</svg>")


@each_kind
def test_every_level_of_a_game_plays(rules: Rules) -> None:
    choose = computer_module(rules.slug).choose
    options = {**rules.clean({}), **rules.computer_options}
    position = rules.start(rules.deal(options, Random(1)))
    seat = min(position.to_move())
    for level in [*rules.ladder][:-1]:
        assert position.copy().play(seat, choose(position, seat, level, Random(1)).move)
