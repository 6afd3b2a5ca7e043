"""The mistakes that tests are tried with, and the command that makes them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from scripts.mutants import ROOT, Mutant, read_mutants, try_out

TWICE = Mutant("code_of.py", "tests/near", "twice is once", "2 * number", "number")
CODE = "def twice(number):\n    return 2 * number\n"
TEST = "from code_of import twice\n\ndef test_twice():\n    assert twice({0}) == {1}\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a small repository, whose tests near the code do not notice that twice is once."""
    (tmp_path / "code_of.py").write_text(CODE)
    write_test(tmp_path, "near", 0, 0)
    (tmp_path / "tests" / "settings.py").write_text("SECRET_KEY = 'key'\n")
    return tmp_path


def write_test(copy: Path, folder: str, number: int, twice: int) -> None:
    path = copy / "tests" / folder / f"test_{folder}.py"
    path.parent.mkdir(parents=True)
    path.write_text(TEST.format(number, twice))


def test_every_mistake_can_be_made_at_one_place() -> None:
    faults = []
    for mutant in read_mutants():
        try:
            made = mutant.made_in((ROOT / mutant.file).read_text())
            if mutant.file.endswith(".py"):
                ast.parse(made)
        except (OSError, ValueError, SyntaxError) as error:
            faults.append(str(error))
    assert faults == []


def test_the_tests_that_should_find_a_mistake_exist() -> None:
    named = {path for mutant in read_mutants() for path in mutant.tests.split()}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_a_mistake_is_found_by_a_test_of_its_folder(copy: Path) -> None:
    write_test(copy, "close", 1, 2)
    mutant = TWICE._replace(tests="tests/close")
    assert try_out(copy, mutant, quick=True) == ("found", "tests/close/test_close.py::test_twice")


def test_a_mistake_that_other_tests_find_is_found_elsewhere(copy: Path) -> None:
    write_test(copy, "far", 1, 2)
    outcome, test = try_out(copy, TWICE, quick=False)
    assert (outcome, test) == ("found elsewhere", "tests/far/test_far.py::test_twice")


def test_a_mistake_that_no_test_finds_survives(copy: Path) -> None:
    assert try_out(copy, TWICE, quick=False) == ("survived", "")


def test_the_file_is_as_before_once_a_mistake_was_tried_out(copy: Path) -> None:
    try_out(copy, TWICE, quick=True)
    assert (copy / "code_of.py").read_text() == CODE


def test_a_text_that_occurs_twice_makes_no_mistake() -> None:
    with pytest.raises(ValueError, match="2 times"):
        TWICE.made_in(CODE + CODE)
