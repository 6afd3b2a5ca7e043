"""The layout of words on cards: their lines and their hyphenation."""

from __future__ import annotations

import pytest

from games.codenames.cards.printing import LEAST, MOST, SOFT, printed
from games.codenames.cards.word_lists import languages, syllables, word_list


def shown(word: str, language: str = "en") -> str:
    """Return the word with a bar where it may be hyphenated."""
    return printed(word, language).word.replace(SOFT, "|")


@pytest.mark.parametrize(
    ("word", "language", "broken"),
    [
        ("helicopter", "en", "heli|copter"),
        ("mushroom", "en", "mush|room"),
        ("hammock", "en", "ham|mock"),
        ("komkommer", "nl", "kom|kom|mer"),
        ("mammoet", "nl", "mam|moet"),
    ],
)
def test_a_word_of_the_lists_is_broken_where_its_list_says(
    word: str, language: str, broken: str
) -> None:
    assert shown(word, language) == broken


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_long_word_of_the_lists_can_be_broken(language: str) -> None:
    long = [word for word in word_list(language) if len(word) > 7]
    assert [word for word in long if SOFT not in syllables(language)[word]] == []


def test_a_word_of_a_player_is_broken_between_syllables() -> None:
    assert shown("photograph") == "pho|to|graph"
    assert shown("basketball") == "bas|ket|ball"
    assert shown("Donaudampfschiff", "xx") == "Do|nau|dampf|schiff"


def test_a_word_of_several_words_is_broken_between_them_too() -> None:
    assert printed("ice cream", "en").lines == 2


def test_a_short_word_stays_whole() -> None:
    assert shown("WORDD") == "WORDD"
    assert printed("WORDD", "en").lines == 1


def test_wide_letters_take_more_room_than_narrow_ones() -> None:
    assert printed("WWMWW", "en").room > printed("trees", "en").room == LEAST
    assert printed("lilies", "en").room < printed("window", "en").room


def test_no_word_takes_more_than_the_most_room() -> None:
    assert printed("W" * 24, "xx").room == MOST


def test_a_word_is_long_when_a_large_card_has_no_line_for_it() -> None:
    assert not printed("pyramids", "en").long
    assert printed("thermometer", "en").long


def test_a_word_is_wide_when_even_small_letters_take_two_lines_of_a_large_card() -> None:
    assert not printed("thermometer", "en").wide
    assert printed("Rotterdam Centraal", "en").wide
    assert printed("Internationalisation", "en").wide


def test_the_lines_of_a_wide_word_tell_how_much_room_they_take() -> None:
    rooms = [printed(word, "en").room for word in ("Internationalisation", "Verantwoordelijkheid")]
    assert printed("thermometer", "en").room < rooms[0] < rooms[1] < MOST
