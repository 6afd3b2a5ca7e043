"""The judge of the page, which sees answers only: those of a right class, and forged ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.classes.comparison.in_page import start
from games.classes.recording import find_exercise, read_record
from tests.support.pupils import EXERCISES, pupil


class Side:
    """A worker of the page: `take` returns the messages that it posts."""

    def __init__(self, **begin: Any) -> None:
        self.side = start(json.dumps(begin))

    def take(self, **message: Any) -> list[dict[str, Any]]:
        posted: list[str] = []
        self.side(json.dumps(message), posted.append)
        return [json.loads(text) for text in posted]


def judge(exercise: str) -> Side:
    return Side(record=read_record(*find_exercise(exercise)))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_answers_of_a_right_class_are_right(exercise: str) -> None:
    referee, record = judge(exercise), read_record(*find_exercise(exercise))
    player = Side(source=pupil(exercise), name=record["name"], board=record["board"])
    (message,) = referee.take()
    while "play" in message:
        answers = [posted["answer"] for posted in player.take(lines=message["play"])]
        (message,) = referee.take(answers=answers)
    assert message == {"done": None, "runs": [True] * len(record["runs"])}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_player_is_told_no_answer(exercise: str) -> None:
    (message,) = judge(exercise).take()
    assert message.keys() == {"play"}


FORGED: list[Any] = [
    None,
    [],
    [{}],
    [None],
    "right",
    [{"value": "9" * 5000}],
    {"done": None},
    [[[]]],
]


@pytest.mark.parametrize("answers", FORGED, ids=repr)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_forged_answers_are_never_right(exercise: str, answers: Any) -> None:
    referee = judge(exercise)
    referee.take()
    (message,) = referee.take(answers=answers)
    while "play" in message:
        (message,) = referee.take(answers=answers)
    assert message["done"]
    assert True not in message["runs"]


@pytest.mark.parametrize("end", [{}, {"code": "right"}, {"code": "load", "run": 99}, [], None])
def test_a_forged_end_is_no_verdict(end: Any) -> None:
    referee = judge(EXERCISES[0])
    referee.take()
    (message,) = referee.take(answers=[], end=end)
    assert message["done"]["code"] in {"crashed", "load"}
    assert message["done"]["run"] == 0


def test_a_difference_before_the_end_is_told_in_place_of_it() -> None:
    exercise = EXERCISES[0]
    referee = judge(exercise)
    (message,) = referee.take()
    wrong = [{"board": ""}] * (len(message["play"]) - 1)
    (message,) = referee.take(answers=wrong, end={"code": "endless", "seconds": 10})
    assert message["done"]["code"] not in {"endless", "crashed"}


def test_code_that_ends_early_is_told_with_the_line_that_did_not_answer() -> None:
    referee = judge(EXERCISES[0])
    (message,) = referee.take()
    (ended,) = referee.take(answers=[], end={"code": "endless", "seconds": 10})
    assert (ended["done"]["code"], ended["done"]["lines"]) == ("endless", message["play"][:1])
