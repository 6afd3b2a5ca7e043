"""Lists of games for pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Game, Player, Seat
from games.registry import all_rules

SHOWN = 24


@dataclass(frozen=True)
class Entry:
    """A game in a list: who else plays, and whether it waits for the player of the list."""

    game: Game
    others: str
    my_turn: bool


def running_games(player: Player) -> list[Entry]:
    """The player's games that go on, those that wait for the player first."""
    entries = [_entry(game, player) for game in _games(player, "running")]
    return sorted(entries, key=lambda entry: not entry.my_turn)


def finished_games(player: Player) -> list[Entry]:
    """The player's last finished games."""
    return [_entry(game, player) for game in _games(player, "over")[:6]]


def open_seats(player: Player | None) -> Sequence[Seat]:
    """Seats that anybody may take, the newest first, at most one a game."""
    seats = Seat.objects.filter(
        listed=True,
        holders__isnull=True,
        game__status=Game.Status.RUNNING,
        game__kind__in=list(all_rules()),
    )
    if player:
        seats = seats.exclude(game__seats__players=player)
    found = seats.select_related("game__created_by").order_by("-game__created", "index")[:SHOWN]
    return list({seat.game_id: seat for seat in reversed(found)}.values())[::-1]


def _games(player: Player, status: str) -> list[Game]:
    games = Game.objects.filter(
        seats__players=player, status=status, kind__in=list(all_rules())
    ).distinct()
    return list(games.prefetch_related("seats__players")[:SHOWN])


def _entry(game: Game, player: Player) -> Entry:
    seats = list(game.seats.all())
    mine = {seat.key for seat in seats if player in seat.players.all()}
    people = {person for seat in seats for person in seat.players.all() if person != player}
    others = ", ".join(sorted(str(person) for person in people))
    return Entry(game, others, bool(mine & set(game.to_move)))
