"""Absent players: those whose move a game has awaited for too long. Pure.

Where no clock runs, the player to move counts as absent once nothing has happened in the game for
``settings.ABSENT_AFTER``.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from games.contract import SeatKey
from games.state.snapshot import GameSnapshot

BETWEEN_REMINDERS = timedelta(days=1)


def absent_seats(snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the seats whose players are absent."""
    game = snapshot.game
    if game.over or not game.begun or game.flag_at is not None or snapshot.fault:
        return []
    if timezone.now() - game.updated < settings.ABSENT_AFTER:
        return []
    return sorted(snapshot.seating.people() & set(game.to_move))


def waited_for_by(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    """Return the absent seats that the holder of the seats ``held`` waits for."""
    absent = absent_seats(snapshot)
    active = any(snapshot.position.is_active(seat) for seat in held) if absent else False
    return absent if active and not set(held) & set(absent) else []


def was_reminded(snapshot: GameSnapshot) -> bool:
    """Return whether an absent player was reminded too recently to be reminded again."""
    reminded = snapshot.game.reminded
    return reminded is not None and timezone.now() - reminded < BETWEEN_REMINDERS


def opposed(snapshot: GameSnapshot, seats: Collection[SeatKey], held: Collection[SeatKey]) -> bool:
    """Return whether the seats ``held`` and ``seats`` have no side in common."""
    sides = {snapshot.spec(seat).side for seat in seats}
    return not any(snapshot.spec(seat).side in sides for seat in held)


def computer_fits(snapshot: GameSnapshot) -> bool:
    """Return whether a computer can play the game, because its options suit one."""
    rules, options = snapshot.rules, snapshot.game.options
    chosen = rules.computer_options.items()
    return rules.levels > 0 and all(options.get(name, value) == value for name, value in chosen)
