"""What a kind of game hides, found by its rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from games.contract import Rules, SeatKey, SeatSpec
from games.registry import all_rules
from tests.support.random_games import Variant, encode_json


def default_specs(rules: Rules) -> tuple[SeatSpec, ...]:
    return rules.seats(rules.clean({}))


def kinds_with_secrets() -> list[str]:
    """The kinds of game that have a seat with secrets: found, not named."""
    return [
        slug for slug, rules in all_rules().items() if any(s.secret for s in default_specs(rules))
    ]


def kinds_with_two_information_sets() -> list[str]:
    """Those in which other seats see no secrets."""
    return [
        slug
        for slug in kinds_with_secrets()
        if not all(s.secret for s in default_specs(all_rules()[slug]))
    ]


def kinds_with_shared_seats() -> list[str]:
    """Those in which several people hold one seat together."""
    return [
        slug for slug, rules in all_rules().items() if any(s.shared for s in default_specs(rules))
    ]


PartPath = tuple[Any, ...]


def iter_parts(value: Any, way: PartPath = ()) -> Iterator[tuple[PartPath, Any]]:
    """Every part of a setup that is made of parts, strings too, with the way to it."""
    if isinstance(value, str | dict | list):
        yield way, value
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from iter_parts(each, (*way, key))


def iter_strings(setup: Any) -> Iterator[tuple[PartPath, str]]:
    """Every string in a setup, with the way to it."""
    return ((way, part) for way, part in iter_parts(setup) if isinstance(part, str))


def replace_part(setup: Any, way: PartPath, value: Any) -> Any:
    copy = json.loads(json.dumps(setup))
    at = copy
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = value
    return copy


def swapped_parts(setup: Any) -> Iterator[Any]:
    """The setup with the first of some list or string and another one in each other's place."""
    for way, part in iter_parts(setup):
        for index in range(1, len(part) if isinstance(part, str | list) else 0):
            first, last = part[:1], part[index : index + 1]
            yield replace_part(setup, way, last + part[1:index] + first + part[index + 1 :])


def mixed_deals(rules: Rules, setup: Any) -> Iterator[Any]:
    """The setup with a part of another deal in the place of its own."""
    for seed in range(50):
        dealt = Variant(rules, rules.clean({})).setup(seed)
        yield from ({**setup, key: dealt[key]} for key in setup.keys() & dealt.keys())


def seats_that_see_a_difference(rules: Rules, setup: Any, other: Any) -> set[SeatKey]:
    """The seats that can tell two setups apart at the start; '' for spectators."""
    one, two = rules.start(setup), rules.start(other)
    seats = ["", *(spec.key for spec in default_specs(rules))]
    return {
        s for s in seats if encode_json(one.view(s or None)) != encode_json(two.view(s or None))
    }


def with_other_secrets(rules: Rules, setup: Any) -> Any:
    """A setup that differs only in what is hidden: seats with secrets see it, and no other does."""
    secret = {spec.key for spec in default_specs(rules) if spec.secret}
    for other in chain(swapped_parts(setup), mixed_deals(rules, setup)):
        with suppress(Exception):  # what no deal makes may be refused in any way
            found = seats_that_see_a_difference(rules, setup, other)
            if found and found <= secret:
                return other
    raise LookupError(f"nothing hidden was found in the setup of {rules.slug}")
