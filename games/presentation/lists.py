"""Entries of lists of games, with opponents, turn and result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext

from games.contract import Rules, SeatKey, SeatSpec, Text, text
from games.core.seating import Seating
from games.core.translation import translate
from games.models import Game
from games.presentation import jinja
from games.presentation.sight import computer_name, ending, outcome


@dataclass(frozen=True)
class Entry:
    """A game in a player's list: its other players, whether it is the player's turn and other
    people wait for it, the empty seats that are to move, and once it is over the result and its
    reason."""

    game: Game
    others: str
    my_turn: bool
    awaited: bool
    empty: Sequence[SeatSpec]
    ending: Sequence[Text]

    @property
    def ago(self) -> str:
        """The approximate time since the game changed; '' for less than a minute."""
        updated = self.game.updated
        recent = timezone.now() - updated < timedelta(minutes=1)
        return "" if recent else timesince(updated, depth=1)


@dataclass(frozen=True)
class PicturedGame:
    """A game in a list with a picture of its board; '' without one."""

    entry: Entry
    svg: str


@dataclass(frozen=True)
class Kind:
    """A kind on the front page, with the opponents and the level of its buttons, and the key by
    which an opponent is sought; '' for none."""

    rules: Rules
    opponents: Sequence[str]
    level: Text | None
    seek: str


def render_seeker(game_id: str, key: str, rules: Rules) -> str:
    """Return the line on the seeker in a game, for the kind with the ``key``."""
    return jinja.render("lists/_seeker.jinja", game_id=game_id, key=key, rules=rules)


def build_entry(game: Game, seating: Seating, player_id: UUID) -> Entry:
    mine, to_move = seating.held_by(player_id), set(game.to_move)
    my_turn = not mine.isdisjoint(to_move)
    empty = [spec for spec in game.specs if spec.key in to_move and seating.places[spec.key].empty]
    return Entry(
        game=game,
        others=_others(game.rules, seating, player_id),
        my_turn=my_turn,
        awaited=my_turn and not seating.is_solo(player_id),
        empty=empty,
        ending=_ending(game, mine),
    )


def build_public_entry(game: Game, seating: Seating, player_id: UUID) -> Entry:
    entry = build_entry(game, seating, player_id)
    mine = seating.held_by(player_id)
    ended, names = _ending(game, mine), {spec.name for spec in game.specs if spec.key in mine}
    if ended and len(names) == 1:
        outcome = text("%(outcome)s as %(seat)s", outcome=ended[0], seat=names.pop())
        ended = [outcome, *ended[1:]]
    return replace(entry, my_turn=False, awaited=False, ending=ended)


def _others(rules: Rules, seating: Seating, player_id: UUID) -> str:
    places = seating.places.values()
    people = {key: name for place in places for key, name in place.players.items()}
    names = sorted(name or gettext("Guest") for key, name in people.items() if key != player_id)
    levels = sorted(
        {place.computer for place in places if place.computer is not None}, key=rules.ladder.rank
    )
    return ", ".join([*names, *(translate(computer_name(level, rules)) for level in levels)])


def _ending(game: Game, mine: frozenset[SeatKey]) -> Sequence[Text]:
    try:
        result = game.result
    except ValueError:
        # A damaged row, which the admin shows, must not break a list of others.
        return []
    if result is None:
        return []
    verdict = outcome(game.specs, mine, result, short=True)
    return ending(verdict, result, timed=game.time is not None)
