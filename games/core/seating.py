"""The seating of a game: its players and computers by seat. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any
from uuid import UUID

from games.contract import SeatKey
from games.core.look_alikes import skeleton

SeatRow = tuple[
    SeatKey, int | None, bool, UUID | None, str | None, str | None, bool | None, int | None
]
"""A seat's key, its computer's level, and whether anybody may take it; then, for one of its
players, the id, the name, the name at this seat, whether the player is suspended, and a number that
is higher for later players."""
SEAT_COLUMNS = (
    "key",
    "computer",
    "listed",
    "holders__player__id",
    "holders__player__name",
    "holders__name",
    "holders__player__suspended",
    "holders__id",
)
"""The columns of a `SeatRow` as look-ups on the model `Seat`."""


@dataclass
class Occupancy:
    """The occupancy of a seat: the ``level`` of its computer, the names of its players by id, both,
    or neither. A computer beside people only marks the moves that it would make.

    ``listed`` says that the seat was offered to everybody. Players in ``suspended`` keep the seat
    but may not use it."""

    level: int | None
    listed: bool
    players: dict[UUID, str] = field(default_factory=dict)
    suspended: set[UUID] = field(default_factory=set)

    @property
    def computer(self) -> int | None:
        return None if self.players else self.level

    @property
    def adviser(self) -> int | None:
        """The level of the computer that marks moves beside people; None without one."""
        return self.level if self.players else None

    @property
    def barred(self) -> bool:
        """Whether all people of the seat are suspended."""
        return bool(self.players) and self.players.keys() <= self.suspended

    @property
    def empty(self) -> bool:
        return not self.players and self.level is None


def _tell_apart(people: Iterable[tuple[int, UUID, Occupancy]]) -> None:
    """Add numbers to names that look like those of earlier people."""
    namesakes: dict[str, list[UUID]] = {}
    for _, player_id, place in people:
        if name := place.players[player_id]:
            known = namesakes.setdefault(skeleton(name), [])
            if player_id not in known:
                known.append(player_id)
            if number := known.index(player_id):
                place.players[player_id] = f"{name} ({number + 1})"


@dataclass(frozen=True, eq=False)
class Seating:
    """The seats of a game with their occupancy, in the order of the rules."""

    places: Mapping[SeatKey, Occupancy]

    @staticmethod
    def of_rows(rows: Iterable[Sequence[Any]]) -> Seating:
        """Return the seating of `SeatRow` in the order of the seats: one for each player, and one
        for a seat without players. The versions of a game share it, so it must not be changed."""
        return _seating_of(tuple(map(tuple, rows)))

    def held_by(self, player_id: UUID) -> frozenset[SeatKey]:
        """Return the seats of a player; none for a suspended player."""
        return self._held.get(player_id, frozenset())

    def people_on(self, seat: SeatKey) -> set[UUID]:
        """Return the holders of a seat, suspended or not; none for an unknown seat."""
        return set(self.places[seat].players) if seat in self.places else set()

    def seats_of_people(self, seat: SeatKey) -> list[SeatKey]:
        """Return all seats that the people of a seat hold without others, this one first."""
        people = self.people_on(seat)
        others = [key for key, place in self.places.items() if key != seat and place.players]
        return [seat, *(key for key in others if self.people_on(key) <= people)]

    def name_on(self, seat: SeatKey) -> str:
        """Return the name of the first person on a seat; '' for a guest and for an empty seat."""
        return next(iter(self.places[seat].players.values()), "")

    @cached_property
    def _held(self) -> Mapping[UUID, frozenset[SeatKey]]:
        held: dict[UUID, set[SeatKey]] = {}
        for seat, place in self.places.items():
            for player_id in place.players.keys() - place.suspended:
                held.setdefault(player_id, set()).add(seat)
        return {player_id: frozenset(seats) for player_id, seats in held.items()}

    def is_solo(self, player_id: UUID) -> bool:
        return all(set(place.players) <= {player_id} for place in self.places.values())

    def only(self, seats: Collection[SeatKey]) -> bool:
        """Return whether one player has all of ``seats`` and computers have all others."""
        mine = [place for seat, place in self.places.items() if seat in seats]
        others = [place for seat, place in self.places.items() if seat not in seats]
        people = {player for place in mine for player in place.players}
        return len(people) == 1 and all(place.computer is not None for place in others)

    @property
    def level(self) -> int | None:
        """The common level of all computers; None if there are none or their levels differ."""
        levels = {place.computer for place in self.places.values()} - {None}
        return levels.pop() if len(levels) == 1 else None

    def players(self) -> set[UUID]:
        return {player_id for place in self.places.values() for player_id in place.players}

    def computers(self) -> frozenset[SeatKey]:
        return frozenset(seat for seat, place in self.places.items() if place.computer is not None)

    def thinking(self) -> frozenset[SeatKey]:
        return frozenset(seat for seat, place in self.places.items() if place.level is not None)

    def people(self) -> frozenset[SeatKey]:
        return frozenset(seat for seat, place in self.places.items() if place.players)


@lru_cache(2_000)
def _seating_of(rows: tuple[SeatRow, ...]) -> Seating:
    places: dict[SeatKey, Occupancy] = {}
    people = []
    for seat, computer, listed, player_id, name, seat_name, suspended, came in rows:
        place = places.setdefault(seat, Occupancy(computer, listed))
        if player_id is not None:
            place.players[player_id] = seat_name or name or ""
            people.append((came or 0, player_id, place))
            if suspended:
                place.suspended.add(player_id)
    if len({player_id for _, player_id, _ in people}) > 1:
        _tell_apart(sorted(people, key=itemgetter(0)))
    return Seating(places)
