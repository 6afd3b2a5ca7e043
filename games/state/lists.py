"""Lists of games: a player's own games, and games with open seats."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.contract import Rules, SeatKey, SeatSpec
from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Seating, SeatRow
from games.models import NAME_LENGTH, Game, Holder, Player, Seat, Sighting
from games.state.outcomes import COLUMNS, Outcome, outcome_of
from games.state.replay import Unreadable, read_specs
from games.state.row_faults import mend_row, mend_seating
from games.state.seat_claims import is_slow
from games.storage.cache import LRUCache
from games.storage.compiled_queries import readable_rows
from games.storage.keyset import Keyset

SHOWN = 24
FINISHED = 6
MOST = 800
"""Listed seats that are read for the list of open games."""
MOST_RUNNING = 100
"""Seats of a player that are read for the list of running games."""
NAMES_READ = 2_000
"""Finished games among which a page looks for the name of another player."""
BY_END = Keyset("ended")
"""The order of finished games, the last ended first."""
_READ = ("seat__game", "seat__key", *COLUMNS)
LAST_JOINED = ("-ended", "-id")
"""The order of the seats in running games, whose ``ended`` is null. It has both columns of the
index: ordered by ``id`` alone, PostgreSQL would read all seats of the player."""
BESIDE_OTHERS = Exists(
    Holder.objects.filter(seat__game=OuterRef("seat__game")).exclude(player=OuterRef("player"))
)
"""The condition for a holder that others play in the game, too."""
OFFERS_AT_ONCE = 2
"""Open games of one host, and of one address, that strangers see at the same time."""
OFFERED_FOR = timedelta(days=14)
"""How long after its last change a game is still listed as open."""
RESULTS = ("won", "lost", "drawn")
STAMP_CACHED = 1 / settings.HASTE
"""Seconds for which a process caches the state of the open games."""
_open_stamps: LRUCache[int, tuple[Any, ...]] = LRUCache(1)


class ListedGame(NamedTuple):
    """A game's row and seating."""

    game: Game
    seating: Seating


class Turns(NamedTuple):
    """The number of games that wait for a player, and of all that may come to do so."""

    waiting: int
    running: int


@dataclass(frozen=True)
class Filters:
    """The values by which a list of finished games is filtered; '' stands for all."""

    kind: str = ""
    result: str = ""
    name: str = ""

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> Filters:
        """Return the filters in a query string; invalid ones are ignored."""
        kind, result, name = (query.get(name, "") for name in ("kind", "result", "name"))
        known = result if result in RESULTS else ""
        return cls(kind[:40], known, " ".join(name.split())[:NAME_LENGTH])

    def fit(self, outcome: Outcome) -> bool:
        fits = self.kind in ("", outcome.kind) and self.result in ("", outcome.result)
        return fits and bool(outcome.kind)

    @property
    def query(self) -> str:
        return urlencode({name: value for name, value in asdict(self).items() if value})


class FinishedPage(NamedTuple):
    """Finished games, and the token of the next page; '' on the last one."""

    games: Sequence[ListedGame]
    older: str


@dataclass(frozen=True)
class OpenGame:
    """A game that looks for players, its equivalent open seats, and whether its host is there."""

    game: Game
    seats: Sequence[SeatSpec]
    here: bool


def is_first_of_kind(game: Game, player: Player) -> bool:
    held = Holder.objects.filter(player=player, seat__game__kind=game.kind)
    return not held.exclude(seat__game=game.pk).exists()


