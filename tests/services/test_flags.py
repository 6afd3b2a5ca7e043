"""Games in which nobody moves any more, until their flags have fallen."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.services.play import fall_flag
from games.state.replay import verify
from tests.services.test_clocks import MINUTE, fresh, make_timed_game, play
from tests.support.moments import Now
from tests.support.players import Person
from tests.support.random_games import Variant, variants


@pytest.mark.parametrize("slug", list(all_rules()))
def test_flags_alone_end_a_game_with_all_its_players(slug: str, owner: Person, now: Now) -> None:
    variant = max(variants(all_rules()[slug]), key=number_of_seats)
    game = make_timed_game(owner, rules=variant.rules, **variant.options)
    play(game, owner)
    for _ in range(number_of_seats(variant)):
        if fresh(game).over:
            break
        now.pass_time(4 * MINUTE)
        version = game.version
        fall_flag(game_id=game.id)
        assert fresh(game).version > version
    assert game.over
    assert verify(game).fault is None


def number_of_seats(variant: Variant) -> int:
    return len(variant.rules.seats(variant.options))
