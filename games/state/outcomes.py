"""The outcome of a finished game for a holder of a seat, which the row of the holder stores."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple
from uuid import UUID

from games.contract import Level, Result, Rules, SeatKey, SeatSpec
from games.core.seating import Seating
from games.models import Game


class Outcome(NamedTuple):
    """A finished game as lists of its player read it: the kind, ``won``, ``lost``, ``drawn`` or ''
    as the result, and the lowest level of computer that it was played against, None if it counts in
    no record. A player's further seats in a game have '' as the kind, and are in no list."""

    kind: str
    result: str = ""
    level: int | None = None

    @property
    def won(self) -> bool | None:
        """Whether it was won; None for a draw."""
        return {"won": True, "lost": False}.get(self.result)


@dataclass(frozen=True)
class Offer:
    """A level to play next: the one above the last, or the one below."""

    rules: Rules
    level: int
    is_above: bool

    @property
    def opponent(self) -> Level:
        return self.rules.ladder[self.level]


WINS_TO_RISE, LOSSES_TO_FALL = 2, 3
"""Results in a row after which the level above or below is offered."""


def offer_after(rules: Rules, outcomes: Iterable[Outcome]) -> Offer | None:
    """Return the level of a kind to play next, if one is due after ``outcomes``, the last first."""
    last = [outcome for outcome in outcomes if outcome.kind == rules.slug and outcome.level]
    level = last[0].level or 0 if last else 0
    results = [each.won for each in takewhile(lambda each: each.level == level, last)]
    rises = results[:WINS_TO_RISE] == [True] * WINS_TO_RISE
    falls = results[:LOSSES_TO_FALL] == [False] * LOSSES_TO_FALL
    offered = rules.ladder.beside(level, rises - falls) if rises or falls else 0
    return Offer(rules, offered, rises) if offered else None


COLUMNS = ("kind", "outcome", "level")
"""The columns of a holder that store an outcome."""


def outcome_of(game: Game, seating: Seating, player_id: UUID, seat: SeatKey) -> Outcome:
    """Return the outcome for a player at a seat. The result of a damaged row is ''."""
    held = [key for key, place in seating.places.items() if player_id in place.players]
    if seat not in held[:1]:
        return Outcome("")
    try:
        result = game.result
    except ValueError:
        result = None
    if result is None or result.void:
        return Outcome(game.kind)
    ended, level = ended_for(game.specs, result, held), _level(game, seating, result.winners, held)
    return Outcome(game.kind, ended, level if ended else None)


def ended_for(specs: Collection[SeatSpec], result: Result, held: Collection[SeatKey]) -> str:
    """Return how a game ended for the holder of some seats, ``void`` if it was called off; '' if
    only some of them have won, and for spectators of a game that somebody has won."""
    if result.void:
        return "void"
    if not result.winners:
        return "drawn" if len({spec.side for spec in specs}) > 1 else "lost"
    won = {key in result.winners for key in held}
    return "" if len(won) != 1 else "won" if won.pop() else "lost"


def _level(
    game: Game, seating: Seating, winners: frozenset[SeatKey], held: Collection[SeatKey]
) -> int | None:
    """Return the lowest level among the opponents, if all other seats are computers'. A game that
    began elsewhere, or that a stand-in has ended, counts for nobody."""
    others = {key: place.computer for key, place in seating.places.items() if key not in held}
    if game.imported is not None or game.claims or None in others.values():
        return None
    won = bool(winners & {*held})
    against = [level for key, level in others.items() if not winners or (key in winners) != won]
    return min(filter(None, against), key=game.rules.ladder.rank, default=None)
