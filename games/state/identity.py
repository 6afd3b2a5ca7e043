"""The identity of visitors: the player to whom the device id in a cookie belongs.

Almost every request looks it up, so players are cached for a few seconds. A change clears the cache
of this process at once, and those of other processes by a hint on the bus (`games.bus`)."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from games.bus import Hint, bus, devices_changed
from games.models import Bot, Device, Player
from games.storage.cache import LRUCache
from games.storage.compiled_queries import CompiledQuery
from games.storage.group_commit import on_durable

CACHED_SECONDS = 15.0
"""How long a process that misses the hint still accepts a device that was signed out."""
FIRST_FORM = timedelta(minutes=10)
"""How long a browser without a player cookie is recognized by the form that made its player."""


class _Known(NamedTuple):
    player_id: UUID | None
    until: float


_known: LRUCache[UUID, _Known] = LRUCache(20_000)
_generation = [0]
_device_query = CompiledQuery(
    lambda: Device.objects.filter(pk=UUID(int=0)).values_list("player_id", "signed_out")
)


def cached_player(device_id: UUID) -> tuple[UUID | None] | None:
    known = _known.get(device_id)
    return (known.player_id,) if known and known.until > time.monotonic() else None


def player_of(device_id: UUID) -> UUID | None:
    """Return the player whose device has this id; None for a device that was signed out."""
    if cached := cached_player(device_id):
        return cached[0]
    generation = _generation[0]
    player_id = _read(device_id)
    if generation == _generation[0]:
        _known.put(device_id, _Known(player_id, time.monotonic() + CACHED_SECONDS))
    return player_id


def _read(device_id: UUID) -> UUID | None:
    key = Device._meta.pk.get_db_prep_value(device_id, connection)
    for player_id, signed_out in _device_query.rows(key):
        return None if signed_out else player_id
    return device_id


def first_player(player_id: UUID) -> Player | None:
    """Return the player whom the first form of a browser has just made; None if it is too long
    ago, or if the player has been merged since."""
    if Device.objects.filter(pk=player_id).exists():
        return None
    recent = Player.objects.filter(created__gt=timezone.now() - FIRST_FORM)
    return recent.filter(pk=player_id).first()


def clear_player_cache() -> None:
    """Clear the cache, after the players of some devices have changed."""
    _generation[0] += 1
    _known.clear()


def is_bot(player_id: UUID) -> bool:
    return Bot.objects.filter(player=player_id).exists()


def same_person(player_id: UUID) -> set[UUID]:
    """Return a person's players, whose secrets it can read: itself and all its bots."""
    owners = Bot.objects.filter(player=player_id).values_list("owner", flat=True)
    owner = next(iter(owners), player_id)
    return {owner, *Bot.objects.filter(owner=owner).values_list("player", flat=True)}


def notify_devices(player: Player) -> None:
    """Make all processes read a player's devices again, once that is durable."""
    player_id = player.pk
    transaction.on_commit(lambda: on_durable(lambda: _send_devices(player_id)), robust=True)


def _send_devices(player_id: UUID) -> None:
    clear_player_cache()
    devices_changed.send_robust(sender=Player, player_id=player_id)
    bus().publish(Hint.of_player(player_id))
