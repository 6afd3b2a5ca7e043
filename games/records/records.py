"""A player's record against each level of the computers, from the rows of finished games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from games.contract import Result, Rules, Text
from games.core.registry import all_rules
from games.models import Game, Holder, Player, Seat
from games.presentation.sight import level_name

MOST = 500
"""The number of latest seats that are read for a record."""
WINS_TO_RISE, LOSSES_TO_FALL = 2, 3
"""Results in a row after which the level above or below is offered."""


class Outcome(NamedTuple):
    """A finished game against computers; ``won`` is None for a draw."""

    kind: str
    level: int
    won: bool | None


@dataclass(frozen=True)
class Record:
    """The results against one level of a kind of game, and the longest run of wins."""

    rules: Rules
    level: int
    played: int
    won: int
    longest: int

    @property
    def name(self) -> Text:
        return level_name(self.level, self.rules.levels)


@dataclass(frozen=True)
class Offer:
    """A level to play next: the one above the last, or the one below."""

    rules: Rules
    level: int
    is_above: bool

    @property
    def name(self) -> Text:
        return level_name(self.level, self.rules.levels)


def outcomes_of(player: Player | None) -> Sequence[Outcome]:
    """Return a player's latest finished games against computers alone, the oldest first. Games that
    began elsewhere or in another game do not count."""
    if player is None:
        return []
    held = _held(player)
    levels = _levels(held)
    found = (
        _outcome(kind, held_keys, result, levels[game_id])
        for game_id, (kind, held_keys, result) in held.items()
        if game_id in levels
    )
    return [outcome for outcome in found if outcome]


def records(outcomes: Iterable[Outcome]) -> list[Record]:
    """Return the record of each kind and level, in the order of the kinds and the levels."""
    found = []
    for slug, rules in all_rules().items():
        for level in range(1, rules.levels + 1):
            results = [outcome.won for outcome in outcomes if outcome[:2] == (slug, level)]
            if results:
                found.append(Record(rules, level, len(results), results.count(True), _run(results)))
    return found


def offers(outcomes: Sequence[Outcome]) -> list[Offer]:
    """Return the level to play next of each kind, where one is due."""
    found = (_offer(rules, outcomes) for rules in all_rules().values())
    return [offer for offer in found if offer]


def _held(player: Player) -> Mapping[str, tuple[str, set[str], object]]:
    """Return the kind, the player's seats and the result of the latest games, oldest first."""
    seats = Holder.objects.filter(
        player=player,
        ended__isnull=False,
        seat__game__status=Game.Status.OVER,
        seat__game__imported__isnull=True,
        # A game that a stand-in has ended counts for nobody.
        seat__game__claims__isnull=True,
    ).order_by("-ended", "-id")
    columns = ("seat__game_id", "seat__key", "seat__game__kind", "seat__game__result_json")
    games: dict[str, tuple[str, set[str], object]] = {}
    for game_id, key, kind, result in reversed(seats.values_list(*columns)[:MOST]):
        games.setdefault(game_id, (kind, set(), result))[1].add(key)
    return games


def _levels(held: Mapping[str, tuple[str, set[str], object]]) -> Mapping[str, dict[str, int]]:
    """Return the level of each other seat of those games whose other seats are all computers'."""
    seats = Seat.objects.filter(game__in=held).values_list("game_id", "key", "computer")
    games: dict[str, dict[str, int | None]] = {}
    for game_id, key, level in seats:
        if key not in held[game_id][1]:
            games.setdefault(game_id, {})[key] = level
    return {
        game_id: {key: level for key, level in others.items() if level is not None}
        for game_id, others in games.items()
        if None not in others.values()
    }


def _outcome(
    kind: str, held: set[str], stored: object, levels: Mapping[str, int]
) -> Outcome | None:
    """Return the outcome of a game; None if nobody played against the player, or the row is
    damaged."""
    try:
        winners = Result.from_json(stored).winners
    except ValueError:
        return None
    won = bool(winners & held)
    against = [level for key, level in levels.items() if not winners or (key in winners) != won]
    if not against or kind not in all_rules():
        return None
    return Outcome(kind, min(against), won if winners else None)


def _run(results: Sequence[bool | None]) -> int:
    return max((len([*run]) for won, run in groupby(results) if won), default=0)


def _offer(rules: Rules, outcomes: Sequence[Outcome]) -> Offer | None:
    last = [outcome for outcome in reversed(outcomes) if outcome.kind == rules.slug]
    if not last:
        return None
    level = last[0].level
    results = [*_same_level(last)]
    if len(results) >= WINS_TO_RISE and all(results[:WINS_TO_RISE]) and level < rules.levels:
        return Offer(rules, level + 1, is_above=True)
    if results[:LOSSES_TO_FALL] == [False] * LOSSES_TO_FALL and level > 1:
        return Offer(rules, level - 1, is_above=False)
    return None


def _same_level(outcomes: Sequence[Outcome]) -> Iterator[bool | None]:
    """Yield the results at the level of the first outcome, until another level was played."""
    for outcome in outcomes:
        if outcome.level != outcomes[0].level:
            return
        yield outcome.won
