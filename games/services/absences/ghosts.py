"""Ghosts: guests in a lobby who have lost their browser's cookie, and come back as new players.

A guest who comes back by the lobby's link replaces the ghost instead of sitting beside it. A player
with an account signs in instead.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from games.contract import text
from games.core.refusals import Refusal, SeatTaken
from games.models import Account, Player
from games.services.insights import copy_insights
from games.services.seats import free_seats
from games.services.versions import save_version
from games.state.attendance import person_key
from games.state.sightings import away_people
from games.state.snapshot import GameSnapshot

HAS_ACCOUNT = text("This seat belongs to an account. Sign in to it to have the seat back.")


def replace_ghost(snapshot: GameSnapshot, player: Player, person: str = "") -> GameSnapshot:
    """Free the seats of a player's ghost in a locked lobby: of the absent guest who is named by
    `person_key`, or else has the same name. If the ghost is the host, the player becomes it.

    Raises SeatTaken if that person is not away, or Refusal if the person has an account."""
    ghost = _absentee(snapshot, person) if person else _namesake(snapshot, player)
    if ghost is None:
        return snapshot
    held = [key for key, place in snapshot.seating.places.items() if ghost in place.players]
    former = Player(pk=ghost)
    free_seats(snapshot, held, former)
    copy_insights(snapshot.game, former, player)
    hosts = snapshot.game.created_by_id == ghost
    changes: dict[str, Any] = {"created_by_id": player.pk} if hosts else {}
    return save_version(snapshot, **changes)


def _absentee(snapshot: GameSnapshot, person: str) -> UUID:
    """Return the absent guest with a key."""
    away = away_people(snapshot)
    ghost = next(
        (player_id for player_id in away if person_key(snapshot.game.pk, player_id) == person), None
    )
    if ghost is None:
        raise SeatTaken
    if Account.objects.filter(player=ghost).exists():
        raise Refusal(HAS_ACCOUNT)
    return ghost


def _namesake(snapshot: GameSnapshot, player: Player) -> UUID | None:
    """Return an absent guest whose name is that of a player who comes in."""
    wanted = player.name.casefold()
    if not wanted or snapshot.seats_of(player.pk):
        return None
    people = {
        player_id: name
        for place in snapshot.seating.places.values()
        for player_id, name in place.players.items()
        if name.casefold() == wanted and player_id != player.pk
    }
    ghosts = set(people) & away_people(snapshot) if people else set()
    ghosts -= set(Account.objects.filter(player__in=ghosts).values_list("player", flat=True))
    return min(ghosts, default=None)
