"""Choosing a move of Santorini one space at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import OTHER_CELLS, IllegalMove
from tests.games.santorini.positions import CLIMB, cells, played, random_game, start


def test_workers_are_placed_one_at_a_time() -> None:
    position = start()
    stage = position.stage("p1", [])
    assert str(stage.prompt) == "Place your first worker."
    assert len(stage.steps) == 25
    assert all(
        step.cell == step.text and step.effects == {step.text: "place"} for step in stage.steps
    )
    stage = position.stage("p1", ["c3"])
    assert str(stage.prompt) == "Place your second worker."
    assert stage.marks == {"c3": "chosen"}
    assert {step.text for step in stage.steps} == set(cells(position)) - {"c3"}


def test_a_worker_is_chosen_on_its_space_and_shows_its_reach() -> None:
    stage = played(CLIMB[:6]).stage("p1", [])
    assert [(step.text, step.cell) for step in stage.steps] == [("A", "a3"), ("B", "c2")]
    assert stage.steps[0].effects == dict.fromkeys(["a2", "b2", "b3", "b4", "a4"], "reach")


def test_a_move_is_chosen_on_the_space_it_leads_to_and_shows_the_builds() -> None:
    stage = played(CLIMB[:6]).stage("p1", ["A"])
    assert stage.marks == {"a3": "chosen"}
    steps = {step.text: step for step in stage.steps}
    assert {text: step.cell for text, step in steps.items()} == {
        "N": "a2",
        "NE": "b2",
        "E": "b3",
        "SE": "b4",
        "S": "a4",
    }
    builds = dict.fromkeys(["a2", "b2", "a3", "c3", "a4", "b4"], "build")
    assert steps["E"].effects == {"b3": "reach", **builds}
    assert str(steps["E"].label) == "Move to b3 (level 1)"


def test_a_build_is_chosen_on_its_space() -> None:
    stage = played(CLIMB[:9]).stage("p2", ["C", "SW"])
    assert stage.marks == {"b5": "chosen"}
    (dome,) = [step for step in stage.steps if step.text == "N"]
    assert (dome.cell, str(dome.label)) == ("b4", "Build a dome on b4")
    assert dome.effects == {"b4": "build"}


def test_a_winning_climb_is_the_end_of_the_turn() -> None:
    position = played(CLIMB)
    (win,) = [step for step in position.stage("p1", ["A"]).steps if step.text == "SW"]
    assert str(win.label) == "Climb to the third level on b4 and win"
    assert win.effects == {"b4": "reach"}
    with pytest.raises(IllegalMove):
        position.stage("p1", ["A", "SW"])


@pytest.mark.parametrize(
    "chosen", [["C"], ["a1"], ["A", "SE"], ["A", "W", "N"], ["A", "N", "N", "N"]]
)
def test_steps_with_which_no_legal_move_begins_are_refused(chosen: list[str]) -> None:
    with pytest.raises(IllegalMove):
        played([("p1", "a4 b5"), ("p2", "b2 c3")]).stage("p1", chosen)


@given(st.sampled_from([2, 3, 4]), st.integers(0, 10_000), st.integers(0, 60))
def test_steps_lead_to_every_legal_move_and_to_no_other(
    players: int, seed: int, length: int
) -> None:
    position = random_game(players, seed, length)

    def walk(seat: str, chosen: tuple[str, ...]) -> set[str]:
        if " ".join(chosen) in position.legal_moves(seat):
            return {" ".join(chosen)}
        steps = position.stage(seat, chosen).steps
        return set().union(*(walk(seat, (*chosen, step.text)) for step in steps))

    for seat in position.to_move():
        if not position.view(None)["placing"]:
            assert walk(seat, ()) == set(position.legal_moves(seat))


def test_only_the_spaces_of_workers_are_refused_before_a_worker_is_chosen() -> None:
    position = played(CLIMB[:6])
    reasons = position.refusals("p1", (), [name for name in cells(position) if name != "a3"])
    assert OTHER_CELLS not in reasons
    assert {str(reason) for reason in reasons.values()} >= {"C isn’t your worker."}
    assert len(reasons) == len(position.board.workers) - 1


def test_each_space_beside_a_worker_is_refused_for_its_own_reason() -> None:
    position = played(CLIMB[:6])
    steps = {step.cell for step in position.stage("p1", ["A"]).steps}
    others = [name for name in cells(position) if name not in steps]
    reasons = position.refusals("p1", ["A"], others)
    assert str(reasons[OTHER_CELLS]) == "Workers move one space at a time."
    assert str(reasons["a3"]) == "Move worker A."
