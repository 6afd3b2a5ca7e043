"""Games as JSON lines, as everybody may see them, read in portions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Seating
from games.exchange.documents import build_document
from games.models import Game, Holder, Move, Player, Seat
from games.state.replay import StoredMove, Unreadable
from games.storage.portions import AT_ONCE


def own_lines(player: Player, address_of: Callable[[Game], str]) -> Iterator[str]:
    """Yield a line for each game in which a player holds a seat, the oldest first."""
    held = Holder.objects.filter(player=player).order_by("seat__game_id")
    ids = held.values_list("seat__game_id", flat=True).distinct().iterator()
    while some := [*islice(ids, AT_ONCE)]:
        yield from json_lines(Game.objects.filter(pk__in=some, begun=True), address_of)


def json_lines(games: Iterable[Game], address_of: Callable[[Game], str]) -> Iterator[str]:
    """Yield a line for each game, as everybody may see it. Games that cannot be read are left
    out."""
    portion = [game for game in games if game.kind in all_rules()]
    ids = [game.pk for game in portion]
    seats = _by_game(ids, Seat.objects.order_by("index", "holders__id"), SEAT_COLUMNS)
    moves = _by_game(ids, Move.objects.order_by("ply"), ("id", "ply", "seat", "text"))
    for game in sorted(portion, key=lambda row: row.created):
        seating = Seating.of_rows(seats.get(game.pk, []))
        played = [StoredMove(*row) for row in moves.get(game.pk, [])]
        try:
            document = build_document(game, game.rules, seating, played, address_of(game))
        except Unreadable:
            continue
        yield document.model_dump_json() + "\n"


def _by_game(
    ids: Sequence[str], rows: QuerySet[Any], columns: Sequence[str]
) -> dict[str, list[Any]]:
    """Return the values of rows by the id of their game."""
    found: dict[str, list[Any]] = {}
    for game_id, *values in rows.filter(game__in=ids).values_list("game_id", *columns):
        found.setdefault(game_id, []).append(tuple(values))
    return found
