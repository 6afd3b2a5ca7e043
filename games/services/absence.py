"""Absence: the people of a game are noted while they are there, and a lobby stores its absent
people and the stand-in for its host.

Streams and requests note sightings, at most one in `NOTED_EVERY` for each person and game."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from games.models import Game, Holder, Sighting
from games.services.seat_requests import end_if_back
from games.services.versions import save_without_activity
from games.state.questions import pending_requests
from games.state.seat_claims import acting_host
from games.state.seat_rights import away_people, people_of
from games.state.snapshot import GameSnapshot, locked, read_snapshot
from games.storage.cache import LRUCache
from games.storage.write_lock import write_transaction

NOTED_EVERY = 15.0
"""Seconds for which a process does not note a person again."""

_noted: LRUCache[tuple[str, UUID], float] = LRUCache(20_000)


def note_visit(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    """Note that a player is at a game, which ends the requests for the player's seat, and the
    people absent from its lobby."""
    people, game = set(people_of(snapshot)), snapshot.game
    missed = not game.begun or len(people) > 1
    if not game.over and missed and player_id in people and player_id:
        _note([(game.pk, player_id)])
    if pending_requests(snapshot):
        end_if_back(snapshot, player_id)
    if not game.begun:
        take_attendance(game.pk)


def note_people(present: Mapping[str, Collection[UUID]]) -> None:
    """Note the players at the pages of some games, as far as they can be missed there: in a lobby,
    or by other people."""
    games = Game.objects.filter(pk__in=list(present), status=Game.Status.RUNNING)
    hosts, lobbies = {}, []
    for game_id, host, begun in games.values_list("pk", "created_by", "begun"):
        hosts[game_id] = host
        lobbies += [] if begun else [game_id]
    people: dict[str, set[UUID]] = {game_id: {hosts[game_id]} - {None} for game_id in lobbies}
    held = Holder.objects.filter(seat__game__in=list(hosts))
    for game_id, player_id in held.values_list("seat__game", "player"):
        people.setdefault(game_id, set()).add(player_id)
    missed = [game_id for game_id in people if game_id in lobbies or len(people[game_id]) > 1]
    _note(
        [
            (game_id, player)
            for game_id in missed
            for player in people[game_id] & set(present[game_id])
        ]
    )
    for game_id in lobbies:
        take_attendance(game_id)


def _note(pairs: Collection[tuple[str, UUID]]) -> None:
    """Store that players are at games, apart from those just noted there."""
    seen, now = timezone.now(), time.monotonic()
    due = [pair for pair in pairs if now - (_noted.get(pair) or -NOTED_EVERY) >= NOTED_EVERY]
    rows = [Sighting(game_id=game_id, player_id=player, seen=seen) for game_id, player in due]
    if rows and _store(rows):
        for pair in due:
            _noted.put(pair, now)


def _store(rows: list[Sighting]) -> bool:
    try:
        with write_transaction():
            Sighting.objects.bulk_create(
                rows,
                update_conflicts=True,
                update_fields=["seen"],
                unique_fields=["game", "player"],
            )
    except IntegrityError:
        # A player or a game has been deleted meanwhile: the others are noted the next time.
        return False
    return True


def take_attendance(game_id: str) -> None:
    """Store the people absent from a lobby, if that has changed. Raises Game.DoesNotExist."""
    snapshot = read_snapshot(game_id)
    if snapshot.game.begun or snapshot.game.attendance == _attendance(snapshot):
        return
    with locked(game_id) as snapshot:
        found = _attendance(snapshot)
        if not snapshot.game.begun and snapshot.game.attendance != found:
            save_without_activity(snapshot, attendance=found)


def _attendance(snapshot: GameSnapshot) -> dict[str, Any] | None:
    """Return the absences that a lobby stores; None if everybody is there."""
    away = away_people(snapshot)
    host = snapshot.game.created_by_id
    stand_in = _stand_in(snapshot, away) if host is None or host in away else None
    if not away and stand_in is None:
        return None
    return {
        "away": sorted(map(str, away)),
        "stand_in": str(stand_in) if stand_in else None,
    }


def _stand_in(snapshot: GameSnapshot, away: Collection[UUID]) -> UUID | None:
    """Return the person who has had a seat for the longest time, of those who are there. A lasting
    stand-in keeps the role."""
    holders = Holder.objects.filter(seat__game=snapshot.game.pk, player__suspended=False)
    there = holders.exclude(player__in=away).order_by("id")
    seated = list(there.values_list("player", flat=True))
    current = acting_host(snapshot)
    return current if current in seated else next(iter(seated), None)
