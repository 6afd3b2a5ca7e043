"""Lists of games: a player's own games, and games with open seats."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.contract import Rules, SeatKey, SeatSpec
from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Seating, SeatRow
from games.models import Game, Holder, Player, Seat
from games.state.replay import Unreadable, read_specs
from games.state.row_faults import mend_row, mend_seating
from games.storage.cache import LRUCache
from games.storage.compiled_queries import readable_rows

SHOWN = 24
FINISHED = 6
SEATS_A_GAME = 4
"""Seats in one game that a player may hold without the list of finished games missing one."""
MOST = 300
"""Listed seats that are read for the list of open games."""
MOST_RUNNING = 100
"""Seats of a player that are read for the list of running games."""
READS = (60, 120)
"""Seats that are read for a page of finished games: at first, and once more if few match."""
LAST_JOINED = ("-ended", "-id")
"""The order of the seats in running games, whose ``ended`` is null. It has both columns of the
index: ordered by ``id`` alone, PostgreSQL would read all seats of the player."""
OFFERS_A_HOST = 2
"""Open games of one host that are listed at the same time."""
OFFERED_FOR = timedelta(days=14)
"""How long after its last change a game is still listed as open."""


RECENT = 30
"""The number of recently changed games among which one to show is looked for."""

STAMP_CACHED = 1
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


class Cursor(NamedTuple):
    """The position in a list of finished games after which the next page begins: the seat of its
    last game."""

    ended: datetime
    id: int


class EndedSeat(NamedTuple):
    """A player's seat in a finished game, with the columns of the game that filters read."""

    cursor: Cursor
    key: SeatKey
    game_id: str
    kind: str
    result: Any


class FinishedPage(NamedTuple):
    """Finished games, and where the next page begins; None on the last page."""

    games: Sequence[ListedGame]
    older: Cursor | None


Matches = Callable[[ListedGame], bool]
"""Returns whether a game belongs to a list."""
Narrow = Callable[[Sequence[EndedSeat]], Collection[str]]
"""Returns the ids of the games that may match a list, so that the others are not read."""


@dataclass(frozen=True)
class OpenGame:
    """A game that looks for players, and its open seats, which are equivalent."""

    game: Game
    seats: Sequence[SeatSpec]


def is_first_of_kind(game: Game, player: Player) -> bool:
    held = Holder.objects.filter(player=player, seat__game__kind=game.kind)
    return not held.exclude(seat__game=game.pk).exists()


