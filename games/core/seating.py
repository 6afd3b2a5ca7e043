"""The seating of a game: its players and computers by seat. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
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


@dataclass(frozen=True)
class Seating:
    places: Mapping[SeatKey, Occupancy]

    @classmethod
    def of_rows(cls, rows: Iterable[SeatRow]) -> Seating:
        """Build a seating from rows in the order of the seats: one for each player, and one for a
        seat without players."""
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
        return cls(places)

    def held_by(self, player_id: UUID) -> frozenset[SeatKey]:
        """Return the seats of a player; none for a suspended player."""
        return self._held.get(player_id, frozenset())

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
