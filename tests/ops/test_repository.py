"""Rules for all files of the repository: names of games, lengths, and pinned dependencies."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from games.core.registry import all_rules
from scripts.sources import ROOT, sources

SLUGS = list(all_rules())
LONGEST_FILE = 400
LONGEST_COMMON = 5
SOURCES = {".py", ".html", ".jinja", ".css", ".js", ".sh", ".toml", ""}
STALE = re.compile(r"\b(?:TODO|FIXME|HACK|lorem ipsum)\b")
# Made by tools, or by others.
NOT_OURS = re.compile(r"requirements.*\.lock|LICENSE.*|games/migrations/.*|.*/?vendor/.*|.*\.svg")


@cache
def files() -> tuple[Path, ...]:
    return tuple(sources())


def ours() -> list[Path]:
    return [path for path in files() if not NOT_OURS.fullmatch(path.as_posix())]


def content(path: Path) -> str:
    """Return the text of a file, '' for one that is no text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def may_name(slug: str, path: Path) -> bool:
    """Return whether a file may name the game: its own ones, and documents."""
    own = path.parts[0] == "games" and len(path.parts) > 2 and path.parts[1] == slug
    return (
        own
        or (path.parts[0] == "tests" and path.parts[1:3] == ("games", slug))
        # Programs for one game, which the site does not import.
        or (path.parts[0] in {"benchmarks", "examples"} and slug in path.name)
        or path.parts[0] == "docs"
        # Rows of stored databases, and stored games.
        or path.suffix == ".sql"
        or (path.parts[0] == "tests" and "data" in path.parts)
        # A list of words may hold any.
        or (path.parts[0] == "games" and "data" in path.parts)
        or path.name in {"README.md", "CHANGELOG.md"}
    )


def words(path: Path) -> list[str]:
    return re.split(r"[^a-z0-9]+", path.as_posix())


def name_of(slug: str) -> re.Pattern[str]:
    """Return a pattern for lines that name a game. A name as short as a common word, or as a part
    of one, counts only if it is quoted, imported, in a path or a CSS class, or capitalized."""
    if len(slug) > LONGEST_COMMON:
        return re.compile(slug, re.IGNORECASE)
    marked = rf"(?:[\"'`/]|games\.|game-){slug}(?![a-z0-9])"
    return re.compile(rf"{marked}|(?<![A-Za-z]){slug.capitalize()}(?![a-z])")


@pytest.mark.parametrize("slug", SLUGS)
def test_no_file_names_a_game_outside_its_folder(slug: str) -> None:
    name = name_of(slug)
    # The description in pyproject.toml is for people, and may name games.
    naming = [
        f"{path}:{number}"
        for path in files()
        if not may_name(slug, path)
        for number, line in enumerate(content(path).splitlines(), 1)
        if name.search(line) and not line.startswith("description = ")
    ]
    assert naming == []


@pytest.mark.parametrize("slug", SLUGS)
def test_no_file_is_called_after_a_game_outside_its_folder(slug: str) -> None:
    named = [
        path
        for path in files()
        if (slug in path.as_posix() if len(slug) > LONGEST_COMMON else slug in words(path))
        and not may_name(slug, path)
    ]
    assert named == []


def test_no_file_is_long() -> None:
    long = {
        str(path): length
        for path in ours()
        if path.suffix in SOURCES and (length := content(path).count("\n")) > LONGEST_FILE
    }
    assert long == {}


def test_nothing_is_left_to_do() -> None:
    stale = [path for path in ours() if path.name != Path(__file__).name]
    assert [str(path) for path in stale if STALE.search(content(path))] == []


def test_nothing_names_a_place_on_somebodys_machine() -> None:
    place = re.compile(r"/(?:work|root|opt|home|Users)/\w+")
    naming = [
        f"{path}: {found.group()}" for path in ours() if (found := place.search(content(path)))
    ]
    assert naming == []


def test_the_locks_name_no_index() -> None:
    for path in ROOT.glob("requirements*.lock"):
        lines = path.read_text().splitlines()
        assert not [line for line in lines if line.startswith("-") or "://" in line]


def test_everything_installed_is_pinned_with_a_hash() -> None:
    for path in ROOT.glob("requirements*.lock"):
        pins = re.split(r"\n(?=[a-z0-9])", path.read_text())
        assert [
            pin.split()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin
        ] == []


def test_the_longer_locks_hold_the_shorter_ones() -> None:
    pins = {
        path.name: set(re.findall(r"^[\w.-]+==\S+", path.read_text(), re.MULTILINE))
        for path in ROOT.glob("requirements*.lock")
    }
    assert pins["requirements.lock"] <= pins["requirements-services.lock"]
    assert pins["requirements-services.lock"] <= pins["requirements-dev.lock"]


def test_the_locks_fit_what_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    used = {
        "requirements.lock": project["dependencies"] + extras["computers"],
        "requirements-services.lock": extras["services"],
        "requirements-dev.lock": extras["dev"],
    }
    for name, lines in used.items():
        pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))
        for requirement in map(Requirement, lines):
            version = pinned.get(canonicalize_name(requirement.name), "")
            assert version, f"{requirement.name} is not in {name}: make lock"
            assert requirement.specifier.contains(version)


def test_pages_write_days_and_times_in_one_form() -> None:
    pages = [*ROOT.glob("templates/**/*"), *ROOT.glob("games/*/templates/**/*")]
    written = "".join(path.read_text() for path in pages if path.is_file())
    forms = {*re.findall(r'\|\s*(?:date|time)(?::"([^"]*)")?\s*[|}% )]', written)}
    assert forms <= {"j F Y", "j F Y H:i", "H:i"}
