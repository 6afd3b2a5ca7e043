"""Seats with different information sets, as hands of cards: one player cannot hold two of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import games
from games.contract import BadSetup, Rules
from games.core.refusals import BadName, Refusal
from games.core.registry import all_rules
from games.models import Game
from games.services import seats, setup
from games.services.players import clean_name
from tests.support.game_factory import make_game
from tests.support.kinds import seat_keys
from tests.support.players import Person

RULES_WITH_HANDS = """
from dataclasses import replace
from games.contract import SeatSpec, text
from games.{other}.rules import RULES as OTHER
KEYS = [spec.key for spec in OTHER.seats(OTHER.clean({{}}))]
HANDS = tuple(SeatSpec(key=key, name=text(key), information_set=key) for key in [*KEYS, "more"])
RULES = replace(OTHER, slug="toy_hands", seats=lambda options: HANDS)
"""


@contextmanager
def installed_hands(folder: Path) -> Iterator[Rules]:
    """Install a game in which each seat has an information set of its own, and yield its rules."""
    (folder / "toy_hands").mkdir()
    source = RULES_WITH_HANDS.format(
        other=next(slug for slug, rules in all_rules().items() if rules.levels)
    )
    (folder / "toy_hands" / "rules.py").write_text(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "__path__", [*games.__path__, str(folder)])
        all_rules.cache_clear()
        yield all_rules()["toy_hands"]
    all_rules.cache_clear()
    for name in [name for name in sys.modules if name.startswith("games.toy")]:
        del sys.modules[name]


@pytest.fixture
def rules_with_hands(tmp_path: Path) -> Iterator[Rules]:
    """Yield the rules of the game while it is installed."""
    with installed_hands(tmp_path) as rules:
        yield rules


def seating(rules: Rules, *choices: str) -> dict[str, str]:
    """Return a choice for each seat; the last one is repeated."""
    keys = seat_keys(rules)
    return dict(zip(keys, [*choices, *choices[-1:] * len(keys)], strict=False))


@pytest.mark.parametrize("elsewhere", ["invite", "listed"])
def test_one_device_cannot_hold_two_information_sets_beside_other_players(
    rules_with_hands: Rules, elsewhere: str
):
    with pytest.raises(BadSetup, match="sees what the other must not see"):
        setup.plan_game(
            setup.NewGame(
                rules=rules_with_hands,
                options={},
                seating=seating(rules_with_hands, "me", "me", elsewhere),
            )
        )


@pytest.mark.parametrize("elsewhere", ["me", "computer-1"])
def test_one_device_may_hold_the_information_sets_of_all_players(
    rules_with_hands: Rules, elsewhere: str
):
    assert setup.plan_game(
        setup.NewGame(
            rules=rules_with_hands,
            options={},
            seating=seating(rules_with_hands, "me", "me", elsewhere),
        )
    )


@pytest.mark.django_db
def test_the_holder_of_an_information_set_cannot_claim_another(
    rules_with_hands: Rules, owner: Person, stranger: Person
):
    game: Game = make_game(
        owner, rules=rules_with_hands, seating=seating(rules_with_hands, "me", "invite")
    )
    second, *_ = game.seats.exclude(players=owner.player)
    token = seats.invitation_token(second)
    with pytest.raises(Refusal, match="can’t be combined"):
        seats.claim_seat(token=token, player=owner.player)
    assert seats.claim_seat(token=token, player=stranger.player) == second


def test_the_seat_of_a_removed_game_is_the_name_of_a_player_again(tmp_path: Path) -> None:
    with installed_hands(tmp_path), pytest.raises(BadName, match="calls a seat"):
        clean_name("More")
    assert clean_name("More") == "More"
