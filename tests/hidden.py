"""What a kind of game hides, found by its rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from games.contract import Rules, SeatSpec
from games.registry import all_rules
from tests.playing import as_json


def specs(rules: Rules) -> tuple[SeatSpec, ...]:
    return rules.seats(rules.clean({}))


def with_secrets() -> list[str]:
    """The kinds of game that have a seat with secrets: found, not named."""
    return [slug for slug, rules in all_rules().items() if any(s.secret for s in specs(rules))]


def strings(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every string in a setup, with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from strings(each, (*path, key))


def changed(setup: Any, path: tuple[Any, ...], value: str) -> Any:
    copy = json.loads(json.dumps(setup))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copy


def twin(rules: Rules, setup: Any) -> Any:
    """A setup that differs only in what is hidden: two signs of some string change places, and
    no open seat sees it, but one with secrets does."""
    open_seats = [None, *(spec.key for spec in specs(rules) if not spec.secret)]
    secret = next(spec.key for spec in specs(rules) if spec.secret)
    start = rules.start(setup)
    for path, value in strings(setup):
        for index in range(1, len(value)):
            swapped = value[index] + value[1:index] + value[0] + value[index + 1 :]
            other = rules.start(changed(setup, path, swapped))
            same = all(as_json(start.view(s)) == as_json(other.view(s)) for s in open_seats)
            if same and as_json(start.view(secret)) != as_json(other.view(secret)):
                return changed(setup, path, swapped)
    raise LookupError(f"nothing hidden was found in the setup of {rules.slug}")
