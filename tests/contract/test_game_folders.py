"""The games' folders have the same entries, and their positions the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from games.contract import Position, Rules
from games.core.registry import all_rules
from tests.support.random_games import Variant

EVERY_GAME = {"__init__.py", "position.py", "rules.py", "templates", "static"}
WITH_ENGINE = EVERY_GAME | {"engine.py", "messages.py", "stages.py", "locale"}
WITH_COMPUTER = {"computer.py", "ai"}

each_kind = pytest.mark.parametrize("rules", all_rules().values(), ids=all_rules())


def folder_of(rules: Rules) -> Path:
    folders = (Path(path, rules.slug) for path in games.__path__)
    return next(folder for folder in folders if folder.is_dir())


def entries(rules: Rules) -> set[str]:
    return {path.name for path in folder_of(rules).iterdir()}


@each_kind
def test_a_folder_has_the_entries_that_all_games_have(rules: Rules) -> None:
    found = entries(rules)
    required = WITH_ENGINE if "engine.py" in found else EVERY_GAME
    missing = required - found
    assert not missing, f"games/{rules.slug} has no {', '.join(sorted(missing))}"


@each_kind
def test_a_game_with_computer_players_has_their_entries(rules: Rules) -> None:
    missing = WITH_COMPUTER - entries(rules) if rules.levels else set()
    assert not missing, f"games/{rules.slug} has no {', '.join(sorted(missing))}"


@each_kind
def test_the_templates_of_a_game_are_written_in_jinja(rules: Rules) -> None:
    templates = [path for path in (folder_of(rules) / "templates").rglob("*") if path.is_file()]
    others = [path.name for path in templates if path.suffix != ".jinja"]
    assert not others, f"games/{rules.slug} has templates in another language: {others}"


@each_kind
def test_a_position_writes_the_methods_of_the_contract_in_its_order(rules: Rules) -> None:
    position = type(Variant(rules, rules.clean({})).start())
    contract = [name for name in vars(Position) if callable(vars(Position)[name])]
    written = [name for name in vars(position) if name in contract]
    assert written == [name for name in contract if name in written]
