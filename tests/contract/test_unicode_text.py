"""Typed text is quoted so that it can be read."""

from __future__ import annotations

import pytest

from games.contract import BadNotation, parse_cell
from games.contract.unicode_text import display_excerpt


@pytest.mark.parametrize("typed", ["f5", "R b3 U", "é’ñ", "漢字", "🙂"])
def test_readable_text_is_quoted_verbatim(typed: str) -> None:
    assert display_excerpt(typed, 40) == typed


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\x1b", "\n", "\ue000", "\u3164", "\ufeff"])
def test_invisible_characters_are_quoted_as_a_sign(hidden: str) -> None:
    assert display_excerpt(f"f{hidden}5", 40) == "f\ufffd5"


def test_a_quotation_is_cut_off() -> None:
    assert display_excerpt("x" * 1000, 20) == "x" * 20


def test_a_refusal_is_not_reversed_by_its_quotation() -> None:
    with pytest.raises(BadNotation, match="“f5\ufffd” is not a square"):
        parse_cell("f5\u202e")
