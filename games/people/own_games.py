"""A player's own games: all as documents, read in portions, and the lists they are in."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from games.core.refusals import NotYourSeat
from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Seating
from games.models import Game, Holder, Move, Player, Seat, new_game_id
from games.presentation.documents import GameDocument, build_document
from games.state.replay import StoredMove, Unreadable
from games.state.row_faults import mend_row
from games.storage.compiled_queries import AT_ONCE, readable_rows
from games.storage.write_lock import write_transaction

logger = logging.getLogger(__name__)
AddressOf = Callable[[Game], str]


def remove_from_lists(*, game_id: str, player: Player, removed: bool) -> None:
    """Remove a game from a player's lists, or put it back. Raises NotYourSeat."""
    held = Holder.objects.filter(seat__game=game_id, player=player)
    with write_transaction():
        if not held.update(hidden=removed):
            raise NotYourSeat


def games_of(player: Player) -> QuerySet[Game]:
    held = Holder.objects.filter(player=player).values("seat__game")
    return Game.objects.filter(Q(pk__in=held) | Q(created_by=player))


def own_documents(
    player: Player, address_of: AddressOf = Game.get_absolute_url, *, lobbies: bool = False
) -> Iterator[GameDocument]:
    games = games_of(player)
    games = games if lobbies else games.filter(begun=True)
    ids = [*games.order_by("created", "pk").values_list("pk", flat=True)]
    for start in range(0, len(ids), AT_ONCE):
        portion = Game.objects.filter(pk__in=ids[start : start + AT_ONCE])
        yield from documents(readable_rows(portion), address_of, player=player)


def documents(
    games: Iterable[Game],
    address_of: AddressOf = Game.get_absolute_url,
    *,
    player: Player | None = None,
    staff: bool = False,
    secrets: bool = False,
) -> Iterator[GameDocument]:
    """Yield some games, the oldest first, as everybody may see them: for a ``player`` with the
    player's part, for ``staff`` with the ids of players, and on demand with the secrets. Games that
    cannot be read are left out."""
    portion = [mend_row(game) for game in games if game.kind in all_rules()]
    ids = [game.pk for game in portion]
    seats = _by_game(ids, Seat.objects.order_by("index", "holders__id"), SEAT_COLUMNS)
    moves = _by_game(
        ids, Move.objects.order_by("ply"), ("id", "ply", "seat", "text", "note", "player_id")
    )
    for game in sorted(portion, key=lambda row: (row.created, row.pk)):
        seating = Seating.of_rows(seats.get(game.pk, []))
        rows = moves.get(game.pk, [])
        played, address = [StoredMove(*row[:5]) for row in rows], address_of(game)
        try:
            document = build_document(game, game.rules, seating, played, address, secrets=secrets)
        except (Unreadable, ValueError) as error:
            logger.warning("Game %s is left out of an export: %s", game.pk, error)
            continue
        if player:
            document.your_seats = sorted(seating.held_by(player.pk))
            document.your_moves = [row[1] for row in rows if row[5] == player.pk]
        for key, place in seating.places.items() if staff else ():
            document.seats[key].ids = [str(player_id) for player_id in place.players]
        document.seal = document.right_seal
        yield document


def _by_game(
    ids: Sequence[str], rows: QuerySet[Any], columns: Sequence[str]
) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for game_id, *values in rows.filter(game__in=ids).values_list("game_id", *columns):
        found.setdefault(game_id, []).append(tuple(values))
    return found


def publish_player(*, player: Player, public: bool) -> None:
    """Give a player a public page, or remove it. An earlier address never works again."""
    with write_transaction():
        if public != (player.public_id is not None):
            player.public_id = new_game_id() if public else None
            player.save(update_fields=["public_id"])


def player_of_page(public_id: str) -> Player | None:
    return Player.objects.filter(public_id=public_id[:16]).first()
