"""Write finished games of the present rules of each kind to tests/games, for later versions to
replay.

A file holds the games of one kind and version: options, setup, moves and winners. It is written
once, because it proves that later rules still replay those games. To rewrite the file of a version
that was never released, delete it first.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import django

from games.contract import BadSetup, Option, Rules

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")
TESTS = Path(__file__).parent.parent / "tests" / "games"


def main() -> None:
    """Write the missing files."""
    django.setup()
    from games.registry import all_rules

    for rules in all_rules().values():
        path = TESTS / rules.slug / f"saved-games-{rules.version}.json"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            lines = (json.dumps(game, ensure_ascii=False) for game in _games(rules))
            path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
            print(f"wrote {path}")


def _games(rules: Rules) -> Iterator[dict[str, Any]]:
    """Yield a random finished game for each value of each option, sizes included."""
    from tests.support.random_games import Variant, can_deal, play_randomly

    for seed, options in enumerate(_choices(rules)):
        variant = Variant(rules, options)
        if not can_deal(variant):
            continue
        setup = variant.setup(seed)
        position = rules.start(setup)
        moves = play_randomly(position, Random(seed))
        if (result := position.result()) is None:
            sys.exit(f"A game of {variant} does not end.")
        yield {
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
    return [value for value, _ in option.choices] if option.kind == "choice" else [True, False]


if __name__ == "__main__":
    main()
