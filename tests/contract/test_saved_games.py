"""Games that were finished under earlier versions of the code still replay to the same result.

`python -m scripts.save_games` adds the games of a new kind, version, size or option.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.contract import OlderRules, Position, Rules
from games.core.registry import all_rules
from scripts.save_games import missing_choices, path_of

TESTS = Path(__file__).parents[1] / "games"
FILES = sorted(TESTS.glob("*/saved-games-*.json"))

each_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


@cache
def saved_games(path: Path) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return games


def version_of(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def rules_of(path: Path) -> tuple[Rules, OlderRules]:
    """Return the rules of a file's kind, and how games of its version replay."""
    rules, version = all_rules()[path.parent.name], version_of(path)
    return rules, OlderRules() if version == rules.version else rules.older[version]


def replay(path: Path, game: dict[str, Any]) -> Position:
    rules, older = rules_of(path)
    position = (older.start or rules.start)(game["setup"])
    for line in game["moves"]:
        seat, _, move = line.partition(" ")
        position.play(seat, older.move(move))
    return position


@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_every_version_that_the_rules_replay_has_saved_games(rules: Rules) -> None:
    saved = {version_of(path) for path in FILES if path.parent.name == rules.slug}
    assert saved == {rules.version, *rules.older}, "run: python -m scripts.save_games"


@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_every_size_and_option_of_the_present_rules_has_a_saved_game(rules: Rules) -> None:
    path = path_of(rules)
    saved = saved_games(path) if path.exists() else []
    assert not list(missing_choices(rules, saved)), "run: python -m scripts.save_games"


@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_games_are_missing_of_the_options_that_none_is_saved_with(rules: Rules) -> None:
    first, *others = missing_choices(rules, [])
    assert list(missing_choices(rules, [{"options": first}])) == others


@each_file
def test_saved_games_end_with_their_result(path: Path) -> None:
    for game in saved_games(path):
        result = replay(path, game).result()
        assert result is not None
        assert sorted(result.winners) == game["winners"]


@each_file
def test_the_options_of_saved_games_still_give_their_seats(path: Path) -> None:
    rules, _ = rules_of(path)
    for game in saved_games(path):
        keys = {spec.key for spec in rules.seats(game["options"])}
        assert {line.partition(" ")[0] for line in game["moves"]} <= keys
