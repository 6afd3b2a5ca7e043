"""The characters of a player's name: joiners between visible characters, marks on letters."""

from __future__ import annotations

import unicodedata

import pytest

from games.core.refusals import BadName
from games.services.players import clean_name


def flag(region: str) -> str:
    """Return a black flag with the tag letters of a region."""
    return "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"


@pytest.mark.parametrize(
    "name",
    [
        "علی\u200cرضا",
        "ශ්\u200dරී",
        "র\u200d\u09cdযাব",
        "👨\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "👁\ufe0f\u200d🗨\ufe0f",
        "🏃🏽\u200d♀\ufe0f",
        "❤\ufe0f\u200d🔥 Ann",
        "1\ufe0f\u20e3",
        "മോഹന\u0d4d\u200d",
        "മോഹന\u0d4d\u200d കുമാര\u0d4d\u200d",
        "ක\u0dca\u200dෂ",
        flag("gbeng"),
        f"Ann {flag('gbsct')} Bo",
        f"{flag('gbwls')}\u200d❤",
    ],
)
def test_joiners_of_scripts_and_emoji_are_accepted(name):
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name",
    [
        flag("gbeng")[:-1],
        flag("gbeng")[1:],
        flag("secret"),
        "Ann" + flag("gbeng")[1:],
        flag("gbeng") + "\U000e0067",
    ],
)
def test_tag_letters_that_make_no_flag_are_refused(name):
    with pytest.raises(BadName, match="invisible characters"):
        clean_name(name)


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
@pytest.mark.parametrize(
    "name",
    [
        "{}",
        "{}Ann",
        "Ann{}",
        "An{}{}n",
        "Ann {} Bo",
        "Ann {}Bo",
        "An{}\u200bn",
        "An{}\u202en",
        "An{}\u3164n",
        "An{}\ufe0fn",
        "\u2800{}\u2800",
        "\u0301{}",
    ],
)
def test_a_joiner_between_no_visible_characters_is_refused(name, joiner):
    with pytest.raises(BadName, match="invisible characters"):
        clean_name(name.replace("{}", joiner))


@pytest.mark.parametrize(
    "name",
    [
        "Black",
        "zwart",
        "Bla\u0441k",
        "Computer",
        "Computer (Easy)",
        "Fox (computer)",
        "C\u043emputer (Hard)",
    ],
)
def test_the_names_of_seats_and_computers_are_refused(name):
    with pytest.raises(BadName, match="calls a seat or a computer"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Jack Black", "Blackie", "Computerius", "Witt"])
def test_names_with_the_name_of_a_seat_in_them_are_accepted(name):
    assert clean_name(name) == name


def test_two_joiners_in_a_row_are_refused():
    with pytest.raises(BadName, match="invisible characters"):
        clean_name("An\u200c\u200dn")


@pytest.mark.parametrize(
    "name", ["\u0301", "\u0301\u200d\u0302", "\u0301 \u0302", "a" + "\u200d\u0301" * 4]
)
def test_combining_marks_without_a_letter_or_in_piles_are_refused(name):
    with pytest.raises(BadName, match="too many accents"):
        clean_name(name)
