"""Seats with different information sets, as hands of cards: one player cannot hold two of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games.contract import BadSetup, Rules
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Game
from games.services import seats, setup
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


@pytest.fixture
def rules_with_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rules]:
    """Yield the rules of a game in which each seat has an information set of its own."""
    (tmp_path / "toy_hands").mkdir()
    source = RULES_WITH_HANDS.format(
        other=next(slug for slug, rules in all_rules().items() if rules.levels)
    )
    (tmp_path / "toy_hands" / "rules.py").write_text(source)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    all_rules.cache_clear()
    yield all_rules()["toy_hands"]
    monkeypatch.undo()
    all_rules.cache_clear()
    for name in [name for name in sys.modules if name.startswith("games.toy")]:
        del sys.modules[name]


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
