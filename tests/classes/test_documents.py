"""The recorded runs check nothing that the document of an exercise does not say.

``data/documents.tsv`` of a game's tests has for each kind of check the sentence that asks for it.
The tests of a game hold that no run has a call about which its document is silent."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest

from games.classes.recording import find_exercise, read_record
from tests.support.pupils import EXERCISES, GAMES

SENTENCES = {
    (row["exercise"], row["check"]): row["sentence"]
    for path in sorted(GAMES.glob("*/data/documents.tsv"))
    for row in csv.DictReader(
        path.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE
    )
}


def checks(record: dict[str, Any]) -> set[str]:
    if not record["board"]:
        return {"output"}
    steps = [step for run in record["runs"] for step in run["steps"][1:]]
    return {f"{record['name']} *", "str"}.union(*(of_line(*step[:2]) for step in steps))


def of_line(line: str, answer: str) -> set[str]:
    """Return the checks of a line: each method with the kind of its answer."""
    methods = re.findall(r"\.(\w+)", line)
    kinds = [":"] * len(methods)
    if methods and answer[0] not in ">:":
        kinds[-1] = answer[0] + " " + answer[1:] if answer[0] == "!" else answer[0]
    return {f"{method} {kind}" for method, kind in zip(methods, kinds, strict=True)}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_sentence_of_the_document_asks_for_each_kind_of_check(exercise: str) -> None:
    asked = {check for slug, check in SENTENCES if slug == exercise}
    assert checks(read_record(*find_exercise(exercise))) == asked


def test_every_sentence_is_a_sentence() -> None:
    assert all(len(sentence.split()) > 1 for sentence in SENTENCES.values())
