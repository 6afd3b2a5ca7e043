"""`benchmarks.strength` and `benchmarks.thinking`: the matches of all games, or a share of them."""

from __future__ import annotations

import re
import shlex

import pytest

from benchmarks.strength import lacks, matches, shared
from benchmarks.thinking import third_of
from games.core.registry import all_rules
from scripts.sources import ROOT


def test_every_match_names_a_program_and_options_that_it_has() -> None:
    faults = []
    for command in (command for slug in all_rules() for command in matches(slug)):
        module, *words = shlex.split(command.partition(" -- ")[0])
        text = (ROOT / f"benchmarks/{module}.py").read_text(encoding="utf-8")
        options = [word for word in words if word.startswith("--")]
        faults += [f"{command}: {option}" for option in options if f'"{option}"' not in text]
    assert faults == []


def test_a_share_of_the_games_is_rounded_up_to_one_at_least() -> None:
    command = "match --pairs {25} --games {3} --seed 7"
    assert shared(command, 1) == "match --pairs 25 --games 3 --seed 7"
    assert shared(command, 10) == "match --pairs 3 --games 1 --seed 7"


def test_every_match_has_a_number_of_games_to_share_or_takes_no_time() -> None:
    commands = [command for slug in all_rules() for command in matches(slug)]
    assert [command for command in commands if not re.search(r"\{\d+\}|_people", command)] == []


def test_a_missing_program_or_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "CHALLENGER"
    monkeypatch.delenv(program, raising=False)
    assert lacks(f"outside --folder ${program}", "") == f"{program} is not set."
    monkeypatch.setenv(program, "folder")
    assert lacks(f"outside --folder ${program}", "") is None
    assert lacks("match", "no_such_package") == "The package no_such_package is not installed."
    assert lacks("match", "json") is None


def test_the_phases_of_a_game_are_its_thirds_and_never_empty() -> None:
    assert [third_of(range(7), phase) for phase in range(3)] == [range(2), range(2, 4), range(4, 7)]
    assert [third_of("a", phase) for phase in range(3)] == ["a", "a", "a"]
