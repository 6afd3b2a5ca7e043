"""Requests to free the seat of an absent player from a game without a clock. Pure.

A game stores its request in ``freeing``: the ``seat``, the seat of the player who asks as
``asker``, the seats that have to agree as ``waiting``, and as ``newcomer`` the player who wants the
seat back in a new browser, and then asks alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from games.contract import SeatKey
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True)
class FreeingRequest:
    """A request to free ``seat``, by the holder of ``asker`` or by ``newcomer``, to which the seats
    ``waiting`` have not agreed yet."""

    seat: SeatKey
    asker: SeatKey
    waiting: Collection[SeatKey]
    newcomer: UUID | None


def pending_freeing(snapshot: GameSnapshot) -> FreeingRequest | None:
    """Return the request that waits for answers; None if the seat has no player any more."""
    stored = snapshot.game.freeing
    if not stored or snapshot.game.over or not people_on(snapshot, stored["seat"]):
        return None
    newcomer = UUID(stored["newcomer"]) if stored["newcomer"] else None
    return FreeingRequest(stored["seat"], stored["asker"], stored["waiting"], newcomer)


def can_free(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    """Return the seats of others that the holder of ``held`` may ask to free, if at least one more
    person has to agree."""
    game = snapshot.game
    if not held or game.over or not game.begun or game.clock or len(snapshot.specs) < 3:
        return []
    places = snapshot.seating.places.items()
    others = {key: place.players for key, place in places if place.players and key not in held}
    people = {player_id for players in others.values() for player_id in players}
    return [*others] if len(people) > 1 else []


def people_on(snapshot: GameSnapshot, seat: SeatKey) -> set[UUID]:
    """Return the players of a seat; none for an unknown one."""
    place = snapshot.seating.places.get(seat)
    return set(place.players) if place else set()
