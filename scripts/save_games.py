"""Write finished games of the present rules of each kind to tests/games, for later versions to
replay.

A file holds the games of one kind and version: options, setup, moves and winners. Games of new
sizes and options are added to it. Those that it has never change, because they prove that later
rules still replay them. To rewrite the file of a version that was never released, delete it first.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import django

from games.contract import BadSetup, Option, Rules

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")
TESTS = Path(__file__).parent.parent / "tests" / "games"


def main() -> None:
    """Write the missing games."""
    django.setup()
    from games.core.registry import all_rules

    for rules in all_rules().values():
        path = path_of(rules)
        saved = json.loads(path.read_text("utf-8")) if path.exists() else []
        if new := [_random_game(rules, options) for options in missing_choices(rules, saved)]:
            path.parent.mkdir(exist_ok=True)
            lines = (json.dumps(game, ensure_ascii=False) for game in [*saved, *new])
            path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
            print(f"wrote {len(new)} games to {path}")


def path_of(rules: Rules) -> Path:
    """Return the file of a kind's present version."""
    return TESTS / rules.slug / f"saved-games-{rules.version}.json"


def missing_choices(
    rules: Rules, saved: Sequence[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Yield the options with which no game is saved: each value of each option, with the others at
    default."""
    default = rules.clean({})
    known = [_changed(default, game["options"]) for game in saved]
    for options in _choices(rules):
        if _changed(default, options) not in known and _can_deal(rules, options):
            yield options


def _changed(default: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not at default. Saved games may lack newer options, and have
    some that are gone."""
    values = {name: options.get(name, value) for name, value in default.items()}
    return {name: value for name, value in values.items() if value != default[name]}


def _can_deal(rules: Rules, options: Mapping[str, Any]) -> bool:
    from tests.support.random_games import Variant, can_deal

    return can_deal(Variant(rules, options))


def _random_game(rules: Rules, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a random finished game."""
    from tests.support.random_games import Variant, play_randomly

    variant, seed = Variant(rules, options), list(_choices(rules)).index(options)
    setup = variant.setup(seed)
    position = rules.start(setup)
    moves = play_randomly(position, Random(seed))
    if (result := position.result()) is None:
        sys.exit(f"A game of {variant} does not end.")
    return {
        "options": dict(options),
        "setup": setup,
        "moves": [f"{seat} {move}" for seat, move in moves],
        "winners": sorted(result.winners),
    }


def _choices(rules: Rules) -> Iterator[Mapping[str, Any]]:
    """Yield the default options, then each value of each option with the others at default."""
    default = rules.clean({})
    yield default
    for option in rules.options:
        for value in _values(option):
            with suppress(BadSetup):
                if (options := rules.clean({option.name: value})) != default:
                    yield options


def _values(option: Option) -> Iterable[Any]:
    if option.kind == "number":
        return range(option.low, option.high + 1)
    if option.kind == "choice":
        return [value for value, _ in option.choices]
    return [True, False] if option.kind == "flag" else []


if __name__ == "__main__":
    main()
