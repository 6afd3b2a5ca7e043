"""What a clue in another language than English brings to mind beside its own lists."""

from __future__ import annotations

import pytest

from games.codenames.ai.associations import associations
from games.codenames.ai.hearing import standing
from games.codenames.ai.lexicon import lexicon, vocabulary


def added(word: str, names: list[str], language: str) -> list[float]:
    """Return the addition to the likeness of vectors and to the lists of the language."""
    words = lexicon(language)
    meanings = [words.vector(name) for name in names]
    usual = vocabulary(language).standing(words.vector(word), meanings)
    lists = associations(language).bonus(word, names)
    found: list[float] = (standing(word, names, meanings, language) - usual - lists).tolist()
    return found


def test_a_dutch_clue_reaches_a_card_by_the_english_lists() -> None:
    """ANCHOR is on the English list of *flag*, and *vlag* on no Dutch list of ANKER."""
    assert associations("nl").bonus("vlag", ["anker"]).tolist() == [0]
    assert added("vlag", ["anker"], "nl")[0] > 1


def test_nothing_is_added_to_the_lists_of_english() -> None:
    assert added("flag", ["anchor", "piano"], "en") == pytest.approx([0, 0], abs=1e-5)


def test_a_clue_without_a_meaning_brings_nothing_to_mind() -> None:
    assert added("xqzw", ["anker", "piano"], "nl") == pytest.approx([0, 0], abs=1e-5)


def test_a_word_for_understanding_alone_is_no_clue() -> None:
    words = lexicon("nl")
    assert words.translations("kerstman") == ("santa",)
    assert "kerstman" not in words.clues().words