def stamp(player_id: UUID | None) -> str:
    """Return a text that changes whenever the lists of a player do, without building them. It
    changes every minute, since the lists say how long ago a game has changed, and is the same for
    all players without games."""
    offered, own = _open_stamp(), _own_stamp(player_id) if player_id else ()
    minute = int(time.time() // 60) if offered or own else 0
    return repr((minute, offered, own and (player_id, own)))


def _own_stamp(player_id: UUID) -> tuple[Any, ...]:
    held = Holder.objects.filter(player=player_id, hidden=False)
    running = held.filter(ended=None).order_by(*LAST_JOINED)
    ended = held.filter(ended__isnull=False).order_by("-ended", "-id")
    versions = running.values_list("id", "seat__game__version")[:MOST_RUNNING]
    return (*versions, *ended.values_list("id")[:1])


def _open_stamp() -> tuple[Any, ...]:
    """Return everything that the list of open games depends on, cached for a second."""
    now = int(time.monotonic() // STAMP_CACHED)
    known = _open_stamps.get(now)
    return _open_stamps.put(now, _read_open_stamp()) if known is None else known


def _read_open_stamp() -> tuple[Any, ...]:
    listed = Seat.objects.filter(listed=True, holders=None).order_by("-id")
    return tuple(listed.values_list("id", "game__version")[:MOST])


def kinds() -> list[Rules]:
    """Return the kinds of game, in the same order for everybody at any time."""
    return sorted(all_rules().values(), key=lambda kind: kind.place)


def recent_games() -> list[ListedGame]:
    """Return the last changed games that can be shown to everybody, two of different people: they
    have moves, at most one person plays in each, and no text typed by a player is on a board."""
    newest = Game.objects.filter(kind__in=list(all_rules())).order_by("-updated")
    rows = map(mend_row, readable_rows(newest[:RECENT]))
    played = [game for game in rows if game.ply and not game.closed and _has_plain_options(game)]
    listed = _with_seatings(played)
    by_people: dict[frozenset[UUID], ListedGame] = {}
    for game, seating in listed:
        if _is_public(seating):
            by_people.setdefault(people_of(seating), ListedGame(game, seating))
    return [*by_people.values()][:2]


def people_of(seating: Seating) -> frozenset[UUID]:
    return frozenset(seating.players())


def _has_plain_options(game: Game) -> bool:
    """Return whether no text typed by a person is among the options. Damaged rows have no
    options."""
    if not isinstance(game.options, dict):
        return False
    texts = [option for option in game.rules.options if option.kind in {"text", "pack"}]
    return all(game.options.get(option.name, option.default) == option.default for option in texts)


def _is_public(seating: Seating) -> bool:
    """Return whether at most one person plays in a game: games among several people may be
    private."""
    empty = any(place.empty for place in seating.places.values())
    return len(people_of(seating)) <= 1 and not empty and bool(seating.computers())


def running_games(player: Player) -> list[ListedGame]:
    """Return the player's running games: first those with the player to move, then by last change.
    Only the MOST_RUNNING seats that the player took last are read."""
    held = player.holders.filter(ended=None, hidden=False).order_by(*LAST_JOINED)[:MOST_RUNNING]
    keys: dict[str, set[SeatKey]] = {}
    for game_id, key in held.values_list("seat__game", "seat__key"):
        keys.setdefault(game_id, set()).add(key)
    games = _with_seatings(_known(keys))
    games.sort(key=lambda listed: listed.game.updated, reverse=True)
    games.sort(key=lambda listed: keys[listed.game.id].isdisjoint(listed.game.to_move))
    return games


def finished_games(player: Player) -> list[ListedGame]:
    ended = player.holders.filter(ended__isnull=False, hidden=False).order_by("-ended", "-id")
    # More seats than games are read: several may be in one game, and a game's kind may be gone.
    last = ended.values_list("seat__game", flat=True)[: FINISHED * SEATS_A_GAME]
    ids = list(dict.fromkeys(last))
    games = {game.id: game for game in _known(ids)}
    return _with_seatings([games[game_id] for game_id in ids if game_id in games][:FINISHED])


def last_finished(players: Sequence[Player], count: int) -> dict[UUID, list[ListedGame]]:
    """Return the last finished games of each of some players that anybody may watch, up to
    ``count``."""
    ids: dict[UUID, list[str]] = {}
    for player in players:
        ended = player.holders.filter(ended__isnull=False, hidden=False).order_by("-ended", "-id")
        last = ended.values_list("seat__game", flat=True)[: count * SEATS_A_GAME]
        ids[player.pk] = list(dict.fromkeys(last))
    wanted = dict.fromkeys(game_id for last in ids.values() for game_id in last)
    games = {game.id: game for game in _known(wanted) if not game.closed}
    found = {listed.game.id: listed for listed in _with_seatings(games.values())}
    return {
        key: [found[game_id] for game_id in last if game_id in found][:count]
        for key, last in ids.items()
    }


def turns_waiting(player_id: UUID, but_for: str = "") -> Turns:
    """Return the running games with other people, other than ``but_for``. It takes one query, which
    reads a bounded number of rows."""
    held = Holder.objects.filter(player=player_id, ended=None, hidden=False)
    held = held.order_by(*LAST_JOINED)
    others = Holder.objects.filter(seat__game=OuterRef("seat__game")).exclude(player=player_id)
    rows = held.annotate(others=Exists(others)).values_list(
        "seat__game", "seat__key", "seat__game__to_move", "seat__game__begun", "others"
    )
    running, waiting = set(), set()
    for game_id, key, to_move, begun, with_others in rows[:MOST_RUNNING]:
        if with_others and game_id != but_for:
            running.add(game_id)
            if begun and key in to_move:
                waiting.add(game_id)
    return Turns(len(waiting), len(running))


def finished_page(
    player: Player,
    matches: Matches,
    before: Cursor | None = None,
    narrow: Narrow | None = None,
    since: datetime | None = None,
) -> FinishedPage:
    """Return a page of the player's finished games that match, the last ended first, down to those
    that ended at ``since``.

    ``before`` is where the previous page ended. A page reads a bounded number of rows: if few games
    match, it is short, and the next page continues after the rows read."""
    found: list[ListedGame] = []
    seen: set[str] = set()
    for count in READS:
        seats = _ended_before(player, before, count, since)
        games = _Games(seats, narrow)
        for seat in seats:
            if seat.game_id not in seen:
                if len(found) == SHOWN:
                    return FinishedPage(found, before)
                seen.add(seat.game_id)
                if (game := games.get(seat.game_id)) and matches(game):
                    found.append(game)
            before = seat.cursor
        if len(seats) < count:
            return FinishedPage(found, None)
    return FinishedPage(found, before)


class _Games:
    """The games of some seats, read in batches on demand."""

    def __init__(self, seats: Sequence[EndedSeat], narrow: Narrow | None) -> None:
        ids = {seat.game_id for seat in seats} if narrow is None else narrow(seats)
        # In the order of the list.
        self._left = list(dict.fromkeys(s.game_id for s in seats if s.game_id in ids))
        self._read: dict[str, ListedGame] = {}

    def get(self, game_id: str) -> ListedGame | None:
        """Return a game; None if it cannot be in the list."""
        if game_id in self._left:
            start = self._left.index(game_id)
            self._read = _finished_of(self._left[start : start + SHOWN])
            del self._left[: start + SHOWN]
        return self._read.get(game_id)


def played_against(player: Player, ids: Collection[str], name: str) -> set[str]:
    """Return those of the games ``ids`` in which another player's name contains ``name``."""
    others = Holder.objects.filter(seat__game__in=ids).exclude(player=player.pk)
    rows = others.values_list("seat__game", "name", "player__name")
    wanted = name.casefold()
    return {game_id for game_id, own, usual in rows if wanted in (own or usual).casefold()}


def _ended_before(
    player: Player, before: Cursor | None, count: int, since: datetime | None
) -> list[EndedSeat]:
    held = player.holders.filter(ended__isnull=False, hidden=False).order_by("-ended", "-id")
    if since is not None:
        held = held.filter(ended__gte=since)
    if before is not None:
        # An OR of both columns would keep SQLite from continuing along the index.
        held = held.filter(ended__lte=before.ended).exclude(ended=before.ended, id__gte=before.id)
    columns = ("seat__key", "seat__game", "seat__game__kind", "seat__game__result_json")
    rows = held.values_list("ended", "id", *columns)[:count]
    return [EndedSeat(Cursor(ended, key), *game) for ended, key, *game in rows if ended]


def _finished_of(ids: Iterable[str]) -> dict[str, ListedGame]:
    return {listed.game.id: listed for listed in _with_seatings(_known(dict.fromkeys(ids)))}


def open_games(player: Player | None, *, bots: bool = False) -> list[OpenGame]:
    """Return games with open seats, or with those that are open to ``bots``: the newest first, and
    only a few of each host."""
    # The index on listed seats limits the rows that are read, so games are filtered afterwards.
    listed = Seat.objects.filter(listed=True, holders=None).order_by("-id")
    if bots:
        listed = listed.filter(for_bots=True)
    free: dict[str, set[SeatKey]] = {}
    for game_id, key in listed.values_list("game_id", "key")[:MOST]:
        free.setdefault(game_id, set()).add(key)
    chosen = _open_to(player, list(free))
    games = _known(chosen, Game.objects.select_related("created_by"))
    return [
        OpenGame(game, [spec for spec in read_specs(game) if spec.key in free[game.id]])
        for game in sorted(games, key=lambda game: chosen.index(game.id))
    ]


def _open_to(player: Player | None, ids: list[str]) -> list[str]:
    """Return those of the games ``ids`` that a player may join, in the same order, a few of each
    host."""
    fresh = Game.objects.filter(updated__gte=timezone.now() - OFFERED_FOR)
    games = fresh.filter(pk__in=ids, status=Game.Status.RUNNING, closed=False)
    if player:
        games = games.exclude(seats__players=player)
    hosts = dict(games.values_list("id", "created_by"))
    return _spread((game_id, hosts[game_id]) for game_id in ids if game_id in hosts)[:SHOWN]


def _known(ids: Iterable[str], games: QuerySet[Game] | None = None) -> list[Game]:
    """Return the games ``ids`` whose kind this site has and whose options are readable."""
    found = readable_rows((Game.objects if games is None else games).filter(pk__in=list(ids)))
    known = [game for game in found if game.kind in all_rules() and _readable(game)]
    return [mend_row(game) for game in known]


def _readable(game: Game) -> bool:
    """Return whether the options of a game are readable. A damaged game is left out, so that it
    does not break a list of other games; the admin shows it."""
    try:
        read_specs(game)
    except Unreadable:
        return False
    return True


def _spread(rows: Iterable[tuple[str, UUID | None]]) -> list[str]:
    """Return each game once, and at most `OFFERS_A_HOST` of a host, in the same order."""
    chosen: list[str] = []
    counted: Counter[UUID | None] = Counter()
    for game_id, host in rows:
        if game_id not in chosen and counted[host] < OFFERS_A_HOST:
            counted[host] += 1
            chosen.append(game_id)
    return chosen


def _with_seatings(games: Iterable[Game]) -> list[ListedGame]:
    found = list(games)
    rows: dict[str, list[SeatRow]] = {game.id: [] for game in found}
    seats = Seat.objects.filter(game__in=found).order_by("index", "holders__id")
    for game_id, *row in seats.values_list("game_id", *SEAT_COLUMNS):
        rows[game_id].append(cast(SeatRow, tuple(row)))
    return [
        ListedGame(game, mend_seating(Seating.of_rows(rows[game.id]), game.specs)) for game in found
    ]
