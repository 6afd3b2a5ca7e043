"""Codenames on the site: turns with and without clues, the end, and choosing by clicks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.codenames.rules import RULES
from games.codenames.stages import UNKNOWN
from games.contract import (
    RESIGN,
    GameOver,
    IllegalMove,
    MoveError,
    NotYourTurn,
    Position,
    Setup,
    normalize_move,
)
from tests.support.random_games import encode_json, play_randomly

RED_SPY, RED, BLUE_SPY, BLUE = (
    "red-spymaster",
    "red-operatives",
    "blue-spymaster",
    "blue-operatives",
)
SEATS = (RED_SPY, RED, BLUE_SPY, BLUE)

WORDS = [
    *("anchor", "bicycle", "castle", "cactus", "ice cream"),
    *("rocket", "crown", "boat", "lemon", "snail"),
    *("key", "umbrella", "piano", "owl", "volcano"),
    *("bridge", "scissors", "clock", "café", "candle"),
]
KEY = "RRBBBRBRRBB-XR-B-RR-"
"""Row by row: a1 b1 red, c1 d1 e1 blue; b3 a bystander, c3 the assassin; red begins."""


def setup(**changes: Any) -> Setup:
    return {
        "rows": 4,
        "columns": 5,
        "pictures": False,
        "cards": WORDS,
        "key": KEY,
        "language": "en",
        "clues_required": False,
        **changes,
    }


def free() -> Position:
    return RULES.start(setup())


def strict(clue: str = "") -> Position:
    position = RULES.start(setup(clues_required=True))
    return position.play(RED_SPY, f"clue {clue}") if clue else position


def dealt(seed: int = 1, **options: Any) -> Setup:
    return RULES.deal(RULES.clean(options), Random(seed))


def refusal(position: Position, seat: str, move: str) -> MoveError:
    """Return the error of a move that must be refused and leave the position unchanged."""
    before = [encode_json(position.view(seat)) for seat in SEATS]
    with pytest.raises(MoveError) as refused:
        position.play(seat, move)
    assert [encode_json(position.view(seat)) for seat in SEATS] == before
    return refused.value


def news(position: Position) -> list[str]:
    return [str(text) for text in position.view(None)["events"]]


# --- turns without required clues -----------------------------------------------------------


def test_operatives_may_guess_and_their_spymaster_may_give_a_clue() -> None:
    assert free().to_move() == {RED, RED_SPY}


def test_one_clue_in_a_turn_is_enough() -> None:
    position = free().play(RED_SPY, "clue water 1")
    assert position.to_move() == {RED}
    assert isinstance(refusal(position, RED_SPY, "clue sea 1"), NotYourTurn)


def test_a_clue_that_is_not_required_limits_nothing() -> None:
    position = free().play(RED_SPY, "clue water 1")
    for card in ("a1", "b1", "a2", "c2"):
        position.play(RED, card)
    assert position.to_move() == {RED}
    assert position.view(RED)["guesses_left"] is None


def test_operatives_may_stop_before_they_select() -> None:
    assert free().play(RED, "stop").to_move() == {BLUE, BLUE_SPY}


def test_a_wrong_card_ends_the_turn_with_an_event() -> None:
    position = free().play(RED, "b3")
    assert position.to_move() == {BLUE, BLUE_SPY}
    assert news(position) == ["Red reveals “umbrella”: an innocent bystander.", "Blue’s turn."]
    assert position.view(None)["last"] == ["b3"]


# --- turns with required clues --------------------------------------------------------------


def test_first_the_spymaster_moves_and_then_the_operatives() -> None:
    assert strict().to_move() == {RED_SPY}
    assert strict("water 2").to_move() == {RED}


@pytest.mark.parametrize(("number", "guesses"), [("1", 2), ("2", 3), ("4", 5)])
def test_after_one_guess_more_than_the_number_the_turn_goes_over(number: str, guesses: int) -> None:
    position = strict(f"water {number}")
    for card in ("a1", "b1", "a2", "c2", "d2")[:guesses]:
        assert position.to_move() == {RED}
        position.play(RED, card)
    assert position.to_move() == {BLUE_SPY}
    assert "Red has no guesses left." in news(position)


@pytest.mark.parametrize("number", ["0", "unlimited"])
def test_zero_and_unlimited_set_no_limit(number: str) -> None:
    position = strict(f"water {number}")
    for card in ("a1", "b1", "a2", "c2", "d2", "d3", "c4"):
        assert position.view(RED)["guesses_left"] is None
        position.play(RED, card)
    assert position.to_move() == {RED}


def test_at_least_one_card_is_selected_in_a_turn() -> None:
    position = strict("water 2")
    assert "stop" not in position.legal_moves(RED)
    assert "at least one card" in str(refusal(position, RED, "stop"))
    assert position.play(RED, "a1").play(RED, "stop").to_move() == {BLUE_SPY}


def test_a_clue_is_given_up_as_unknown_before_the_first_card_only() -> None:
    position = strict("water 2")
    assert UNKNOWN in position.legal_moves(RED)
    position.play(RED, "a1")
    assert UNKNOWN not in position.legal_moves(RED)
    assert "unknown" in str(refusal(position, RED, UNKNOWN))


def test_each_turn_needs_a_clue_of_its_own() -> None:
    position = strict("water 2").play(RED, "b3").play(BLUE_SPY, "clue wheels 1").play(BLUE, "c1")
    assert position.view(None)["guesses_left"] == 1
    assert [turn["guesses"] for turn in position.view(None)["turns"]] == [["b3"], ["c1"]]


# --- refused moves --------------------------------------------------------------------------


def test_operatives_give_no_clues_and_spymasters_select_no_cards() -> None:
    assert "Only spymasters" in str(refusal(free(), RED, "clue water 1"))
    assert "don’t pick cards" in str(refusal(free(), RED_SPY, "a1"))
    assert "don’t pick cards" in str(refusal(free(), RED_SPY, "stop"))


@pytest.mark.parametrize(
    ("typed", "clue"),
    [
        ("Clue Zebra 3", "clue Zebra 3"),
        ("CLUE zebra Unlimited", "clue zebra unlimited"),
        ("  clue   zebra 0 ", "clue zebra 0"),
        ("hint zebra 3", "clue zebra 3"),
        ("Hint onbeperkt Onbeperkt", "clue onbeperkt unlimited"),
        ("clue zebra onbeperkt", "clue zebra unlimited"),
        ("clue zebra ∞", "clue zebra unlimited"),
        ("hint ∞ ∞", "clue ∞ unlimited"),
        ("clue hint 2", "clue hint 2"),
        ("hint", "clue"),
        ("", ""),
    ],
)
def test_a_typed_clue_may_be_in_any_case_and_keeps_its_word(typed: str, clue: str) -> None:
    assert normalize_move(strict(), RED_SPY, typed) == clue


def test_a_typed_clue_without_a_number_asks_for_one() -> None:
    message = str(refusal(strict(), RED_SPY, normalize_move(strict(), RED_SPY, "Clue zebra")))
    assert message == "Choose for how many cards your clue is."


@pytest.mark.parametrize("typed", ["a1", "A1"])
def test_a_card_is_selected_once(typed: str) -> None:
    position = free().play(RED, "a1")
    assert "“anchor” has already been revealed" in str(
        refusal(position, RED, normalize_move(position, RED, typed))
    )


def test_a_card_off_the_table_is_refused() -> None:
    assert isinstance(refusal(free(), RED, "f1"), IllegalMove)
    assert isinstance(refusal(free(), RED, "a5"), IllegalMove)


# --- the end ---------------------------------------------------------------------------------


def test_the_team_that_finds_the_assassin_loses() -> None:
    result = free().play(RED, "c3").result()
    assert result is not None
    assert result.winners == {BLUE, BLUE_SPY}
    assert str(result.reason) == "Red hit the assassin."


def test_a_team_wins_when_its_last_spy_is_found_even_by_the_other_team() -> None:
    position = RULES.start(setup(rows=2, columns=3, key="RRB--X", cards=WORDS[:6]))
    result = position.play(RED, "c1").result()
    assert result is not None
    assert result.winners == {BLUE, BLUE_SPY}
    assert str(result.reason) == "All of Blue’s spies have been found."


def test_a_last_guess_that_wins_has_no_event_of_its_own() -> None:
    board = setup(rows=2, columns=3, key="RRB--X", cards=WORDS[:6], clues_required=True)
    position = RULES.start(board).play(RED_SPY, "clue water 1").play(RED, "a1").play(RED, "b1")
    # The result tells the end of the game and its reason.
    assert news(position) == ["Red reveals “bicycle”: a red spy."]


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_resigns_for_its_team(seat: str) -> None:
    result = free().play(seat, RESIGN).result()
    assert result is not None
    assert result.winners == {other for other in SEATS if other[:3] != seat[:3]}


def test_nothing_is_played_after_the_end() -> None:
    assert isinstance(refusal(free().play(RED, "c3"), BLUE, "a1"), GameOver)


# --- choosing by clicks ----------------------------------------------------------------------


def test_every_covered_card_and_stop_can_be_clicked() -> None:
    position = free().play(RED, "a1")
    steps = position.stage(RED, ()).steps
    assert [step.text for step in steps] == [*position.legal_moves(RED)]
    assert [step.cell for step in steps][-1] is None
    assert len(steps) == 20


def test_a_pip_stands_for_each_guess_that_the_clue_allows() -> None:
    position = strict("water 2")
    assert str(position.stage(RED, ()).prompt) == "Pick a card."
    assert position.view(RED)["pips"] == [False, False, False]
    assert position.play(RED, "a1").view(None)["pips"] == [True, False, False]
    assert strict("water unlimited").view(RED)["pips"] == []


def test_a_spymaster_is_asked_for_a_clue_and_clicks_nothing() -> None:
    stage = strict().stage(RED_SPY, ())
    assert str(stage.prompt) == "Give your team a clue."
    assert stage.steps == ()


@pytest.mark.parametrize("clues", [False, True])
def test_a_game_of_the_largest_table_comes_to_an_end(clues: bool) -> None:
    position = RULES.start(dealt(rows=8, columns=8, clues="typed" if clues else "spoken"))
    play_randomly(position, Random(3))
    assert position.result() is not None
