"""The word lists and pictures that come with Codenames."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import polib
import pytest

import games.codenames
from games.codenames.cards.pictures import picture_name, pictures
from games.codenames.cards.printing import SOFT, STEPS, printed
from games.codenames.cards.spelling import folded
from games.codenames.cards.word_lists import languages, split_words, word_fault, word_list

FOLDER = Path(games.codenames.__file__).parent
PICTURES = FOLDER / "static" / "codenames" / "pictures"

SHAPES = {"svg", "g", "path", "circle", "ellipse", "rect"}
DRAWING = {
    *("viewBox", "d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "transform"),
    *("fill", "fill-rule", "clip-rule", "fill-opacity", "opacity"),
    *("stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
}

each_language = pytest.mark.parametrize("language", sorted(languages()))


def test_there_are_lists_in_english_and_dutch_under_their_own_names() -> None:
    assert languages()["en"] == "English"
    assert languages()["nl"] == "Nederlands"


def test_a_language_without_a_list_has_no_words() -> None:
    for language in ("xx", "../words/en", ""):
        with pytest.raises(KeyError):
            word_list(language)


@each_language
def test_a_list_is_long_enough_for_many_games(language: str) -> None:
    assert len(word_list(language)) >= 400


@each_language
def test_a_list_holds_each_word_once_in_order(language: str) -> None:
    words = word_list(language)
    assert len({folded(word) for word in words}) == len(words)
    assert list(words) == sorted(words)


@each_language
def test_every_word_of_a_list_is_one_word_that_can_stand_on_a_card(language: str) -> None:
    assert [word for word in word_list(language) if word_fault(word) or not word.isalpha()] == []


@each_language
def test_no_word_of_a_list_is_part_of_another(language: str) -> None:
    words = word_list(language)
    assert [(a, b) for a in words for b in words if a != b and a in b] == []


@each_language
def test_a_list_names_its_licence(language: str) -> None:
    text = (FOLDER / "cards/words" / f"{language}.txt").read_text(encoding="utf-8")
    assert "SPDX-License-Identifier: CC0-1.0" in text


def test_a_pasted_list_keeps_its_order_and_first_spelling() -> None:
    assert split_words("Sun, moon\nSUN;star,, moon ") == ["Sun", "moon", "star"]


@pytest.mark.parametrize(
    "line",
    *[
        [
            "1. apple",
            "- apple",
            "• apple",
            "12) apple",
            "* apple",
            "\ufeffapple",
            "\u00a0apple\u00a0",
        ]
    ],
    ids=ascii,
)
def test_the_marks_of_a_pasted_list_are_no_part_of_its_words(line: str) -> None:
    assert split_words(f"{line}\nmoon") == ["apple", "moon"]


def test_a_space_that_does_not_break_is_a_space() -> None:
    assert split_words("ice\u00a0cream") == ["ice cream"]


@pytest.mark.parametrize("word", ["AC/DC", "rock & roll", "R2D2", "نمی\u200cدانم", "5. element x"])
def test_signs_and_joiners_that_words_need_can_stand_on_a_card(word: str) -> None:
    assert word_fault(word) is None


@pytest.mark.parametrize("word", ["ap\u200cple", "ap\u200dple", "a\u200c"], ids=ascii)
def test_joiners_that_no_script_needs_cannot_stand_on_a_card(word: str) -> None:
    assert word_fault(word) is not None


def test_words_are_compared_by_case_and_ligatures_of_their_language() -> None:
    assert split_words("ĳs\nIJS\nœuf\nOEUF") == ["ĳs", "œuf"]
    assert split_words("Käse\nkaese", "de") == ["Käse"]
    assert split_words("IRMAK\nırmak", "tr") == ["IRMAK"]
    assert split_words("Käse\nkaese") == ["Käse", "kaese"]


def test_there_are_enough_pictures_for_many_games() -> None:
    assert len(pictures()) >= 200


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_picture_has_a_name_of_its_own_in_each_language(language: str) -> None:
    names = [picture.names[language] for picture in pictures().values()]
    assert all(name == name.strip() != "" for name in names)
    assert len({folded(name) for name in names}) == len(names)


def test_the_names_for_the_catalogues_are_those_of_the_table() -> None:
    for picture in pictures().values():
        assert picture_name(picture.id).message == picture.names["en"]


def test_the_dutch_catalogue_calls_the_pictures_as_the_table_does() -> None:
    catalogue = polib.pofile(str(FOLDER / "locale" / "nl" / "LC_MESSAGES" / "django.po"))
    dutch = {entry.msgid: entry.msgstr for entry in catalogue}
    for picture in pictures().values():
        assert dutch[picture.names["en"]] == picture.names["nl"]


def test_a_picture_that_is_gone_is_called_by_its_id() -> None:
    assert str(picture_name("steam-organ")) == "steam-organ"


def test_every_picture_has_a_file() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} >= pictures().keys()


def test_the_files_draw_shapes_and_do_nothing_else() -> None:
    for path in PICTURES.glob("*.svg"):
        for element in ElementTree.parse(path).iter():
            assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in SHAPES, path
            assert set(element.attrib) <= DRAWING, path
            assert not any("url(" in value for value in element.attrib.values()), path
            assert not (element.text or "").strip(), path


def test_the_files_are_small() -> None:
    assert [path.name for path in PICTURES.glob("*.svg") if path.stat().st_size > 6000] == []


def test_the_pictures_name_their_licence() -> None:
    assert "MIT License\n\nCopyright (c) Microsoft" in (PICTURES / "LICENSE").read_text()


# --- the layout of words on cards: their lines and their hyphenation -----------------------------


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
