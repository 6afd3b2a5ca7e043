"""The walk through the code, and the count of files, which measure how the code is laid out."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import walk
from scripts.count_files import MOST, Weight, crowded, kind_of, over_budget, subject_of, weigh
from scripts.walk import Place

CODE = {
    "door": "from games.hall import hall\n\ndef door():\n    return hall()\n",
    "hall": (
        "from games.cellar import flood\nfrom games.room import Chair, room\n\n"
        "def hall():\n    try:\n        return room(Chair())\n"
        "    except OSError:\n        return flood()\n"
    ),
    "room": "class Chair:\n    pass\n\ndef room(chair):\n    return chair\n",
    "cellar": "from games.room import room\n\ndef flood():\n    return room(None)\n",
}


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return the beginning of a walk through `CODE`."""
    (tmp_path / "games").mkdir()
    for name, text in CODE.items():
        (tmp_path / "games" / f"{name}.py").write_text(text)
    monkeypatch.setattr(walk, "ROOT", tmp_path)
    walk.read.cache_clear()
    return Place("games.door", "door")


def test_a_file_is_entered_if_the_walk_goes_on_from_it(start: Place) -> None:
    assert walk.entered(walk.walk(start)) == ["games.door", "games.hall"]


def test_the_ends_of_a_walk_are_classes_and_what_is_done_in_an_except(start: Place) -> None:
    reached = {place for _, place in walk.walk(start, ends=True)}
    more = reached - {place for _, place in walk.walk(start)}
    assert more == {Place("games.cellar", "flood"), Place("games.room", "Chair")}


def test_a_folder_with_too_many_files_is_crowded() -> None:
    few = [Path("few") / f"{number}.py" for number in range(MOST)]
    many = [Path("many") / f"{number}.py" for number in range(MOST + 1)]
    assert crowded(few + many) == {Path("many"): MOST + 1}


def test_a_folder_of_files_of_one_kind_is_never_crowded() -> None:
    assert crowded([Path("pictures") / f"{number}.svg" for number in range(MOST + 1)]) == {}


SOURCE = '''"""Say what is here."""

import os


def here():
    """Return it."""
    # It is here.
    return """
    here"""
'''
SUBJECTS = {"people": "people", "services": "playing", "seats": "seats"}
BUDGET = {"lines": 100, "files": 3, "code": 0.5}


def test_code_is_neither_empty_nor_comment_docstring_or_import() -> None:
    assert weigh(SOURCE) == Weight(files=1, lines=10, code=3)


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        ("games/services/play.py", "playing"),
        ("games/services/seats.py", "seats"),
        ("games/views/people/email.py", "people"),
    ],
)
def test_the_innermost_part_of_a_path_with_a_subject_decides(path: str, subject: str) -> None:
    assert subject_of(Path(path), SUBJECTS) == subject


def test_a_file_without_a_subject_is_an_error() -> None:
    with pytest.raises(KeyError):
        subject_of(Path("games/elsewhere/new.py"), SUBJECTS)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("boardsite/urls.py", "site"),
        ("games/services/play.py", "site"),
        ("games/stairs/rules.py", "games"),
        ("games/migrations/0051_more.py", ""),
        ("tests/test_play.py", ""),
        ("games/stairs/templates/stairs/_cell.jinja", "templates"),
        ("static/site/site.css", "scripts and style sheets"),
        ("static/vendor/other.js", ""),
    ],
)
def test_files_of_games_and_migrations_are_not_the_sites_python(path: str, kind: str) -> None:
    assert kind_of(Path(path), {"stairs"}) == kind


@pytest.mark.parametrize(
    ("weight", "faults"),
    [
        (Weight(3, 100, 50), 0),
        (Weight(3, 101, 60), 1),
        (Weight(4, 100, 50), 1),
        (Weight(3, 100, 49), 1),
    ],
)
def test_a_site_beyond_a_limit_of_the_budget_is_a_fault(weight: Weight, faults: int) -> None:
    assert len(list(over_budget(weight, BUDGET))) == faults
