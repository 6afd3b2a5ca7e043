"""Setting up a game of Codenames: the key, the cards, own words and an own key."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.codenames.cards.word_lists import word_list
from games.codenames.deal import deal_key, key_counts
from games.codenames.rules import RULES
from games.contract import BadSetup
from tests.games.codenames.test_rules import KEY, dealt

# --- the deal ----------------------------------------------------------------------------


def test_the_published_keys_come_out_of_the_formula() -> None:
    assert key_counts(25) == (9, 8, 7, 1)
    assert key_counts(20) == (8, 7, 4, 1)


def test_every_size_has_a_key_with_one_assassin_and_bystanders() -> None:
    for cards in range(6, 65):
        check_key(cards)


def check_key(cards: int) -> None:
    first, second, bystanders, assassins = key_counts(cards)
    assert first + second + bystanders + assassins == cards
    assert first - second == assassins == 1
    assert second >= 1
    assert bystanders >= 1


@given(st.integers(6, 64), st.integers())
def test_a_dealt_key_has_the_squares_of_the_formula(cards: int, seed: int) -> None:
    first, second, bystanders, _ = key_counts(cards)
    counts = Counter(deal_key(cards, Random(seed)))
    assert sorted((counts["R"], counts["B"])) == [second, first]
    assert counts["-"] == bystanders
    assert counts["X"] == 1


def test_either_team_may_be_dealt_the_beginning() -> None:
    begins = {RULES.start(dealt(seed)).view(None)["team"] for seed in range(20)}
    assert begins == {"red", "blue"}


@pytest.mark.parametrize("language", ["en", "nl"])
def test_words_are_drawn_from_the_list_of_the_language_each_once(language: str) -> None:
    cards = dealt(language=language, rows=8, columns=8)["cards"]
    assert len(set(cards)) == 64
    assert set(cards) <= set(word_list(language))


def test_pictures_are_dealt_each_once() -> None:
    view = RULES.start(dealt(cards="pictures", rows=8, columns=8)).view(None)
    pictures = {cell["picture"] for row in view["rows"] for cell in row}
    assert len(pictures) == 64
    assert None not in pictures


def test_a_table_of_four_cards_is_too_small() -> None:
    with pytest.raises(BadSetup, match="at least 6 cards"):
        dealt(rows=2, columns=2)


# --- own words and own key -----------------------------------------------------------------


def own(pasted: str) -> list[str]:
    return list(dealt(rows=2, columns=3, cards="own", own_words=pasted)["cards"])


def test_own_words_stand_on_lines_or_between_commas() -> None:
    cards = own("ice cream\nsun, moon;star\tsky\r\n\r\n  jack-o'-lantern  ")
    assert set(cards) == {"ice cream", "sun", "moon", "star", "sky", "jack-o'-lantern"}


def test_own_words_that_differ_in_case_or_composition_only_are_one_word() -> None:
    with pytest.raises(BadSetup, match=r"3 different words\. Add 3 more for 6 cards\."):
        own("Café, cafe\u0301, CAFÉ, sun, SUN, moon")


def test_one_missing_word_is_counted() -> None:
    with pytest.raises(BadSetup, match=r"5 different words\. Add 1 more"):
        own("a, b, c, d, e")


@pytest.mark.parametrize(
    "word",
    [
        *("<b>sun</b>", "a<b", "{{ x }}", "%(n)s", "☀", "...", "-", "x" * 25),
        *("sun\u202eset", "a\u2066b", "sun\u200bset", "sun\u200cset", "sun\u200dset", "sun\x00"),
        "\u3164",
        "z\u0301\u0302\u0303\u0304\u0305",
    ],
    ids=ascii,
)
def test_a_word_that_cannot_stand_on_a_card_is_refused(word: str) -> None:
    with pytest.raises(BadSetup) as refused:
        own(f"sun, moon, star, sky, cloud, rain, {word}")
    assert refused.value.option == "own_words"
    assert all(character.isprintable() for character in str(refused.value))


def test_words_of_any_script_can_be_own_words() -> None:
    words = {"солнце", "月", "ήλιος", "शमा", "שמש", "ĳsbeer"}
    assert set(own(",".join(words))) == words


def test_a_key_can_be_typed_with_spaces_and_line_breaks() -> None:
    typed = "r r b b b\nR B R R B\r\nB - X R -\n\nB - R R -"
    assert dealt(rows=4, own_key=typed)["key"] == KEY


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (KEY[:-1], "19 letters for 20 cards"),
        (KEY.replace("-", "Z", 1), "can’t contain “Z”"),
        (KEY.replace("X", "-"), "exactly one X"),
        (KEY.replace("-", "X", 1), "exactly one X"),
        (KEY.replace("R", "-", 1), "exactly one card more"),
        ("RX" + "-" * 18, "Each team needs at least one"),
        (KEY.replace("-", "\u202e"), "202e"),
    ],
)
def test_an_invalid_key_is_refused_with_the_reason(key: str, reason: str) -> None:
    with pytest.raises(BadSetup, match=reason) as refused:
        dealt(rows=4, own_key=key)
    assert refused.value.option == "own_key"
