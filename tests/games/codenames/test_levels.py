"""The levels of Codenames: their order, their strength against beginners, and their styles."""

from __future__ import annotations

from random import Random
from statistics import mean

import numpy as np
import pytest

from benchmarks.match_codenames_novice import won
from games.codenames.ai.operative import Hint, next_card
from games.codenames.computer import HIGHEST, LEVELS, choose
from games.codenames.position import CodenamesPosition
from games.codenames.rules import RULES
from games.contract import CannotPlay

HAMSTER, CHAMELEON, OTTER, DEER, LION, ELEPHANT = 3, 4, 5, 6, 7, 8


def start(seed: int) -> CodenamesPosition:
    setup = RULES.deal(RULES.clean({"clues": "typed", "language": "en"}), Random(seed))
    position = RULES.start(setup)
    assert isinstance(position, CodenamesPosition)
    return position


def numbers(level: int) -> list[int]:
    """Return the numbers of the first clues on some boards."""
    found = []
    for seed in range(6):
        position = start(seed)
        (seat,) = position.to_move()
        found.append(int(choose(position, seat, level, Random(1)).move.split()[2]))
    return found


def test_the_rules_announce_the_levels_that_there_are() -> None:
    assert set(RULES.ladder) == set(LEVELS)
    assert [*RULES.ladder][-1] == HIGHEST


def test_the_levels_that_came_later_lie_between_the_third_and_the_highest() -> None:
    assert [*RULES.ladder] == [1, 2, HAMSTER, OTTER, DEER, LION, ELEPHANT, CHAMELEON]


@pytest.mark.parametrize("level", [0, 9, -1])
def test_an_unknown_level_is_refused(level: int) -> None:
    position = start(1)
    (seat,) = position.to_move()
    with pytest.raises(CannotPlay, match="choose 1 to 8"):
        choose(position, seat, level, Random(1))


def test_the_brave_level_asks_for_more_cards_than_the_careful_one() -> None:
    careful, brave = numbers(DEER), numbers(LION)
    assert max(careful) <= 2
    assert max(brave) > 3
    assert mean(brave) >= mean(careful) + 1


def test_the_level_below_the_highest_mishears_a_clue_now_and_then() -> None:
    clear = Hint(np.array([3, 1, 0, 0, 0], np.float32), 2)

    def heard(level: int, seed: int) -> int | None:
        temperament = LEVELS[level].temperament
        return next_card(clear, [], temperament, Random(seed), may_stop=False, found_some=False)

    assert {heard(CHAMELEON, seed) for seed in range(100)} == {0}
    misheard = sum(heard(ELEPHANT, seed) != 0 for seed in range(100))
    assert 0 < misheard < 30


def test_the_first_level_wins_at_most_60_percent_against_novices() -> None:
    assert won(1, "novice", games=12) <= 0.6 * 12


def test_the_first_level_beats_random_moves() -> None:
    assert won(1, "random", games=4) > 0.5 * 4
