"""Lists of games for pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext

from games.contract import SeatSpec, Text
from games.models import Game, Player, Seat
from games.presentation.outcome import ending, outcome
from games.registry import all_rules

SHOWN = 24
MOST = 300
"""Running games of a player that are listed at all, and seats that are looked at for a list."""
OFFERS_A_HOST = 2
"""Games of one visitor that look for players at the same time."""
OFFERED_FOR = timedelta(days=14)
"""How long after its last change a game still looks for players."""


@dataclass(frozen=True)
class Entry:
    """A game in a list: who else plays, whether it waits for the player of the list, for which
    seats that nobody has taken, and, once it is over, who won and why."""

    game: Game
    others: str
    my_turn: bool
    empty: Sequence[SeatSpec]
    ending: Sequence[Text]

    @property
    def ago(self) -> str:
        """How long ago something happened in it, roughly; '' if that was just now."""
        updated = self.game.updated
        recent = timezone.now() - updated < timedelta(minutes=1)
        return "" if recent else timesince(updated, depth=1)


@dataclass(frozen=True)
class OpenGame:
    """A game that looks for players, and the seats that anybody may take, all the same to it."""

    game: Game
    seats: Sequence[SeatSpec]


def running_games(player: Player) -> list[Entry]:
    """The player's games that go on: those that wait for the player first, then the newest."""
    chosen = _running_by_turn(player)[:MOST]
    games = Game.objects.prefetch_related("seats__players").in_bulk(chosen)
    return [_entry(games[game_id], player) for game_id in chosen if game_id in games]


def _running_by_turn(player: Player) -> list[str]:
    """The ids of all of them, by rows that are cheap: which wait is known before any is cut off."""
    held = Seat.objects.filter(
        players=player, game__status=Game.Status.RUNNING, game__kind__in=list(all_rules())
    )
    rows = held.order_by("-game__updated").values_list("game_id", "key", "game__to_move")
    waits: dict[str, bool] = {}
    for game_id, key, to_move in rows:
        waits[game_id] = waits.get(game_id, False) or key in to_move
    return sorted(waits, key=lambda game_id: not waits[game_id])


def finished_games(player: Player) -> list[Entry]:
    """The player's last finished games."""
    games = Game.objects.filter(
        seats__players=player, status=Game.Status.OVER, kind__in=list(all_rules())
    ).distinct()
    return [_entry(game, player) for game in games.prefetch_related("seats__players")[:6]]


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
    return OpenGame(game, [spec for spec in game.specs if (game.id, spec.key) in free])


def _spread(rows: Iterable[tuple[str, UUID | None]]) -> list[str]:
    """Of games with their hosts, each once and so many a host, in the same order."""
    chosen: list[str] = []
    counted: Counter[UUID | None] = Counter()
    for game_id, host in rows:
        if game_id not in chosen and counted[host] < OFFERS_A_HOST:
            counted[host] += 1
            chosen.append(game_id)
    return chosen


def _entry(game: Game, player: Player) -> Entry:
    seats = list(game.seats.all())
    mine = {seat.key for seat in seats if player in seat.players.all()}
    people = {person for seat in seats for person in seat.players.all() if person != player}
    levels = sorted({seat.computer for seat in seats if seat.computer is not None})
    computers = [gettext("computer, level %(level)s") % {"level": level} for level in levels]
    others = ", ".join([*sorted(str(person) for person in people), *computers])
    taken = {seat.key for seat in seats if seat.players.all() or seat.computer is not None}
    empty = [spec for spec in game.specs if spec.key in set(game.to_move) - taken]
    return Entry(game, others, bool(mine & set(game.to_move)), empty, _ending(game, mine))


def _ending(game: Game, mine: Collection[str]) -> Sequence[Text]:
    try:
        result = game.result
    except ValueError:
        # One row that cannot be read is for staff, who see it in the admin, and not for a player
        # whose other games are listed with it.
        return []
    return ending(outcome(game.specs, mine, result), result) if result else []
