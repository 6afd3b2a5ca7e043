"""A player's record against each level of the computers, and the level to play next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import template

from games.contract import Level, Rules
from games.core.registry import all_rules
from games.models import Player
from games.state.lists import last_outcomes
from games.state.outcomes import Offer, Outcome, offer_after

register = template.Library()

MOST = 500
"""The number of latest games that are read for a record."""


@dataclass(frozen=True)
class Record:
    """The results against one level of a kind of game, and the longest run of wins."""

    rules: Rules
    level: int
    played: int
    won: int
    longest: int

    @property
    def opponent(self) -> Level:
        return self.rules.ladder[self.level]


def outcomes_of(player: Player | None) -> Sequence[Outcome]:
    """Return a player's latest finished games against computers alone, the oldest first."""
    latest = last_outcomes(player, MOST) if player else ()
    known = [outcome for outcome in latest if outcome.level and outcome.kind in all_rules()]
    return known[::-1]


def records(outcomes: Iterable[Outcome]) -> list[Record]:
    """Return the record of each kind and level, in the order of the kinds and the levels."""
    found = []
    for slug, rules in all_rules().items():
        for level in rules.ladder:
            played = (outcome for outcome in outcomes if outcome.kind == slug)
            results = [outcome.won for outcome in played if outcome.level == level]
            if results:
                found.append(Record(rules, level, len(results), results.count(True), _run(results)))
    return found


def offers(outcomes: Sequence[Outcome]) -> list[Offer]:
    """Return the level to play next of each kind, where one is due."""
    found = (offer_after(rules, outcomes[::-1]) for rules in all_rules().values())
    return [offer for offer in found if offer]


def _run(results: Sequence[bool | None]) -> int:
    return max((len([*run]) for won, run in groupby(results) if won), default=0)


@register.inclusion_tag("records/_records.html", takes_context=True)
def record_against_computers(context: dict[str, Any], player: Player | None) -> dict[str, Any]:
    """Show the record of a player for each kind and level, and the level to play next."""
    outcomes = outcomes_of(player)
    return {
        "records": records(outcomes),
        "offers": offers(outcomes),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("records/_beaten.html", takes_context=True)
def levels_beaten(context: dict[str, Any]) -> dict[str, Any]:
    """Show the levels of each kind in which the visitor has beaten one, and which are beaten."""
    found = records(outcomes_of(context["request"].get_player()))
    won = {(record.rules.slug, record.level) for record in found if record.won}
    kinds = {slug: all_rules()[slug] for slug, _level in sorted(won)}
    return {
        "beaten": [
            (rules, [(level, (slug, level.number) in won) for level in rules.ladder.values()])
            for slug, rules in kinds.items()
        ]
    }
