"""The recorded runs find every class that differs in one place from a right one.

``data/equal.tsv`` of a game's tests lists the mutants that no document distinguishes, by the
beginnings of their names, with the reason."""

from __future__ import annotations

import csv
from zlib import crc32

import pytest

from games.classes.recording import read_record
from tests.classes.mutations import Mutant, Subject
from tests.support.pupils import EXERCISES, GAMES
from tests.support.repeats import SOAK

EQUAL = [
    row
    for path in sorted(GAMES.glob("*/data/equal.tsv"))
    for row in csv.DictReader(
        path.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
]


def is_equal(subject: Subject, mutant: Mutant) -> bool:
    return any(
        row["file"] == subject.name and mutant.name.startswith(row["mutant"]) for row in EQUAL
    )


@pytest.mark.parametrize("own", [False, True], ids=["pupil", "own"])
@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_runs_find_every_mutant_that_the_document_distinguishes(
    exercise: str, own: bool
) -> None:
    subject = Subject(exercise, own=own)
    runs = read_record(subject.rules, subject.exercise)["runs"]
    tried = [mutant for mutant in subject.mutants if SOAK or crc32(mutant.name.encode()) % 10 == 0]
    assert len(tried) > len(subject.mutants) // 30
    missed = [
        mutant.name
        for mutant in tried
        if not is_equal(subject, mutant)
        and not any(subject.difference(run, mutant) for run in runs)
    ]
    assert missed == []


def test_each_mutant_in_the_list_has_a_reason() -> None:
    assert all(len(row["reason"].split()) > 2 for row in EQUAL)
