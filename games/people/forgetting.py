"""Deletion of a player, whose seats a guest gets."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from django.db.models import F, QuerySet

from games.bus import notify_changed
from games.contract import MoveError, SeatKey
from games.core.refusals import Refusal
from games.models import Bot, Game, Holder, Move, Player, Seat
from games.services.insights import hand_on_insights, seen_by
from games.services.play import resign
from games.services.players import BOT_MARK, new_player, set_name, suspend
from games.services.seats import free_seats
from games.services.versions import save_version
from games.state.identity import notify_devices
from games.state.replay import Unreadable
from games.state.snapshot import GameSnapshot, KindGone, lock_snapshot
from games.storage.write_lock import write_transaction

GAMES_AT_ONCE = 200
"""Games per transaction, during which other writers wait."""


def forget_player(*, player: Player) -> None:
    """Delete a player and the player's bots. Games in which others wait are resigned, and all seats
    and moves go to a new guest. It takes several transactions; a second call continues."""
    for bot in Player.objects.filter(bot__owner=player):
        forget_player(player=bot)
    if player.suspended:
        # A suspended player could not resign.
        suspend(player=player, suspended=False)
    for game_id in list(_held(player).filter(ended=None).values_list("seat__game", flat=True)):
        _leave(game_id, player)
    guest = new_player()
    with write_transaction():
        seen, heirs = seen_by(player.pk), [player.pk, *player.devices.values_list("pk", flat=True)]
    if own := Bot.objects.filter(player=player.pk).first():
        set_name(guest, BOT_MARK.strip())
        # The owner has read along, and gets no seat that sees something else.
        heirs = [own.owner_id]
    while game_ids := list(_held(player).values_list("seat__game", flat=True)[:GAMES_AT_ONCE]):
        _hand_over(game_ids, player, guest)
    with write_transaction():
        if not guest.holders.exists():
            guest.delete()
        Game.objects.filter(created_by=player).update(created_by=None)
        Seat.objects.filter(moving_from=player).update(moving_from=None)
        player.reports.update(reporter=None, text="")
        notify_devices(player)
        player.delete()
        hand_on_insights(seen, heirs)


def _held(player: Player) -> QuerySet[Holder]:
    return Holder.objects.filter(player=player)


def _leave(game_id: str, player: Player) -> None:
    """Resign a running game with others, or leave its lobby, unless it cannot go on."""
    with suppress(KindGone, MoveError, Refusal, Unreadable), write_transaction():
        snapshot = lock_snapshot(game_id)
        held = snapshot.seats_of(player.pk)
        if not snapshot.game.begun:
            free_seats(snapshot, held, player)
            save_version(snapshot)
            return
        for seat in sorted(held):
            if _is_waited_for(snapshot, seat, player):
                snapshot = _resign(snapshot, seat, player)


def _is_waited_for(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> bool:
    """Return whether other people cannot continue without the player of a seat."""
    alone = set(snapshot.seating.places[seat].players) == {player.pk}
    solo = snapshot.seating.is_solo(player.pk)
    return alone and not solo and snapshot.position.is_active(seat)


def _resign(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> GameSnapshot:
    game = snapshot.game
    return resign(game_id=game.id, seat=seat, player=player, ply=game.ply, undone=game.undone)


def _hand_over(game_ids: Collection[str], player: Player, guest: Player) -> None:
    """Give the seats and moves of some games to a guest, without sentences with the old name."""
    with write_transaction():
        _held(player).filter(seat__game__in=game_ids).update(player=guest, name="")
        Move.objects.filter(game__in=game_ids, player=player).update(player=guest)
        games = Game.objects.filter(pk__in=game_ids)
        games.update(version=F("version") + 1, banner=None, marks=[])
        for game in games.filter(status=Game.Status.RUNNING):
            notify_changed(game)
