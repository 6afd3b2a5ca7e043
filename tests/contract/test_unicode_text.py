"""What somebody typed is said again as it can be read."""

from __future__ import annotations

import pytest

from games.contract import BadNotation, parse_cell
from games.contract.unicode_text import display_excerpt


@pytest.mark.parametrize("typed", ["f5", "R b3 U", "é’ñ", "漢字", "🙂"])
def test_what_can_be_read_is_said_as_it_was_typed(typed: str) -> None:
    assert display_excerpt(typed, 40) == typed


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\x1b", "\n", "\ue000", "\u3164", "\ufeff"])
def test_what_nobody_sees_is_said_as_a_sign(hidden: str) -> None:
    assert display_excerpt(f"f{hidden}5", 40) == "f\ufffd5"


def test_a_sentence_does_not_grow_with_what_was_typed() -> None:
    assert display_excerpt("x" * 1000, 20) == "x" * 20


def test_a_refusal_is_not_turned_around_by_what_it_repeats() -> None:
    with pytest.raises(BadNotation, match="“f5\ufffd” is not a square"):
        parse_cell("f5\u202e")
