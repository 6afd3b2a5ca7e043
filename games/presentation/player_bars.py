"""The players around a board, a bar for each side with its clock, and the addresses of a game. A
script counts the clocks down from the values here."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext

from games.contract import Level, Score, SeatSpec, Text
from games.core.clocks import DAY, SECOND, Clock
from games.models import Game
from games.presentation.sight import Sight
from games.presentation.visibility import Perspective
from games.state.seat_rights import seats_to_take


class Addresses(NamedTuple):
    """The addresses of one game, each under the name of its URL."""

    game: str
    board: str
    sit: str
    undo: str
    answer_undo: str
    offer_draw: str
    answer_draw: str
    absent: str
    ask_to_free: str
    answer_freeing: str
    give_up: str
    resign: str
    analysis: str
    rules: str
    devices: str
    ask: str
    hand_over: str
    next_game: str
    play_on: str


ANY = "any-game"
"""In place of the id of a game, which consists of letters and digits."""


@lru_cache(2_000)
def addresses(game_id: str, kind: str) -> Addresses:
    return Addresses(*[address.replace(ANY, game_id) for address in _of_any_game(kind)])


# Cached: reversing a URL takes longer than rendering most partials.
@cache
def _of_any_game(kind: str) -> Addresses:
    others: dict[str, list[str]] = {"rules": [kind], "devices": [], "ask": [], "next_game": []}
    names = Addresses._fields
    return Addresses(*[reverse(name, args=others.get(name, [ANY])) for name in names])


class Person(NamedTuple):
    """A person on a seat; a viewer without a name is "You"."""

    name: str
    is_viewer: bool
    others: bool


@dataclass(frozen=True, kw_only=True)
class SeatRow:
    """The value of `_seat.jinja`: a seat in a bar. ``opponent`` is the level of its computer,
    ``adviser`` the name of one beside people, and ``name`` the stored name of its only person;
    None for an empty seat or a team. At the address ``sit`` the viewer may take the seat."""

    spec: SeatSpec
    empty: bool
    players: Sequence[Person]
    computer: int | None
    opponent: Level | None
    adviser: Text | None
    mine: bool
    to_move: bool
    thinking: bool
    won: bool
    name: str | None
    sit: str


@dataclass(frozen=True)
class PlayerBar:
    """One side of a game: its seats, and its score and clock if the game has them.

    ``name`` is that of a side of several seats; None for a side that is a single seat."""

    side: str
    seats: Sequence[SeatRow]
    name: Text | None
    score: Score | None
    clock: ClockFace | None
    to_move: bool
    won: bool
    mine: bool


@dataclass(frozen=True)
class PlayerBars:
    """The values of `_seats.jinja`: bars around a board, those of ``teams`` beside it."""

    above: Sequence[PlayerBar]
    below: Sequence[PlayerBar]
    teams: bool


@dataclass(frozen=True)
class Levels:
    """The value of `_levels.jinja`: the level of all computers, and their choices."""

    current: int
    choices: Sequence[Level]


def seat_rows(seen: Sight) -> list[SeatRow]:
    """Return the seats of a game in the order of its rules."""
    snapshot, standing, held = seen.snapshot, seen.standing, seen.seen_by.seats
    newest = seen.ply == snapshot.game.ply
    winners = standing.result.winners if standing.result else ()
    # Players are not offered a second seat, even in games that would allow it.
    free = seen.live and not held and not seen.over
    listed = seats_to_take(snapshot, listed=True) if free else ()
    sit = addresses(snapshot.game.id, snapshot.game.kind).sit
    rows = []
    for spec in snapshot.specs:
        key, place = spec.key, snapshot.seating.places[spec.key]
        level, people = place.level, list(place.players.values())
        mine, to_move = key in held, key in standing.to_move
        empty = not people and level is None
        known = snapshot.rules.ladder[level] if level else None
        row = SeatRow(
            spec=spec,
            empty=empty,
            players=_people(people, seen.seen_by, mine=mine),
            computer=None if people else level,
            opponent=None if people else known,
            adviser=known.name if people and known else None,
            mine=mine,
            to_move=to_move,
            thinking=level is not None and not people and to_move and newest,
            won=key in winners,
            name=people[0] if len(people) == 1 else None,
            sit=f"{sit}?seat={key}" if key in listed else "",
        )
        rows.append(row)
    return rows


def _people(names: Sequence[str], seen_by: Perspective, *, mine: bool) -> list[Person]:
    """Return the people on a seat. On a device that all players share nobody is the viewer."""
    own = seen_by.place if mine and len(seen_by.seats) == 1 else None
    return [
        Person(
            name or (gettext("You") if at == own else gettext("Guest")),
            is_viewer=bool(name) and at == own and not seen_by.is_solo,
            others=at > 0,
        )
        for at, name in enumerate(names)
    ]


def player_bars(seen: Sight, seats: Sequence[SeatRow], scores: Mapping[str, Score]) -> PlayerBars:
    """Return the bars around a board: teams in the order of the rules, else the viewer's side below
    the board, or the first if the viewer holds none or all."""
    clocks = clock_faces(seen.snapshot.game) if seen.live else {}
    sides: dict[str, list[SeatRow]] = {}
    for seat in seats:
        sides.setdefault(seat.spec.side, []).append(seat)
    if 1 < len(sides) < len(seats):
        bars = _bars(sides, scores, clocks)
        half = len(bars) // 2
        return PlayerBars(above=bars[:half], below=bars[half:], teams=True)
    # All seats of a game with one side: each has a bar.
    alone = len(sides) < len(seats)
    bars = _bars({seat.spec.key: [seat] for seat in seats} if alone else sides, scores, clocks)
    mine = [bar for bar in bars if bar.mine]
    below = mine if 0 < len(mine) < len(bars) else bars[:1]
    return PlayerBars(above=[bar for bar in bars if bar not in below], below=below, teams=False)


def _bars(
    sides: Mapping[str, Sequence[SeatRow]],
    scores: Mapping[str, Score],
    clocks: Mapping[str, ClockFace],
) -> list[PlayerBar]:
    bars = []
    for key, seats in sides.items():
        spec = seats[0].spec
        to_move = won = mine = False
        for seat in seats:
            to_move, won, mine = to_move or seat.to_move, won or seat.won, mine or seat.mine
        bar = PlayerBar(
            side=spec.side,
            seats=seats,
            name=spec.side_name if len(seats) > 1 else None,
            score=scores.get(key),
            clock=clocks.get(spec.side),
            to_move=to_move,
            won=won,
            mine=mine,
        )
        bars.append(bar)
    return bars


def levels(seen: Sight) -> Levels | None:
    """Return the levels that the viewer may give the computers; None if they stay as they are."""
    snapshot, seen_by = seen.snapshot, seen.seen_by
    if not seen.live or not seen_by.seats or not seen_by.is_solo:
        return None
    current = snapshot.changeable_level
    choices = [*snapshot.rules.ladder.values()] if current is not None else []
    return Levels(current, choices) if current is not None and choices else None


HOUR, MINUTE = 3_600 * SECOND, 60 * SECOND


@dataclass(frozen=True)
class ClockFace:
    """The value of `_clock.jinja`: the milliseconds ``left`` to one side, and the moment ``until``
    when they are used up, None if the clock does not run. Its flag may have ``fallen`` without
    effect."""

    left: int
    until: int | None
    fallen: bool

    @property
    def shown(self) -> str:
        """The time left in words, as of the last change."""
        return _time(self.left)


def server_time() -> int:
    return time.time_ns() // 1_000_000


def clock_faces(game: Game) -> Mapping[str, ClockFace]:
    if game.clock is None:
        return {}
    clock, now, fallen = Clock.from_json(game.clock), server_time(), game.flag_at is None
    until = {side: clock.since + clock.left[side] for side in clock.running}
    return {
        side: ClockFace(max(0, until[side] - now), until[side], fallen)
        if side in until
        else ClockFace(left, None, fallen=False)
        for side, left in clock.left.items()
    }


def _time(left: int) -> str:
    if left >= DAY:
        return gettext("{days} d {hours} h").format(days=left // DAY, hours=left % DAY // HOUR)
    seconds = left // SECOND % 60
    if left >= HOUR:
        return f"{left // HOUR}:{left % HOUR // MINUTE:02}:{seconds:02}"
    return f"{left // MINUTE}:{seconds:02}"
