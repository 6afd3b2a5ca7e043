"""Verification of all games: marks on those that no longer replay, by which staff find them and
computers skip them; and the outcomes that are derived from games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from django.db.models import QuerySet

from games.contract import text
from games.core.clocks import Clock
from games.models import Game, Heartbeat, Holder
from games.services.clocks import daily, flag_of, note_heartbeat
from games.services.versions import save_version
from games.state.lists import read_games
from games.state.outcomes import COLUMNS as OUTCOME
from games.state.outcomes import Outcome, outcome_of
from games.state.replay import Verification, verify
from games.state.snapshot import KindGone, lock_snapshot
from games.storage.compiled_queries import any_of, keys_in_portions
from games.storage.write_lock import write_transaction

AT_ONCE = 500
"""Games whose ids are read at once."""
HOLDERS_AT_ONCE = 50
"""Holders whose outcomes are stored in one transaction."""


def verify_all(*, mark: bool) -> Iterator[tuple[str, Verification]]:
    """Replay all games, and yield each id with the result, while the site goes on. Mark those that
    have a fault, if wished, and no longer those that have none."""
    for game_id in chain.from_iterable(keys_in_portions(Game.objects.all(), AT_ONCE)):
        with suppress(Game.DoesNotExist):
            yield game_id, _verify(game_id, mark=mark)


def _verify(game_id: str, *, mark: bool) -> Verification:
    try:
        game = Game.objects.get(pk=game_id)
    except (TypeError, ValueError):
        return Verification(0, text("The row of this game is unreadable."))
    found = verify(game)
    if mark and (found.fault or game.fault):
        # A game whose kind is gone stays as it is.
        with suppress(KindGone):
            return mark_fault(game_id=game_id)
    return found


def mark_fault(*, game_id: str) -> Verification:
    """Replay a game under its lock, since players may move during any other replay, and store its
    fault, or none again. Computers skip a marked game, and its clock stops. Raises as
    `lock_snapshot`."""
    with write_transaction():
        snapshot, game = lock_snapshot(game_id), Game.objects.get(pk=game_id)
        # Outcomes are derived as well: wrong ones are stored anew.
        Holder.objects.filter(seat__game=game_id).update(kind=None)
        found = verify(game)
        fault = {"plies": found.plies, "reason": found.fault.to_json()} if found.fault else None
        if game.fault != fault:
            waits = fault is None and _waits_for_computer(game)
            clock = None if fault or not game.clock else Clock.from_json(game.clock)
            flag_at = clock and flag_of(clock)
            save_version(snapshot, fault=fault, computer_to_move=waits, flag_at=flag_at)
    return found


def _waits_for_computer(game: Game) -> bool:
    seats = game.seats.filter(computer__isnull=False, key__in=game.to_move)
    return not game.over and seats.exists()


def _unknown_outcomes() -> QuerySet[Holder]:
    return Holder.objects.filter(ended__isnull=False, kind=None)


_any_unknown = any_of(_unknown_outcomes)


def store_outcomes() -> bool:
    """Store some outcomes of finished games that are not stored; return whether there were any."""
    if not _any_unknown():
        return False
    unknown = _unknown_outcomes()
    some = unknown.order_by("pk").values_list("seat__game", flat=True)[:HOLDERS_AT_ONCE]
    if not (ids := {*some}):
        return False
    with write_transaction():
        locked = Game.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        kinds, games = dict(locked.values_list("pk", "kind")), read_games(ids)
        holders = list(unknown.filter(seat__game__in=ids).select_related("seat"))
        for holder in holders:
            # Nothing is known of a damaged game, nor of one whose kind is gone.
            outcome, seat = Outcome(kinds[holder.seat.game_id]), holder.seat
            if listed := games.get(seat.game_id):
                outcome = outcome_of(*listed, holder.player_id, seat.key)
            holder.kind, holder.outcome, holder.level = outcome
        Holder.objects.bulk_update(holders, OUTCOME)
    return True


def verify_daily() -> Iterator[bool]:
    """Verify all games once a day: yield True after each, False while nothing is due."""
    return daily(Heartbeat.VERIFYING, _verify_all_marking)


def _verify_all_marking() -> Iterator[object]:
    yield from verify_all(mark=True)
    note_heartbeat(Heartbeat.VERIFIED)


def note_restore_drill(*, succeeded: bool) -> None:
    """Note the result of a restore drill, for the health of the site."""
    note_heartbeat(Heartbeat.RESTORED if succeeded else Heartbeat.NOT_RESTORED)
