"""A player's record against each level of the computers, and the level to play next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import template

from games.contract import Level, Rules
from games.core.registry import all_rules
from games.models import Player
from games.state.lists import last_outcomes
from games.state.outcomes import Outcome

register = template.Library()

MOST = 500
"""The number of latest games that are read for a record."""
WINS_TO_RISE, LOSSES_TO_FALL = 2, 3
"""Results in a row after which the level above or below is offered."""


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


@dataclass(frozen=True)
class Offer:
    """A level to play next: the one above the last, or the one below."""

    rules: Rules
    level: int
    is_above: bool

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
    found = (_offer(rules, outcomes) for rules in all_rules().values())
    return [offer for offer in found if offer]


def _run(results: Sequence[bool | None]) -> int:
    return max((len([*run]) for won, run in groupby(results) if won), default=0)


def _offer(rules: Rules, outcomes: Sequence[Outcome]) -> Offer | None:
    last = [outcome for outcome in reversed(outcomes) if outcome.kind == rules.slug]
    if not last:
        return None
    level = last[0].level or 0
    results = [*_same_level(last)]
    if len(results) >= WINS_TO_RISE and all(results[:WINS_TO_RISE]):
        return _beside(rules, level, 1)
    if results[:LOSSES_TO_FALL] == [False] * LOSSES_TO_FALL:
        return _beside(rules, level, -1)
    return None


def _beside(rules: Rules, level: int, steps: int) -> Offer | None:
    offered = rules.ladder.beside(level, steps)
    return Offer(rules, offered, is_above=steps > 0) if offered else None


def _same_level(outcomes: Sequence[Outcome]) -> Iterator[bool | None]:
    """Yield the results at the level of the first outcome, until another level was played."""
    for outcome in outcomes:
        if outcome.level != outcomes[0].level:
            return
        yield outcome.won


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
    """Show the highest level of each kind that the visitor has beaten."""
    outcomes = outcomes_of(context["request"].get_player())
    highest = {record.rules.slug: record for record in records(outcomes) if record.won}
    return {"beaten": list(highest.values())}
