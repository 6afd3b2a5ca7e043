"""The seating of a game that begins with one click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from games.contract import Options, Rules, SeatSpec
from games.models import Pack
from games.services.setup import INVITE, ME, Plan, SeatChoices, plan_game

COMPUTER, FRIEND, DEVICE = "computer", "friend", "device"
OPPONENTS: Final = (COMPUTER, FRIEND, DEVICE)
"""The ways to begin a game at once."""
EASY: Final = 2


def default_level(rules: Rules) -> int:
    """Return the level of computers that nobody has chosen, an easy one; 0 where there are none."""
    return min(EASY, rules.levels)


def first_seat(specs: Sequence[SeatSpec]) -> SeatSpec:
    """Return the seat of a visitor that has not chosen: the first that has no secrets."""
    return next((spec for spec in specs if not spec.secret), specs[0])


def opponents(rules: Rules) -> Sequence[str]:
    """Return the opponents that a kind of game can begin with at once."""
    return OPPONENTS if rules.levels else OPPONENTS[1:]


def plan_quick_game(
    *,
    rules: Rules,
    opponent: str,
    options: Options,
    level: int | None = None,
    packs: QuerySet[Pack] | None = None,
) -> Plan:
    """Plan a game against one of `opponents`. Its options are those given and defaults for the
    others. Raises BadSetup."""
    seating = _seating(rules, rules.clean(options), opponent, level or default_level(rules))
    hints = opponent == COMPUTER and rules.analysis
    lobby = opponent == FRIEND
    return plan_game(
        rules=rules, options=options, seating=seating, hints=hints, lobby=lobby, packs=packs
    )


def _seating(rules: Rules, options: Options, opponent: str, level: int) -> SeatChoices:
    specs = rules.seats(options)
    return seat_against(specs, first_seat(specs), opponent, level)


def seat_against(
    specs: Sequence[SeatSpec], mine: SeatSpec, opponent: str, level: int
) -> SeatChoices:
    """Return the choice for each seat: the player's own, and one of `opponents` on the others."""
    others = {COMPUTER: f"computer-{level}", FRIEND: INVITE, DEVICE: ME}[opponent]
    return {spec.key: ME if spec == mine else others for spec in specs}
