"""Setups that differ only in hidden information, found for any game by its rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from games.contract import Rules, SeatKey
from tests.support.kinds import default_specs
from tests.support.random_games import Variant, encode_json

PartPath = tuple[Any, ...]
"""Keys and indexes that lead to a part of a setup."""


def iter_parts(value: Any, path: PartPath = ()) -> Iterator[tuple[PartPath, Any]]:
    """Yield the path and value of every dict, list and string in a setup."""
    if isinstance(value, str | dict | list):
        yield path, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from iter_parts(part, (*path, key))


def iter_strings(setup: Any) -> Iterator[tuple[PartPath, str]]:
    """Yield the path and value of every string in a setup."""
    return ((path, part) for path, part in iter_parts(setup) if isinstance(part, str))


def replace_part(setup: Any, path: PartPath, value: Any) -> Any:
    """Return a copy of a setup with another value at ``path``."""
    copy = json.loads(json.dumps(setup))
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return copy


def swapped_parts(setup: Any) -> Iterator[Any]:
    """Yield the setup with the first item of a list or string swapped with a later one."""
    for path, part in iter_parts(setup):
        for index in range(1, len(part) if isinstance(part, str | list) else 0):
            first, last = part[:1], part[index : index + 1]
            yield replace_part(setup, path, last + part[1:index] + first + part[index + 1 :])


def mixed_deals(rules: Rules, setup: Any) -> Iterator[Any]:
    """Yield the setup with one entry replaced by that of another deal."""
    for seed in range(50):
        dealt = Variant(rules, rules.clean({})).setup(seed)
        yield from ({**setup, key: dealt[key]} for key in setup.keys() & dealt.keys())


def seats_that_see_a_difference(rules: Rules, setup: Any, other: Any) -> set[SeatKey]:
    """Return the seats whose first views of two setups differ; '' stands for spectators."""
    one, two = rules.start(setup), rules.start(other)
    seats = ["", *(spec.key for spec in default_specs(rules))]
    return {
        s for s in seats if encode_json(one.view(s or None)) != encode_json(two.view(s or None))
    }


def with_other_secrets(rules: Rules, setup: Any) -> Any:
    """Return a setup that differs from ``setup`` for the seats with secrets alone."""
    secret = {spec.key for spec in default_specs(rules) if spec.secret}
    for other in chain(swapped_parts(setup), mixed_deals(rules, setup)):
        # Many candidates could not have been dealt, and engines may refuse these with any error.
        with suppress(Exception):
            found = seats_that_see_a_difference(rules, setup, other)
            if found and found <= secret:
                return other
    raise LookupError(f"no hidden information was found in the setup of {rules.slug}")
