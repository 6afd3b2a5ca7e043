"""Lists of games, read from the database: a player's own, and those with open seats."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, cast
from uuid import UUID

from django.utils import timezone

from games.contract import Rules, SeatSpec
from games.models import Game, Player, Seat
from games.registry import all_rules
from games.replay import Unreadable, read_specs
from games.seating import SEAT_COLUMNS, Seating, SeatRow
from games.storage.cache import LRUCache

SHOWN = 24
FINISHED = 6
MOST = 300
"""Running games of a player that are listed at all, and seats that are looked at for a list."""
OFFERS_A_HOST = 2
"""Games of one visitor that look for players at the same time."""
OFFERED_FOR = timedelta(days=14)
"""How long after its last change a game still looks for players."""


PLAYED = 500
"""Games whose kinds decide the order of the kinds: those that changed last."""
ORDER_KEPT = 300
"""Seconds for which a process keeps that order."""

_orders: LRUCache[int, tuple[Rules, ...]] = LRUCache(1)


class ListedGame(NamedTuple):
    """A game's row and seating."""

    game: Game
    seating: Seating


@dataclass(frozen=True)
class OpenGame:
    """A game that looks for players, and the seats that anybody may take, all the same to it."""

    game: Game
    seats: Sequence[SeatSpec]


def kinds_by_plays() -> tuple[Rules, ...]:
    """Return the kinds of game, those that are played most first."""
    now = int(time.monotonic() // ORDER_KEPT)
    return _orders.get(now) or _orders.put(now, _count_plays())


def _count_plays() -> tuple[Rules, ...]:
    # The index on ``updated`` bounds the rows that are read.
    last = Game.objects.order_by("-updated").values_list("kind", flat=True)[:PLAYED]
    plays = Counter(last)
    kinds = sorted(all_rules().values(), key=lambda kind: (-plays[kind.slug], kind.place))
    return tuple(kinds)


def running_games(player: Player) -> list[ListedGame]:
    """Return the player's running games: the player's turn first, then the newest."""
    chosen = _running_by_turn(player)[:MOST]
    games = Game.objects.in_bulk(chosen)
    return _with_seatings(games[game_id] for game_id in chosen if game_id in games)


def _running_by_turn(player: Player) -> list[str]:
    """Return the ids of all running games of a player, those that wait for the player first."""
    held = Seat.objects.filter(
        players=player, game__status=Game.Status.RUNNING, game__kind__in=list(all_rules())
    )
    rows = held.order_by("-game__updated").values_list("game_id", "key", "game__to_move")
    waits: dict[str, bool] = {}
    for game_id, key, to_move in rows:
        waits[game_id] = waits.get(game_id, False) or key in to_move
    return sorted(waits, key=lambda game_id: not waits[game_id])


def finished_games(player: Player) -> list[ListedGame]:
    """Return the player's last finished games."""
    games = Game.objects.filter(
        seats__players=player, status=Game.Status.OVER, kind__in=list(all_rules())
    ).distinct()
    return _with_seatings(games[:FINISHED])


def open_games(player: Player | None) -> list[OpenGame]:
    """Games with seats that anybody may take, the newest first, and few of each host."""
    free = Seat.objects.filter(listed=True, holders__isnull=True)
    seats = free.filter(
        game__status=Game.Status.RUNNING,
        game__kind__in=list(all_rules()),
        game__updated__gte=timezone.now() - OFFERED_FOR,
    )
    if player:
        seats = seats.exclude(game__seats__players=player)
    newest = seats.order_by("-game__created", "index")
    chosen = _spread(newest.values_list("game_id", "game__created_by")[:MOST])[:SHOWN]
    found = Game.objects.select_related("created_by").in_bulk(chosen)
    keys = set(free.filter(game__in=chosen).values_list("game_id", "key"))
    made = [_offer(found[game_id], keys) for game_id in chosen if game_id in found]
    # The last of the seats may have been taken in between.
    return [offer for offer in made if offer.seats]


def _offer(game: Game, free: Collection[tuple[str, str]]) -> OpenGame:
    seats = read_specs(game) if _readable(game) else ()
    return OpenGame(game, [spec for spec in seats if (game.id, spec.key) in free])


def _readable(game: Game) -> bool:
    """Return whether the options of a game can be read. A damaged game is left out of lists, which
    hold the games of others too; the admin shows it."""
    try:
        read_specs(game)
    except Unreadable:
        return False
    return True


def _spread(rows: Iterable[tuple[str, UUID | None]]) -> list[str]:
    """Of games with their hosts, each once and so many a host, in the same order."""
    chosen: list[str] = []
    counted: Counter[UUID | None] = Counter()
    for game_id, host in rows:
        if game_id not in chosen and counted[host] < OFFERS_A_HOST:
            counted[host] += 1
            chosen.append(game_id)
    return chosen


def _with_seatings(games: Iterable[Game]) -> list[ListedGame]:
    """Return games with their seatings, read in one query for all."""
    found = [game for game in games if _readable(game)]
    rows: dict[str, list[SeatRow]] = {game.id: [] for game in found}
    seats = Seat.objects.filter(game__in=found).order_by("index", "holders__id")
    for game_id, *row in seats.values_list("game_id", *SEAT_COLUMNS):
        rows[game_id].append(cast(SeatRow, tuple(row)))
    return [ListedGame(game, Seating.of_rows(rows[game.id])) for game in found]
