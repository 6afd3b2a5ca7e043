"""The tree of steps as the page gets it: choices, and reasons why other cells cannot be chosen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.contract import CLICKED, OTHER_CELLS, Position, Rules, SeatKey, Stage, Text, text
from games.core.registry import all_rules
from games.presentation.board import build_board
from games.presentation.step_tree import encode_tree
from games.state.snapshot import Standing
from tests.support.random_games import Variant, cell_names, sample_positions

each_game = pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)


def positions_to_click(rules: Rules) -> list[tuple[Position, SeatKey, Stage]]:
    """Return sample positions with a seat that has steps to choose, and their stage."""
    positions = sample_positions(Variant(rules, rules.clean({})))[:-1]
    stages = [
        (position, seat, position.stage(seat, ()))
        for position in positions
        for seat in sorted(position.to_move())
    ]
    return [stage for stage in stages if stage[2].steps]


def tree_of(rules: Rules, position: Position, seat: SeatKey) -> dict[str, Any]:
    """Return the tree of a board as the page reads it."""
    board = build_board(rules, Standing.of(position), viewpoint=seat, seat=seat, live=True)
    assert board.tree is not None
    tree: dict[str, Any] = json.loads(encode_tree(board.tree, lambda *_: "", ask=False))
    return tree


def refusals_of_root(tree: dict[str, Any]) -> list[tuple[str, list[int]]]:
    """Return the reasons of the first stage, each with the places of its cells."""
    root = tree["n"][tree.get("root", 0)]
    row = root[3] if len(root) > 3 else []
    return [(tree["s"][reason], cells) for reason, cells in zip(row[::2], row[1::2], strict=True)]


@each_game
def test_only_cells_of_the_board_are_refused(rules: Rules) -> None:
    for position, seat, stage in positions_to_click(rules):
        names = cell_names(position, seat)
        taken = {step.cell for step in stage.steps}
        others = [name for name in names if name not in taken]
        reasons = position.refusals(seat, (), others)
        assert set(reasons) - {OTHER_CELLS} <= set(names)
        assert all(isinstance(reason, Text) for reason in reasons.values())


@each_game
def test_the_tree_has_a_choice_for_each_step(rules: Rules) -> None:
    for position, seat, stage in positions_to_click(rules):
        tree = tree_of(rules, position, seat)
        choices = tree["n"][tree.get("root", 0)][2]
        assert len(choices) == 2 * len(stage.steps)


def test_a_cell_without_a_reason_is_not_refused_with_that_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = next(iter(all_rules().values()))
    monkeypatch.setattr(Position, "refusals", lambda *_: {"b1": text("Not that one.")})
    position, seat, _ = positions_to_click(rules)[0]
    assert refusals_of_root(tree_of(rules, position, seat)) == [("", []), ("Not that one.", [1])]


def test_all_other_cells_share_one_reason_that_names_the_clicked_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = next(iter(all_rules().values()))
    reasons = {OTHER_CELLS: text("%(cell)s is closed.", cell=CLICKED), "b1": text("Not that one.")}
    monkeypatch.setattr(Position, "refusals", lambda *_: reasons)
    position, seat, _ = positions_to_click(rules)[0]
    assert refusals_of_root(tree_of(rules, position, seat)) == [
        (f"{CLICKED} is closed.", []),
        ("Not that one.", [1]),
    ]
