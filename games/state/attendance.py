"""Attendance: the people absent from a lobby, and the stand-in for its host. Pure.

A lobby stores who is ``away``, and the host's ``stand_in``, so that its pages follow; see
`games.services.absence`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from games.models import Game
    from games.state.snapshot import GameSnapshot


def away_from_lobby(game: Game) -> frozenset[str]:
    """Return the ids of the people absent from an open lobby, as it has stored them."""
    return frozenset((game.attendance or {}).get("away", ()))


def acting_host(snapshot: GameSnapshot) -> UUID | None:
    stored = (snapshot.game.attendance or {}).get("stand_in")
    stand_in = UUID(stored) if stored else None
    return stand_in if snapshot.seats_of(stand_in) else snapshot.game.created_by_id


def is_host_away(game: Game) -> bool:
    return game.created_by_id is None or str(game.created_by_id) in away_from_lobby(game)


def may_begin(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a player may begin the game of a lobby: its host, or while the host is away
    and all seats are taken, everybody with one."""
    if player_id is None or player_id == acting_host(snapshot):
        return player_id is not None
    full = not any(place.empty for place in snapshot.seating.places.values())
    return full and is_host_away(snapshot.game) and bool(snapshot.seats_of(player_id))


def person_key(game_id: str, player_id: UUID) -> str:
    """Return a key that names a person in the forms of a game, without revealing the player's
    id."""
    return hashlib.sha256(f"{game_id} {player_id}".encode()).hexdigest()[:12]
