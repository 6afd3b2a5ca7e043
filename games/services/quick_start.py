"""The seating of a game that begins with one click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from games.contract import Options, Rules, SeatSpec
from games.models import Pack
from games.services.setup import INVITE, ME, NewGame, Plan, SeatChoices, plan_game

COMPUTER, FRIEND, DEVICE = "computer", "friend", "device"
OPPONENTS: Final = (COMPUTER, FRIEND, DEVICE)
"""The opponents for games that begin with one click."""
EASY: Final = 2


def default_level(rules: Rules) -> int:
    """Return the default level of computers, an easy one; 0 if the game has none."""
    return min(EASY, rules.levels)


def first_seat(specs: Sequence[SeatSpec]) -> SeatSpec:
    """Return the default seat of a visitor: the first without secrets."""
    return next((spec for spec in specs if not spec.secret), specs[0])


def opponents(rules: Rules) -> Sequence[str]:
    """Return the opponents with whom a kind of game can begin at once."""
    return OPPONENTS if rules.levels else OPPONENTS[1:]


def plan_quick_game(
    *,
    rules: Rules,
    opponent: str,
    options: Options,
    level: int | None = None,
    packs: QuerySet[Pack] | None = None,
) -> Plan:
    """Plan a game against one of `opponents`, with defaults for the options that are not given.
    Raises BadSetup."""
    seating = _seating(rules, rules.clean(options), opponent, level or default_level(rules))
    new = NewGame(rules=rules, options=options, seating=seating, lobby=opponent == FRIEND)
    return plan_game(new, packs=packs)


def _seating(rules: Rules, options: Options, opponent: str, level: int) -> SeatChoices:
    specs = rules.seats(options)
    return seat_against(specs, first_seat(specs), opponent, level)


def seat_against(
    specs: Sequence[SeatSpec], mine: SeatSpec, opponent: str, level: int
) -> SeatChoices:
    others = {COMPUTER: f"computer-{level}", FRIEND: INVITE, DEVICE: ME}[opponent]
    return {spec.key: ME if spec == mine else others for spec in specs}
