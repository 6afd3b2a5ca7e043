"""The contract, tested on every game: a new game is tested by existing.

No test names a game. `tests/contract/test_moves.py` has the illegal moves,
`tests/contract/test_setup.py` the options and the set-up.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    RESIGN,
    GameOver,
    IllegalMove,
    MoveError,
    NotYourTurn,
    Position,
    SeatKey,
    Text,
    split_move,
)
from games.core.registry import all_rules
from tests.support.random_games import (
    MAX_PLIES,
    Variant,
    encode_json,
    first_legal_moves,
    observable_state,
    play_randomly,
    random_game,
    random_legal_move,
    replay_moves,
    sample_positions,
    variants,
)

NONSENSE = (
    "", " ", "nonsense", "a0", "z99", "a1 a1 a1 a1 a1", "٣", "a٣", "resign!", "RESIGN ",
    "\x00", "a1\n", "-1", "None", "<b>a1</b>", "a" * 10_000, "🂡", "c3;d4", "%(n)s",
)  # fmt: skip

ALL_RULES = list(all_rules().values())
VARIANTS = [variant for rules in ALL_RULES for variant in variants(rules)]
DEFAULTS = [Variant(rules, rules.clean({})) for rules in ALL_RULES]

each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)
each_game = pytest.mark.parametrize("variant", DEFAULTS, ids=str)


# --- a game from beginning to end ------------------------------------------------------


@each_variant
def test_a_game_of_random_legal_moves_ends_with_a_result(variant: Variant) -> None:
    for seed in range(3):
        played = random_game(variant, seed)
        assert len(played) < MAX_PLIES
        assert replay_moves(variant.start(seed), played).result() is not None


@each_variant
def test_seats_are_to_move_exactly_until_there_is_a_result(variant: Variant) -> None:
    rng, position = Random(5), variant.start()
    while position.to_move():
        assert position.result() is None
        assert position.to_move() <= set(variant.seats())
        position.play(*random_legal_move(position, rng))
    assert position.result() is not None


@each_variant
def test_a_seat_has_legal_moves_exactly_when_it_is_to_move(variant: Variant) -> None:
    for position in sample_positions(variant):
        to_move = {
            seat for seat in variant.seats() if any(True for _ in position.legal_moves(seat))
        }
        assert to_move == position.to_move()


@each_variant
def test_the_winners_are_whole_sides_and_the_reason_is_a_sentence(variant: Variant) -> None:
    specs = variant.rules.seats(variant.options)
    for seed in range(3):
        result = replay_moves(variant.start(seed), random_game(variant, seed)).result()
        assert result is not None
        won = {spec.side for spec in specs if spec.key in result.winners}
        assert result.winners == {spec.key for spec in specs if spec.side in won}
        assert str(result.reason)


@each_game
def test_opposed_sides_do_not_all_win(variant: Variant) -> None:
    sides = {spec.side: spec.key for spec in variant.rules.seats(variant.options)}
    for seed in range(20 if len(sides) > 1 else 0):
        result = replay_moves(variant.start(seed), random_game(variant, seed)).result()
        assert result is not None
        assert not result.winners >= set(sides.values()), "a draw is a result without winners"


@each_variant
def test_the_same_moves_from_the_same_setup_show_the_same(variant: Variant) -> None:
    played = random_game(variant, 1)
    one, other = variant.start(), variant.start()
    for before, at in pairwise([0, *range(0, len(played), max(1, len(played) // 8))]):
        for position in (one, other):
            replay_moves(position, played[before:at])
        assert observable_state(one, variant.seats()) == observable_state(other, variant.seats())


@each_variant
def test_starting_leaves_the_setup_as_it_was(variant: Variant) -> None:
    setup, again = variant.setup(), variant.setup()
    play_randomly(variant.rules.start(setup), Random(3), plies=30)
    assert setup == again


# --- moves -----------------------------------------------------------------------------


@each_game
def test_every_legal_move_can_be_played(variant: Variant) -> None:
    for position in sample_positions(variant):
        for seat, move in first_legal_moves(position):
            assert position.copy().play(seat, move)


@each_game
def test_the_move_that_passes_a_turn_is_legal(variant: Variant) -> None:
    for position in sample_positions(variant):
        passes = {seat: position.pass_move(seat) for seat in position.to_move()}
        assert all(move is None or move in position.legal_moves(s) for s, move in passes.items())


@each_game
def test_legal_moves_are_distinct_strings_in_the_one_notation(variant: Variant) -> None:
    for position in sample_positions(variant):
        for seat in position.to_move():
            moves = list(position.legal_moves(seat))
            assert len(set(moves)) == len(moves)
            assert all(move == " ".join(split_move(move)) != "" for move in moves)
            assert RESIGN not in moves


@each_game
def test_play_returns_the_position_itself(variant: Variant) -> None:
    position = variant.start()
    assert position.play(*random_legal_move(position, Random(1))) is position


@each_game
def test_a_move_on_a_copy_leaves_the_original_alone(variant: Variant) -> None:
    for position in sample_positions(variant)[:-1]:
        before, copy = observable_state(position, variant.seats()), position.copy()
        assert observable_state(copy, variant.seats()) == before
        play_randomly(copy, Random(4), plies=5)
        assert observable_state(position, variant.seats()) == before


@each_game
def test_a_move_on_the_original_leaves_a_copy_alone(variant: Variant) -> None:
    for position in sample_positions(variant)[:-1]:
        copy = position.copy()
        before = observable_state(copy, variant.seats())
        play_randomly(position, Random(4), plies=5)
        assert observable_state(copy, variant.seats()) == before


# --- refusals --------------------------------------------------------------------------


def refused(position: Position, seats: list[SeatKey], seat: SeatKey, move: str) -> MoveError:
    """Return the error of a move that must be refused and must not change the position."""
    before = observable_state(position, seats)
    with pytest.raises(MoveError) as refusal:
        position.play(seat, move)
    assert observable_state(position, seats) == before
    assert isinstance(refusal.value.text, Text)
    assert str(refusal.value.text).strip()
    encode_json(refusal.value.text)
    return refusal.value


@each_game
def test_nonsense_is_refused_and_changes_nothing(variant: Variant) -> None:
    for position in sample_positions(variant, count=3)[:-1]:
        for seat in position.to_move():
            for move in NONSENSE:
                refused(position, variant.seats(), seat, move)


@each_game
def test_a_legal_move_in_another_spelling_is_refused(variant: Variant) -> None:
    for position in sample_positions(variant, count=4)[:-1]:
        seat, move = random_legal_move(position, Random(6))
        for spelling in (f"{move} ", f" {move}", f"{move}\n", move.swapcase(), f"{move} {move}"):
            refused(position, variant.seats(), seat, spelling)


@each_game
@given(move=st.text(max_size=12), seed=st.integers(0, 3))
def test_any_other_text_is_refused(variant: Variant, move: str, seed: int) -> None:
    position = variant.start(seed)
    for seat in position.to_move():
        if move not in [*position.legal_moves(seat), RESIGN]:
            refused(position, variant.seats(), seat, move)


@each_game
def test_a_move_out_of_turn_is_refused_as_such(variant: Variant) -> None:
    for position in sample_positions(variant)[:-1]:
        _, move = random_legal_move(position, Random(7))
        for seat in [*variant.seats(), "nobody", ""]:
            if seat not in position.to_move():
                assert isinstance(refused(position, variant.seats(), seat, move), NotYourTurn)


@each_game
def test_after_the_end_every_move_is_refused_as_such(variant: Variant) -> None:
    moves = [move for _, move in first_legal_moves(variant.start(), 2)]
    position = sample_positions(variant)[-1]
    for seat in variant.seats():
        for move in [*moves, RESIGN, "nonsense"]:
            assert isinstance(refused(position, variant.seats(), seat, move), GameOver)


# --- resigning -------------------------------------------------------------------------


@each_variant
def test_any_seat_may_resign_at_any_time_and_does_not_win(variant: Variant) -> None:
    for position in sample_positions(variant, count=4)[:-1]:
        for seat in variant.seats():
            after = position.copy()
            try:
                after.play(seat, RESIGN)
            except IllegalMove:
                continue  # it was out already
            play_randomly(after, Random(8))
            result = after.result()
            assert result is not None
            assert seat not in result.winners


@each_variant
def test_at_the_start_every_seat_can_resign(variant: Variant) -> None:
    for seat in variant.seats():
        after = variant.start().play(seat, RESIGN)
        assert (after.result() is None) == bool(after.to_move())
        assert seat not in after.to_move()


@each_variant
def test_a_seat_is_in_the_game_until_it_resigns_or_the_game_is_over(variant: Variant) -> None:
    for seat in variant.seats():
        assert variant.start().is_active(seat)
        assert not variant.start().play(seat, RESIGN).is_active(seat)
    end = sample_positions(variant)[-1]
    assert not any(end.is_active(seat) for seat in [*variant.seats(), "nobody"])


@each_variant
def test_nobody_resigns_twice(variant: Variant) -> None:
    for seat in variant.seats():
        refused(variant.start().play(seat, RESIGN), variant.seats(), seat, RESIGN)


@each_game
def test_an_unknown_seat_cannot_resign(variant: Variant) -> None:
    for seat in ("nobody", ""):
        refused(variant.start(), variant.seats(), seat, RESIGN)
