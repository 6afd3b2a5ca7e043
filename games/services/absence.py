"""Absence: the people of a game are noted while they are there, a lobby stores its absent people
and the stand-in for its host, and others have rights after days without a move."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone

from games.contract import TIMEOUT, SeatKey, Text, text
from games.core.refusals import Refusal
from games.models import Game, Holder, Player, Sighting
from games.notices.events import forget_turns
from games.services.insights import note_insights
from games.services.play import play_for_site
from games.services.seat_changes import end_if_back, pass_on
from games.services.versions import save_without_activity
from games.state.questions import pending_requests
from games.state.seat_claims import acting_host
from games.state.seat_rights import away_people, opposed, people_of, waited_for_by, was_reminded
from games.state.snapshot import GameSnapshot, locked, read_snapshot
from games.storage.cache import LRUCache
from games.storage.write_lock import write_transaction

FOLLOWED_FOR = timedelta(minutes=15)
"""How long after the end of a game its people are noted: those there need no notice of it."""
NOTED_EVERY = 15.0 / settings.HASTE
"""Seconds for which a process does not note a person again."""

NOT_ABSENT = text("You can’t do that yet: the others still have time to move.")
REMINDED = text("You can send one reminder a day.")

_noted: LRUCache[tuple[str, UUID], float] = LRUCache(20_000)


def note_visit(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    """Note that a player is at a game, which ends requests for that seat, and all absent people."""
    people, game = set(people_of(snapshot)), snapshot.game
    missed = not game.begun or len(people) > 1
    is_followed = not game.over or game.updated > timezone.now() - FOLLOWED_FOR
    if is_followed and missed and player_id in people and player_id:
        _note([(game.pk, player_id)])
    if pending_requests(snapshot):
        end_if_back(snapshot, player_id)
    if not game.begun:
        take_attendance(game.pk)


def note_people(present: Mapping[str, Collection[UUID]]) -> None:
    """Note the players at the pages of some games, if they can be missed there."""
    lively = Q(status=Game.Status.RUNNING) | Q(updated__gt=timezone.now() - FOLLOWED_FOR)
    games = Game.objects.filter(lively, pk__in=list(present))
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
    """Store the people absent from a lobby, if that has changed and it is not gone."""
    with suppress(Game.DoesNotExist):
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
    return {"away": sorted(map(str, away)), "stand_in": str(stand_in) if stand_in else None}


def _stand_in(snapshot: GameSnapshot, away: Collection[UUID]) -> UUID | None:
    """Return the person, of those there, with a seat for longest, or the stand-in so far."""
    holders = Holder.objects.filter(seat__game=snapshot.game.pk, player__suspended=False)
    there = holders.exclude(player__in=away).order_by("id")
    seated = list(there.values_list("player", flat=True))
    current = acting_host(snapshot)
    return current if current in seated else next(iter(seated), None)


def claim_win(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """End a game that an absent opponent has left, as if the opponent's time were up. Raises
    Game.DoesNotExist, StalePly, or Refusal if nobody is absent."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        if not opposed(snapshot, absent, snapshot.seats_of(player.pk)):
            raise Refusal(NOT_ABSENT)
        return play_for_site(snapshot, absent[0], TIMEOUT)


def replace_absent(
    *, game_id: str, player: Player, ply: int, undone: int = 0, computer: bool = False
) -> GameSnapshot:
    """Free the seats of absent players, or give them to a computer. Raises as `claim_win`."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        seats = list(snapshot.game.seats.filter(key__in=absent).order_by("key"))
        note_insights(seats)
        Holder.objects.filter(seat__in=seats).delete()
        return pass_on(snapshot, seats, snapshot.seating.name_on(absent[0]), computer=computer)


def remind_absent(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Remind the absent players of their turn, at the board and by their channels, at most once a
    day. A reminder does not shorten the absence. Raises as `claim_win`."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        if was_reminded(snapshot):
            raise Refusal(REMINDED)
        forget_turns(snapshot, absent)
        sentence = _asked(snapshot, absent[0], player)
        return save_without_activity(snapshot, reminded=timezone.now(), banner=sentence.to_json())


ACTS: Mapping[str, Callable[..., GameSnapshot]] = {
    "claim": claim_win,
    "remind": remind_absent,
    "free": replace_absent,
    "computer": partial(replace_absent, computer=True),
}
"""The acts of a player after days of waiting, by their names in forms and the API."""


def _asked(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> Text:
    held = snapshot.seats_of(player.pk)
    asker = snapshot.seating.places[min(held)].players[player.pk]
    name, guest = snapshot.seating.name_on(seat), text("Guest")
    return text("%(asker)s asks %(name)s to move.", asker=asker or guest, name=name or guest)


def _absent(snapshot: GameSnapshot, player: Player) -> list[SeatKey]:
    """Return the seats of the absent players for whom a player waits. Raises Refusal for none."""
    absent = waited_for_by(snapshot, snapshot.seats_of(player.pk))
    if not absent:
        raise Refusal(NOT_ABSENT)
    return absent
