"""Who sits where in a game: read in one query, asked many things."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

Row = tuple[str, int | None, bool, UUID | None, str | None]
"""A seat, the level of its computer, whether anybody may take it, and the id and name of one of its
players."""


@dataclass
class Occupancy:
    """One seat: its computer's level, or its players' names by their ids; or neither. ``listed``:
    it was offered to anybody."""

    computer: int | None
    listed: bool
    players: dict[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seating:
    """All places of a game, by seat."""

    places: Mapping[str, Occupancy]

    @classmethod
    def of_rows(cls, rows: Iterable[Row]) -> Seating:
        """The sitting of rows that come in the order of the seats, with one row a player and
        one for an empty seat."""
        places: dict[str, Occupancy] = {}
        for seat, computer, listed, player_id, name in rows:
            place = places.setdefault(seat, Occupancy(computer, listed))
            if player_id is not None:
                place.players[player_id] = name or ""
        return cls(places)

    def held_by(self, player_id: UUID) -> frozenset[str]:
        """The seats of a player."""
        return frozenset(seat for seat, place in self.places.items() if player_id in place.players)

    def is_solo(self, player_id: UUID) -> bool:
        """Whether nobody but this player sits anywhere, computers aside."""
        return all(set(place.players) <= {player_id} for place in self.places.values())

    def only(self, seats: Collection[str]) -> bool:
        """Whether one player has all of ``seats``, and computers have the others."""
        mine = [place for seat, place in self.places.items() if seat in seats]
        others = [place for seat, place in self.places.items() if seat not in seats]
        people = {player for place in mine for player in place.players}
        return len(people) == 1 and all(place.computer is not None for place in others)

    def computers(self) -> frozenset[str]:
        """The seats that computers hold."""
        return frozenset(seat for seat, place in self.places.items() if place.computer is not None)
