"""The choice of a card by an operative: by the present clue and by earlier ones, and when it
stops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from benchmarks.match_codenames_people import Clue, found
from games.codenames.ai.lexicon import Vocabulary
from games.codenames.ai.operative import Hint, Temperament, next_card
from games.codenames.computer import LEVELS

TOP = LEVELS[4].temperament


def hint(*standing: float, left: int | None = 1) -> Hint:
    return Hint(np.array(standing, np.float32), left)


def chosen(
    now: Hint,
    *earlier: Hint,
    temperament: Temperament = TOP,
    may_stop: bool = False,
    found_some: bool = False,
) -> int | None:
    return next_card(now, earlier, temperament, Random(1), may_stop=may_stop, found_some=found_some)


def test_a_card_that_is_like_every_word_stands_out_for_none() -> None:
    words = np.array([[3, 1], [3, 0], [3, -1], [3, 0]], np.float32)
    vocabulary = Vocabulary(("a", "b", "c", "d"), ("a", "b", "c", "d"), words, (slice(0, 2),))
    like_all, like_a = np.array([5, 0.1], np.float32), np.array([0, 1], np.float32)
    standing = vocabulary.standing(words[0], [like_all, like_a])
    assert words[0] @ like_all > words[0] @ like_a
    assert standing[1] == pytest.approx(2**0.5, rel=0.3)
    assert vocabulary.standing(words[3], [like_all, like_a]).tolist() == pytest.approx([0, 0])


def test_a_card_or_a_clue_of_unknown_meaning_stands_out_for_nothing() -> None:
    words = np.eye(3, dtype=np.float32)
    vocabulary = Vocabulary(("a", "b", "c"), ("a", "b", "c"), words, (slice(0, 3),))
    assert vocabulary.standing(words[0], [None]).tolist() == [0]
    assert vocabulary.standing(None, [words[0]]).tolist() == pytest.approx([0])


def test_the_card_that_stands_out_most_is_selected() -> None:
    assert chosen(hint(0, 3, 1)) == 1


def test_the_card_that_an_earlier_clue_fits_too_is_selected() -> None:
    assert chosen(hint(0, 3, 2.9), hint(0, -1, 3, left=0)) == 2


def test_a_card_that_an_earlier_clue_avoided_counts_as_without_that_clue() -> None:
    assert chosen(hint(0, 3, 2.9), hint(0, -9, 0, left=0)) == 1


def test_no_further_card_is_selected_when_many_are_as_likely() -> None:
    equal = hint(*[1] * 9, left=1)
    assert chosen(equal, may_stop=True, found_some=True) is None


def test_the_first_card_of_a_turn_is_selected_however_unlikely() -> None:
    assert chosen(hint(1, 1, 1, 1, 1), may_stop=True) == 0


def test_the_lowest_level_goes_on_however_unlikely_a_card_is() -> None:
    equal = hint(1, 1, 1, 1, 1)
    assert (
        chosen(equal, temperament=LEVELS[1].temperament, may_stop=True, found_some=True) is not None
    )


def test_one_card_more_is_selected_where_an_earlier_clue_is_clear() -> None:
    found = hint(0, 0, 0, left=0)
    assert chosen(found, hint(0, 0, 9, left=1), may_stop=True, found_some=True) == 2
    assert chosen(found, hint(0, 0, 9, left=0), may_stop=True, found_some=True) is None
    assert chosen(found, hint(3, 3, 3, left=1), may_stop=True, found_some=True) is None


def test_a_card_that_belongs_with_a_clue_comes_before_one_that_is_merely_like_it() -> None:
    cards, meant = ("apron", "dentist", "oak", "scissors", "tie"), frozenset({"apron", "scissors"})
    assert set(found(Clue("barber", cards, meant), "en", 4)) == meant
