"""Mistakes in a game's folder that would cause errors elsewhere are named where they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import games
from games.contract import Rules
from games.core.registry import all_rules
from tests.contract.test_contract import each_variant
from tests.support.random_games import Variant, sample_positions

each_kind = pytest.mark.parametrize("rules", all_rules().values(), ids=all_rules())

PLACES = re.compile(r"%%|%\(\w+\)s")


def folder(rules: Rules) -> Path:
    paths = (Path(path, rules.slug) for path in games.__path__)
    return next(path for path in paths if path.is_dir())


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the arguments of ``text`` and ``ntext`` in a file, with the numbers of the lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"text", "ntext"}:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.lineno, argument.value


def hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


@each_variant
def test_all_cells_of_a_view_have_the_same_keys_and_values_that_can_be_hashed(
    variant: Variant,
) -> None:
    for position in sample_positions(variant, count=3):
        for seat in [None, *variant.seats()]:
            cells = [cell for row in position.view(seat)["rows"] for cell in row]
            for cell in cells:
                other = set(cell) ^ set(cells[0])
                assert not other, f"{cell['name']} and {cells[0]['name']} differ in keys: {other}"
                for key in set(cell) - {"name", "label"}:
                    what = f"{key!r} of {cell['name']}"
                    assert hashable(cell[key]), f"{what} cannot be hashed: {cell[key]!r}"


@each_variant
def test_no_two_seats_have_one_key(variant: Variant) -> None:
    keys = variant.seats()
    assert len(keys) >= 2, "a game has at least two seats"
    twice = {key for key in keys if keys.count(key) > 1}
    assert not twice, f"several seats have the key {twice}"


@each_kind
def test_the_rules_page_shows_existing_examples(rules: Rules) -> None:
    page = folder(rules) / "templates" / rules.slug / "rules.jinja"
    text = page.read_text(encoding="utf-8")
    shown = set(re.findall(r"pictures(?:\.|\[['\"])([\w-]+)", text))
    assert rules.examples, "Rules.examples has no picture for the rules page"
    unknown = shown - set(rules.examples)
    assert not unknown, f"rules.jinja shows examples that there are not: {unknown}"


@each_kind
def test_a_game_with_levels_has_a_computer_player(rules: Rules) -> None:
    there = find_spec(f"games.{rules.slug}.computer") is not None
    assert there or not rules.levels, "there are Rules.levels, and computer.py is missing"
    assert rules.levels or not rules.analysis, "Rules.analysis needs a computer: levels are 0"


@each_kind
def test_a_sentence_has_places_and_no_other_per_cent_signs(rules: Rules) -> None:
    for path in sorted(folder(rules).rglob("*.py")):
        for line, message in messages(path):
            where = f"{path.relative_to(folder(rules))}:{line}"
            assert "%" not in PLACES.sub("", message), (
                f"{where}: in {message!r} a % is neither of a %(place)s nor written as %%"
            )
