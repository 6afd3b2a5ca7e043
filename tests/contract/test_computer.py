"""The contract of computer players, tested on every game that has them."""

from __future__ import annotations

from math import inf
from random import Random
from threading import Thread
from time import thread_time
from typing import Any

import pytest

from games.contract import CannotPlay, MoveValue, Position, Rules, Text
from games.contract import computer as limits
from games.core.registry import all_rules, computer_module
from tests.support.random_games import Variant, can_deal, observable_state, sample_positions

WITH_COMPUTERS = [rules for rules in all_rules().values() if rules.levels]
WITH_ANALYSIS = [rules for rules in WITH_COMPUTERS if rules.analysis]

each_computer = pytest.mark.parametrize("rules", WITH_COMPUTERS, ids=lambda rules: rules.slug)
each_analysis = pytest.mark.parametrize("rules", WITH_ANALYSIS, ids=lambda rules: rules.slug)


def variant(rules: Rules) -> Variant:
    """Return the default game with the options of computer players."""
    return Variant(rules, {**rules.clean({}), **rules.computer_options})


def small(rules: Rules) -> Variant:
    """Return the game on its smallest board, which is quick to analyse."""
    numbers = {option.name: option.low for option in rules.options if option.kind == "number"}
    chosen = Variant(rules, {**rules.clean(numbers), **rules.computer_options})
    return chosen if can_deal(chosen) else variant(rules)


def choose(position: Position, seat: str, rules: Rules, seed: int, level: int = 1) -> str:
    return computer_module(rules.slug).choose(position, seat, level, Random(seed)).move


@each_computer
def test_the_options_of_computers_have_valid_values(rules: Rules) -> None:
    options = {option.name: option for option in rules.options}
    for name, value in rules.computer_options.items():
        assert options[name].clean(value) == value
    assert can_deal(variant(rules))


@each_computer
def test_a_computer_moves_whenever_it_is_to_move(rules: Rules) -> None:
    for position in sample_positions(variant(rules), count=5)[:-1]:
        for seat in position.to_move():
            move = choose(position, seat, rules, seed=1)
            assert position.copy().play(seat, move)


@each_computer
def test_a_computer_leaves_the_position_as_it_was(rules: Rules) -> None:
    position = sample_positions(variant(rules), count=3)[-2]
    before = observable_state(position, variant(rules).seats())
    for seat in position.to_move():
        choose(position, seat, rules, seed=1)
    assert observable_state(position, variant(rules).seats()) == before


@each_computer
def test_the_same_seed_gives_the_same_move(rules: Rules) -> None:
    for position in sample_positions(variant(rules), count=3)[:-1]:
        seat = min(position.to_move())
        assert choose(position, seat, rules, seed=5) == choose(position, seat, rules, seed=5)


@each_computer
def test_a_computer_moves_when_no_time_is_left_by_the_wall(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WALL_SECONDS", -1.0)
    for position in sample_positions(variant(rules), count=3)[:-1]:
        seat = min(position.to_move())
        move = choose(position, seat, rules, seed=1, level=[*rules.ladder][-1])
        assert position.copy().play(seat, move)


def test_work_of_another_thread_takes_nothing_from_the_time_of_a_search() -> None:
    clock, work = limits.search_clock(), 0.1
    began = clock()

    def burn() -> None:
        while thread_time() < work:
            pass

    other = Thread(target=burn)
    other.start()
    other.join()
    assert clock() - began < work


def test_the_time_of_a_search_goes_on_while_its_thread_works() -> None:
    clock, begun = limits.search_clock(), thread_time()
    began = clock()
    while thread_time() - begun < 0.01:
        pass
    assert clock() - began >= 0.009


def test_no_time_is_left_once_the_limit_by_the_wall_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "WALL_SECONDS", -1.0)
    assert limits.search_clock()() == inf


@each_computer
@pytest.mark.parametrize("level", [0, -1, 99])
def test_an_unknown_level_is_refused_with_a_sentence(rules: Rules, level: int) -> None:
    position = variant(rules).start()
    with pytest.raises(CannotPlay) as refused:
        choose(position, min(position.to_move()), rules, seed=1, level=level)
    assert isinstance(refused.value.text, Text)


@each_computer
def test_two_computers_of_the_first_level_finish_a_game(rules: Rules) -> None:
    position, rng = small(rules).start(), Random(3)
    computer: Any = computer_module(rules.slug)
    while position.to_move():
        seat = rng.choice(sorted(position.to_move()))
        position.play(seat, computer.choose(position, seat, 1, rng).move)
    assert position.result() is not None


@each_analysis
def test_an_analysis_values_every_legal_move(rules: Rules) -> None:
    for position in sample_positions(small(rules), count=4)[1:-1]:
        seat = min(position.to_move())
        before = observable_state(position, small(rules).seats())
        values = computer_module(rules.slug).evaluate(position)
        assert set(values) == set(position.legal_moves(seat))
        assert all(isinstance(value, MoveValue) for value in values.values())
        assert all(str(value.shown) for value in values.values())
        assert observable_state(position, small(rules).seats()) == before


@each_analysis
def test_an_analysis_has_a_threshold_for_mistakes(rules: Rules) -> None:
    assert computer_module(rules.slug).MISTAKE > 0
