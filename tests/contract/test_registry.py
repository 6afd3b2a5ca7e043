"""Games are found by their folders, and a broken one is named at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games.core.registry import BrokenGame, all_rules

GOOD = """
from games.contract import Rules, text
RULES = Rules(slug={slug!r}, name=text("Toy"), tagline=text("A toy."), seats=lambda options: (),
              deal=lambda options, rng: {{}}, start=lambda setup: None)
"""
ASKS = GOOD.replace("import", "import Option,").replace(
    "RULES = Rules(", """RULES = Rules(options=(Option(name={name!r}, label=text("?"){more}),), """
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder beside the real games for a game of a test."""
    all_rules()  # cached before the folder exists, for later tests
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("games.toy")]:
        del sys.modules[name]


def add(folder: Path, name: str, source: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    (folder / name / "rules.py").write_text(source)


def test_a_new_folder_with_rules_is_a_game(folder: Path) -> None:
    add(folder, "toy_good", GOOD.format(slug="toy_good"))
    assert set(all_rules.__wrapped__()) == {*all_rules(), "toy_good"}


def test_games_come_in_the_order_of_their_slugs() -> None:
    assert list(all_rules()) == sorted(all_rules())


def test_a_folder_without_rules_is_no_game(folder: Path) -> None:
    (folder / "toy_empty").mkdir()
    assert set(all_rules.__wrapped__()) == set(all_rules())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module", "cannot be imported"),
        ("RULES = 1 / 0", "cannot be imported"),
        ("rules = None", "has no RULES"),
        ("RULES = {}", "has no RULES"),
        (GOOD.format(slug="other"), "has the slug 'other'"),
    ],
)
def test_a_broken_game_stops_the_program_by_name(folder: Path, source: str, reason: str) -> None:
    add(folder, "toy_bad", source)
    with pytest.raises(BrokenGame, match=rf"games/toy_bad/rules\.py {reason}"):
        all_rules.__wrapped__()


@pytest.mark.parametrize("name", ["name", "random_seats", "transcript", "hints", "seat-p1"])
def test_an_option_has_no_name_of_a_field_of_the_set_up_page(folder: Path, name: str) -> None:
    add(folder, "toy_bad", ASKS.format(slug="toy_bad", name=name, more=", default=0"))
    with pytest.raises(BrokenGame, match=rf"games/toy_bad/rules\.py has an option called '{name}'"):
        all_rules.__wrapped__()


@pytest.mark.parametrize("kind", ["number", "choice", "text"])
def test_an_option_has_a_default(folder: Path, kind: str) -> None:
    add(folder, "toy_bad", ASKS.format(slug="toy_bad", name="size", more=f", kind={kind!r}"))
    with pytest.raises(BrokenGame, match="has an option 'size' without a default"):
        all_rules.__wrapped__()


def test_a_box_to_tick_needs_no_default(folder: Path) -> None:
    add(folder, "toy_good", ASKS.format(slug="toy_good", name="swap", more=", kind='flag'"))
    assert "toy_good" in all_rules.__wrapped__()


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        all_rules()["toy"] = None
