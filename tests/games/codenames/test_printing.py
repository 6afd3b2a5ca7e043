"""The layout of words on cards: their lines and their hyphenation."""

from __future__ import annotations

import pytest

from games.codenames.cards.printing import SOFT, STEPS, printed
from games.codenames.cards.word_lists import languages, word_list


def shown(word: str, language: str = "en") -> str:
    """Return the word with a bar where it may be hyphenated."""
    return printed(word, language).word.replace(SOFT, "|")


@pytest.mark.parametrize("language", sorted(languages()))
def test_no_word_of_the_lists_is_hyphenated(language: str) -> None:
    words = [printed(word, language) for word in word_list(language)]
    assert [word for word in words if SOFT in word.word or word.lines > 1] == []


def test_only_the_longest_words_of_players_are_hyphenated_once() -> None:
    assert shown("understanding") == "understanding"
    assert shown("Donaudampfschifffahrt", "xx") == "Donaudampf|schifffahrt"


def test_a_name_of_several_words_has_a_line_for_each() -> None:
    assert printed("ice cream", "en").lines == 2
    assert printed("Golden Gate Bridge", "en").lines == 3
    assert printed("Sint-Nicolaasavond", "en").lines == 2
    assert printed("go on", "en").lines == 1


def test_wide_letters_take_more_room_than_narrow_ones() -> None:
    assert printed("WWMWW", "en").width > printed("trees", "en").width == 0


def test_every_room_has_a_class_in_the_styles() -> None:
    lengths = [printed("W" * length, "xx").width for length in range(1, 25)]
    assert set(lengths) <= {0, *STEPS}
    assert lengths == sorted(lengths[:10]) + lengths[10:]
