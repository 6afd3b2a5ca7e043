"""The contract of views and steps, tested on every game."""

from __future__ import annotations

from random import Random

import pytest

from games.contract import (
    IllegalMove,
    Position,
    SeatKey,
    Stage,
    Text,
    cell_name,
    next_steps,
    split_move,
)
from games.core.registry import all_rules
from games.presentation.board import build_board
from games.state.snapshot import Standing
from tests.support.random_games import (
    Variant,
    cell_names,
    encode_json,
    first_legal_moves,
    iter_texts,
    observable_state,
    random_legal_move,
    sample_positions,
    variants,
)

EFFECTS = {"place", "flip", "halo", "reach", "build"}
ALL_RULES = list(all_rules().values())

each_variant = pytest.mark.parametrize(
    "variant", [variant for rules in ALL_RULES for variant in variants(rules)], ids=str
)
each_game = pytest.mark.parametrize(
    "variant", [Variant(rules, rules.clean({})) for rules in ALL_RULES], ids=str
)


# --- views -----------------------------------------------------------------------------


@each_variant
def test_a_view_is_json_and_its_sentences_are_complete(variant: Variant) -> None:
    for position in sample_positions(variant):
        for seat in [None, *variant.seats()]:
            view = position.view(seat)
            encode_json(view)
            assert all(str(text) for text in iter_texts(view))


@each_variant
def test_a_view_has_a_name_and_a_label_for_every_cell(variant: Variant) -> None:
    for position in sample_positions(variant, count=3):
        for seat in [None, *variant.seats()]:
            rows = position.view(seat)["rows"]
            assert [[cell["name"] for cell in row] for row in rows] == [
                [cell_name(row, column) for column in range(len(rows[0]))]
                for row in range(len(rows))
            ]
            assert all(isinstance(cell["label"], Text) for row in rows for cell in row)


@each_variant
def test_a_view_marks_and_describes_the_last_move(variant: Variant) -> None:
    rng, position = Random(9), variant.start()
    assert list(position.view(None)["last"]) == []
    while position.to_move():
        position.play(*random_legal_move(position, rng))
        if rng.random() < 0.3 or not position.to_move():
            view = position.view(None)
            assert set(view["last"]) <= set(cell_names(position))
            assert view["events"]
            assert all(isinstance(text, Text) for text in view["events"])


@each_game
def test_changing_a_view_does_not_change_the_position(variant: Variant) -> None:
    position = sample_positions(variant)[3]
    before = observable_state(position, variant.seats())
    view = position.view(None)
    for part in view.values():
        if isinstance(part, list | dict):
            part.clear()
    assert observable_state(position, variant.seats()) == before


# --- choosing a move by steps -----------------------------------------------------------


def offered(position: Position, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
    """Return the stage, after a check that all its cells are on this board."""
    stage = position.stage(seat, chosen)
    board = set(cell_names(position, seat))
    assert str(stage.prompt)
    assert set(stage.marks) <= board
    assert set(stage.marks.values()) <= EFFECTS | {"chosen"}
    for step in stage.steps:
        assert str(step.label)
        assert step.cell is None or step.cell in board
        # The name of the cell precedes it, so it is named again only among others.
        named = board.intersection(str(step.on_cell).split())
        assert step.cell not in named or len(named) > 1
        assert set(step.effects) <= board
        assert set(step.effects.values()) <= EFFECTS
    return stage


@each_variant
def test_the_steps_offered_lead_to_every_legal_move_and_to_no_other(variant: Variant) -> None:
    rng = Random(10)
    for position in sample_positions(variant)[:-1]:
        for seat in sorted(position.to_move()):
            legal = list(position.legal_moves(seat))
            chosen: tuple[str, ...] = ()
            while " ".join(chosen) not in legal:
                tokens = [step.text for step in offered(position, seat, chosen).steps]
                if not tokens and not chosen:
                    break  # a move with free text is typed and not clicked
                assert sorted(tokens) == sorted(next_steps(legal, chosen))
                chosen = (*chosen, rng.choice(tokens))


@each_game
def test_no_two_steps_share_a_cell(variant: Variant) -> None:
    for position in sample_positions(variant)[:-1]:
        for seat in position.to_move():
            on_cells = [step.cell for step in position.stage(seat, ()).steps if step.cell]
            assert len(set(on_cells)) == len(on_cells)


@each_variant
def test_every_game_has_moves_by_clicking_alone(variant: Variant) -> None:
    clicks = [
        any(offered(position, seat, ()).steps for seat in position.to_move())
        for position in sample_positions(variant)[:-1]
    ]
    assert any(clicks)


@each_game
def test_steps_with_which_no_legal_move_begins_are_refused(variant: Variant) -> None:
    position = variant.start()
    for seat in position.to_move():
        for chosen in (("nonsense",), ("٣",), ("",), ("a1", "a1", "a1", "a1", "a1")):
            with pytest.raises(IllegalMove):
                position.stage(seat, chosen)


@each_game
def test_after_a_whole_move_there_is_nothing_to_choose(variant: Variant) -> None:
    for position in sample_positions(variant, count=3)[:-1]:
        for seat, move in first_legal_moves(position):
            with pytest.raises(IllegalMove):
                position.stage(seat, split_move(move))


@each_game
def test_a_whole_move_is_rendered_with_a_button_or_dropped(variant: Variant) -> None:
    for position in sample_positions(variant, count=3)[:-1]:
        for seat, move in first_legal_moves(position, 20):
            steps = split_move(move)
            board = build_board(
                variant.rules, Standing.of(position), viewpoint=seat, seat=seat, chosen=steps
            )
            assert (board.chosen, bool(board.confirm)) in [(steps, True), ((), False)]