def stamp(player_id: UUID | None, lister: str = "") -> str:
    """Return a text that changes whenever the lists of a player do, without building them: also
    every minute, since the lists say how long ago a game has changed, or more often while hosts may
    leave. It is the same for all players without games, at addresses without open games."""
    offered, own = _open_stamp(), _own_stamp(player_id) if player_id else ()
    minute = int(time.time() // (10 * STAMP_CACHED if offered else 60)) if offered or own else 0
    here = lister if any(row[-1] == lister for row in offered) else ""
    return repr((minute, offered, here, own and (player_id, own)))


def _own_stamp(player_id: UUID) -> tuple[Any, ...]:
    ended = Holder.objects.filter(player=player_id, hidden=False, ended__isnull=False)
    versions = _running(player_id).values_list("id", "seat__game__version")[:MOST_RUNNING]
    return (*versions, *ended.order_by("-ended", "-id").values_list("id")[:1])


def _running(player_id: UUID) -> QuerySet[Holder]:
    held = Holder.objects.filter(player=player_id, ended=None, hidden=False)
    return held.order_by(*LAST_JOINED)


def _open_stamp() -> tuple[Any, ...]:
    """Return everything that the list of open games depends on, cached for a second."""
    now = int(time.monotonic() // STAMP_CACHED)
    known = _open_stamps.get(now)
    return _open_stamps.put(now, _read_open_stamp()) if known is None else known


def _read_open_stamp() -> tuple[Any, ...]:
    listed = Seat.objects.filter(listed=True, holders=None).order_by("-id")
    return tuple(listed.values_list("id", "game__version", "lister")[:MOST])


def kinds() -> list[Rules]:
    """Return the kinds of game, in the same order for everybody at any time."""
    return sorted(all_rules().values(), key=lambda kind: kind.place)


def running_games(player: Player) -> list[ListedGame]:
    """Return the player's running games: first those with the player to move, then by last change.
    Only the MOST_RUNNING seats that the player took last are read."""
    keys: dict[str, set[SeatKey]] = {}
    for game_id, key in _running(player.pk).values_list("seat__game", "seat__key")[:MOST_RUNNING]:
        keys.setdefault(game_id, set()).add(key)
    games = _with_seatings(_known(keys))
    games.sort(key=lambda listed: listed.game.updated, reverse=True)
    games.sort(key=lambda listed: keys[listed.game.id].isdisjoint(listed.game.to_move))
    return games


def running_versions(player_id: UUID) -> dict[str, int]:
    """Return the versions of those games by id, in one query."""
    columns = "seat__game", "seat__game__version", "seat__game__kind"
    rows, known = _running(player_id).values_list(*columns), all_rules()
    return {game_id: version for game_id, version, kind in rows[:MOST_RUNNING] if kind in known}


def finished_games(player: Player) -> Sequence[ListedGame]:
    return finished_page(player, size=FINISHED).games


def last_finished(players: Sequence[Player], count: int) -> dict[UUID, list[ListedGame]]:
    """Return the last finished games of some players that anybody may watch."""
    rows = {
        player.pk: BY_END.page(_finished(player, public=True), count, *_READ).rows
        for player in players
    }
    games = read_games(row[2] for found in rows.values() for row in found)
    return {key: _listed(found, games, key) for key, found in rows.items()}


def turns_waiting(player_id: UUID, but_for: str = "") -> Turns:
    """Return how many running games others play in too, in one query of bounded rows."""
    found = [turn for turn in _turns(player_id, *LAST_JOINED) if turn[0] != but_for]
    return Turns(len({pk for pk, waits in found if waits}), len({pk for pk, _waits in found}))


def longest_waiting(player_id: UUID) -> str | None:
    """Return the id of the game with others that has waited longest for a player."""
    found = _turns(player_id, "seat__game__updated")
    return next((game_id for game_id, waits in found if waits), None)


def _turns(player_id: UUID, *order: str) -> list[tuple[str, bool]]:
    """Return the ids of running games that others play in too, with whether a seat's turn waits."""
    suspended = Player.objects.filter(pk=player_id, suspended=True)
    held = _running(player_id).filter(~Exists(suspended), BESIDE_OTHERS)
    columns = "seat__game", "seat__key", "seat__game__to_move", "seat__game__begun"
    rows = held.order_by(*order).values_list(*columns)[:MOST_RUNNING]
    return [(game_id, begun and key in to_move) for game_id, key, to_move, begun in rows]


def finished_page(
    player: Player,
    filters: Filters = Filters(),
    *,
    older: str = "",
    since: datetime | None = None,
    public: bool = False,
    size: int = 0,
) -> FinishedPage:
    """Return a page of the player's finished games that match, the last ended first. The page is
    short if outcomes that are not stored yet do not match. ``older`` is the token of the page,
    ``since`` leaves out games that ended before, and ``public`` closed ones."""
    rows = _finished(player, public=public)
    rows = rows.filter(ended__gte=since) if since else rows
    wanted = {"kind": filters.kind, "outcome": filters.result}
    if wanted := {name: value for name, value in wanted.items() if value}:
        rows = rows.filter(Q(kind=None) | Q(**wanted))
    narrow = [partial(_against, player, filters.name)] if filters.name else []
    page = BY_END.page(rows, size or SHOWN, *_READ, after=older, narrow=narrow, window=NAMES_READ)
    found = _listed(page.rows, read_games(row[2] for row in page.rows), player.pk, filters)
    return FinishedPage(found, page.after)


def _finished(player: Player, *, public: bool) -> QuerySet[Holder]:
    """Return one row of the player for each finished game: that of the first seat."""
    rows = player.holders.filter(ended__isnull=False, hidden=False).exclude(kind="")
    seats = player.holders.filter(seat__game=OuterRef("seat__game"))
    earlier = seats.filter(seat__index__lt=OuterRef("seat__index"))
    rows = rows.filter(Q(kind__isnull=False) | ~Exists(earlier))
    return rows.filter(seat__game__closed=False) if public else rows


def _against(player: Player, name: str, rows: QuerySet[Holder]) -> QuerySet[Holder]:
    """Return the rows of games in which another player's name contains ``name``. A name at a seat
    has no folded column, and only regular expressions ignore the case of all letters."""
    others = Holder.objects.filter(seat__game=OuterRef("seat__game")).exclude(player=player)
    usual = Q(name="", player__name_folded__contains=name.casefold())
    return rows.filter(Exists(others.filter(usual | Q(name__iregex=re.escape(name)))))


def read_games(ids: Iterable[str]) -> dict[str, ListedGame]:
    """Return those of some games that are readable, by id."""
    return {listed.game.id: listed for listed in _with_seatings(_known(dict.fromkeys(ids)))}


def _listed(
    rows: Iterable[Sequence[Any]],
    games: Mapping[str, ListedGame],
    player_id: UUID,
    filters: Filters = Filters(),
) -> list[ListedGame]:
    """Return the games of some rows without those whose outcome is not stored and does not fit."""
    return [
        listed
        for _ended, _key, game_id, seat, kind, *_outcome in rows
        if (listed := games.get(game_id))
        and (kind or filters.fit(outcome_of(*listed, player_id, seat)))
    ]


def last_outcomes(player: Player, count: int) -> Iterator[Outcome]:
    """Yield the outcomes of a player's last games against computers, the last first."""
    held = player.holders.filter(Q(kind=None) | Q(level__isnull=False), ended__isnull=False)
    rows = BY_END.page(held, count, *_READ).rows
    games = read_games(row[2] for row in rows if row[4] is None)
    for _ended, _key, game_id, seat, *stored in rows:
        if stored[0] is not None:
            yield Outcome(*stored)
        elif listed := games.get(game_id):
            yield outcome_of(*listed, player.pk, seat)


def open_games(player: Player | None, *, bots: bool = False, lister: str = "") -> list[OpenGame]:
    """Return games with open seats, or with those that are open to ``bots``: the newest first, and
    those `in_turn` for a visitor at the address of ``lister``."""
    # The index on listed seats limits the rows that are read, so games are filtered afterwards.
    listed = Seat.objects.filter(listed=True, holders=None).order_by("-id")
    if bots:
        listed = listed.filter(for_bots=True)
    free: dict[str, set[SeatKey]] = {}
    addresses: dict[str, str | None] = {}
    for game_id, key, address in listed.values_list("game_id", "key", "lister")[:MOST]:
        free.setdefault(game_id, set()).add(key)
        addresses[game_id] = address
    hosts = _hosts_for(player, addresses)
    rows = [(game_id, addresses[game_id], hosts[game_id]) for game_id in free if game_id in hosts]
    chosen = in_turn(rows, lister)
    games = _known(chosen, Game.objects.select_related("created_by"))
    here = _with_hosts(games)
    return [
        OpenGame(game, [spec for spec in game.specs if spec.key in free[game.id]], game.id in here)
        for game in sorted(games, key=lambda game: chosen.index(game.id))
        # With a clock of minutes a list would offer an absent person.
        if game.id in here or game.begun or game.time is None or is_slow(game)
    ]


def _with_hosts(games: Sequence[Game]) -> set[str]:
    """Return the ids of those games at which their hosts are: all present people are noted every
    twenty seconds."""
    since = timezone.now() - timedelta(seconds=30) / settings.HASTE
    seen = Sighting.objects.filter(game__in=games, player=F("game__created_by"), seen__gt=since)
    new = {game.id for game in games if game.created_by_id and game.created > since}
    return {*seen.values_list("game", flat=True)} | new


def _hosts_for(player: Player | None, ids: Iterable[str]) -> dict[str, UUID | None]:
    """Return the hosts of those of some games that a player may join."""
    fresh = Game.objects.filter(updated__gte=timezone.now() - OFFERED_FOR)
    games = fresh.filter(pk__in=list(ids), status=Game.Status.RUNNING, closed=False)
    if player:
        games = games.exclude(seats__players=player)
    return dict(games.values_list("id", "created_by"))


def in_turn(rows: Sequence[tuple[str, str | None, UUID | None]], lister: str) -> list[str]:
    """Return the ids of the rows to list, each with its address and its host, in the same order: a
    few of each address and each host, the first of all before the second of any; and all of the
    visitor's own address, so that a club or a class finds its own games."""
    counted: Counter[str | UUID | None] = Counter()
    turns: list[tuple[int, str]] = []
    for key, address, host in rows:
        both = {host or address, address or host}
        turns.append((max(counted[each] for each in both), key))
        counted.update(both)
    few = sorted((turn for turn in turns if turn[0] < OFFERS_AT_ONCE), key=itemgetter(0))[:SHOWN]
    chosen = {key for _turn, key in few}
    return [key for key, address, _host in rows if key in chosen or (lister and address == lister)]


def _known(ids: Iterable[str], games: QuerySet[Game] | None = None) -> list[Game]:
    """Return the games ``ids`` whose kind this site has and whose options are readable."""
    found = readable_rows((Game.objects if games is None else games).filter(pk__in=list(ids)))
    known = [game for game in found if game.kind in all_rules() and _readable(game)]
    return [mend_row(game) for game in known]


def _readable(game: Game) -> bool:
    """Return whether a game's options are readable: a damaged one must not break a list."""
    try:
        read_specs(game, game.rules)
    except Unreadable:
        return False
    return True


def _with_seatings(games: Iterable[Game]) -> list[ListedGame]:
    found = list(games)
    rows: dict[str, list[SeatRow]] = {game.id: [] for game in found}
    seats = Seat.objects.filter(game__in=found).order_by("index", "holders__id")
    for game_id, *row in seats.values_list("game_id", *SEAT_COLUMNS):
        rows[game_id].append(cast(SeatRow, tuple(row)))
    return [
        ListedGame(game, mend_seating(Seating.of_rows(rows[game.id]), game.specs)) for game in found
    ]
