"""Absence, as two values that are never merged: a person is unseen at a game, or a game awaits the
move of a seat.

A person is seen by an open page, a move, a mark or a call of the API; `games.services.absence`
stores it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from games.contract import SeatKey
from games.models import Game, Holder, Move, Sighting
from games.state.seat_claims import is_slow
from games.state.snapshot import GameSnapshot

AWAY_FROM_LOBBY = timedelta(minutes=1)
AWAY, AWAY_SLOWLY = timedelta(minutes=2), timedelta(days=1)
"""How long people are unseen who are away, in a lively game and in a slow one."""
LIVELY = timedelta(hours=2)
"""A game is slow so long after its last move."""
BETWEEN_REMINDERS = timedelta(days=1)


# --- unseen ---


def away_people(snapshot: GameSnapshot, now: datetime | None = None) -> set[UUID]:
    """Return the host and the holders of seats who are unseen for so long that they are away.
    Taking a seat and opening the lobby count as being seen."""
    game, now = snapshot.game, now or timezone.now()
    recently = now - _unseen_after(game, now)
    people = set(people_of(snapshot))
    seen = Sighting.objects.filter(game=game.pk, seen__gt=recently)
    joined = Holder.objects.filter(seat__game=game.pk, joined__gt=recently)
    moved = Move.objects.filter(game=game.pk, played__gt=recently)
    for rows in (seen, joined, moved):
        people -= set(rows.values_list("player", flat=True))
    return people - {game.created_by_id} if game.created > recently else people


def _unseen_after(game: Game, now: datetime) -> timedelta:
    if not game.begun:
        return AWAY_FROM_LOBBY
    return AWAY_SLOWLY if is_slow(game) or now - game.updated > LIVELY else AWAY


def people_of(snapshot: GameSnapshot) -> Iterable[UUID]:
    """Return the host, if there still is one, and the holders of seats, suspended or not."""
    host = snapshot.game.created_by_id
    held = [player for place in snapshot.seating.places.values() for player in place.players]
    return dict.fromkeys([host, *held] if host else held)


# --- awaited ---


def absent_seats(snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the seats of people whose move a game without a running clock has awaited for
    ``settings.ABSENT_AFTER``."""
    game = snapshot.game
    if game.over or not game.begun or game.flag_at is not None or snapshot.fault:
        return []
    if timezone.now() - game.updated < settings.ABSENT_AFTER:
        return []
    return sorted(snapshot.seating.people() & set(game.to_move))


def waited_for_by(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    absent = absent_seats(snapshot)
    active = any(snapshot.position.is_active(seat) for seat in held) if absent else False
    return absent if active and not set(held) & set(absent) else []


def was_reminded(snapshot: GameSnapshot) -> bool:
    """Return whether an absent player was reminded too recently to be reminded again."""
    reminded = snapshot.game.reminded
    return reminded is not None and timezone.now() - reminded < BETWEEN_REMINDERS


def opposed(snapshot: GameSnapshot, seats: Collection[SeatKey], held: Collection[SeatKey]) -> bool:
    sides = {snapshot.spec(seat).side for seat in seats}
    return not any(snapshot.spec(seat).side in sides for seat in held)


def computer_fits(snapshot: GameSnapshot) -> bool:
    """Return whether a computer can play the game, because its options suit one."""
    rules, options = snapshot.rules, snapshot.game.options
    chosen = rules.computer_options.items()
    return rules.levels > 0 and all(options.get(name, value) == value for name, value in chosen)
