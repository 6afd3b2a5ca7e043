"""Computer players: their evaluations of positions, and their seats when they cannot play on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.contract import Text, text
from games.core.refusals import Refusal, StalePly
from games.models import Evaluation, Game, Player, PositionValues, Thought
from games.services.analyses import store_values
from games.services.seats import open_link
from games.services.versions import save_version, save_without_activity
from games.services.waiting import check_waiting_analyses
from games.state.evaluations import (
    lacks,
    move_after,
    move_id_at,
    position_id,
    read_evaluations,
    shorten,
)
from games.state.snapshot import GameSnapshot, locked
from games.storage.write_lock import write_transaction

FAILURES = 3
"""Different processes in which a computer fails at a position before it gives up its seat."""
SEEN_AGAIN = timedelta(days=1)
"""The time after which another view of an evaluation is stored."""
FORGOTTEN = timedelta(minutes=1)
"""The time after which a page no longer waits for a move."""
WAITING_AT_ONCE = 700
"""Evaluations that may wait for one game, more than the longest game has plies."""


def note_failure(*, game: Game, process: str) -> bool:
    """Note that the computer of ``game`` has failed in a process. Return whether it has failed in
    `FAILURES` different ones, which is no fault of a process. Raises StalePly."""
    with locked(game.pk, at=game.board) as snapshot:
        now = snapshot.game
        seat = now.seats.filter(computer__isnull=False, key__in=now.to_move).first()
        if seat is None:
            raise StalePly
        at, known = [*now.board], seat.failures or {}
        by = {process, *(known["by"] if known.get("at") == at else ())}
        seat.failures = {"at": at, "by": sorted(by)}
        seat.save(update_fields=["failures"])
    return len(by) >= FAILURES


def release_seats(*, game: Game, reason: Text) -> None:
    """Free the seats of a computer that cannot play on in ``game``, and notify its players of the
    reason. Raises StalePly if the game has changed since it was read."""
    with locked(game.pk, at=game.board) as snapshot:
        now = snapshot.game
        for seat in now.seats.filter(computer__isnull=False, key__in=now.to_move):
            seat.computer = None
            open_link(seat)
            seat.save()
        save_version(
            snapshot, computer_to_move=False, only_computers=False, banner=reason.to_json()
        )


def ask_evaluations(
    *, snapshot: GameSnapshot, plies: Iterable[int], hint: bool = False, origin: str = ""
) -> None:
    """Request evaluations of the positions after ``plies`` for the address of ``origin``; repeating
    a request changes nothing. A position that waits as part of an analysis becomes a hint if a
    player requests one. A position whose values lack the move played since then is evaluated again.
    Raises RateLimited if the address waits for too many analyses."""
    known = read_evaluations(snapshot).present
    wanted = [
        Evaluation(
            game=snapshot.game,
            ply=ply,
            move_id=move_id_at(snapshot, ply),
            hint=hint,
            origin=origin or None,
        )
        for ply in plies
        if ply <= len(snapshot.moves) and not (ply in known and known[ply].done)
    ]
    if not wanted:
        return
    with write_transaction():
        if origin and not hint:
            check_waiting_analyses(snapshot.game, origin)
        rows = snapshot.game.evaluations.filter(move_id__in=[row.move_id for row in wanted])
        _request(wanted[:WAITING_AT_ONCE])
        if hint:
            rows.filter(hint=False).update(hint=True)


def _request(wanted: list[Evaluation]) -> None:
    rows = Evaluation.objects.filter(game=wanted[0].game_id, done=True)
    # Version 1.0 kept those that are done, and a site may go back to it for a time.
    rows.filter(move_id__in=[row.move_id for row in wanted]).delete()
    Evaluation.objects.bulk_create(wanted, ignore_conflicts=True)


def mark_seen(*, snapshot: GameSnapshot) -> None:
    """Store once a day that a page shows a game's values: `tidy` removes others."""
    now = timezone.now()
    rows = PositionValues.objects.filter(seen__lt=now - SEEN_AGAIN, pk=snapshot.game.pk)
    if rows.exists():
        with write_transaction():
            rows.update(seen=now)


def look_at(
    *, snapshot: GameSnapshot, ply: int, line: str | None = None, tried: str = "", origin: str = ""
) -> None:
    """Request an evaluation of the position after ``ply`` moves and the variation ``line``, ahead
    of all others, since a reader is waiting for it. If the game's own evaluation has no value of
    the move ``tried``, the values of all moves are stored beside it."""
    now, move_id = timezone.now(), position_id(snapshot, ply, line)
    with write_transaction():
        known = read_evaluations(snapshot).at(ply, line)
        if known is None or (known.done and tried and lacks(known.stored, tried)):
            wanted = Evaluation(game=snapshot.game, ply=ply, move_id=move_id, line=line)
            wanted.looked_at, wanted.origin = now, origin or None
            _request([wanted])
        elif known.row:
            Evaluation.objects.filter(pk=known.row.pk).update(looked_at=now)


def store_evaluation(
    *, evaluation: Evaluation, values: Mapping[str, Any] | None, done: bool = True
) -> None:
    """Store the values of an evaluation, None for a position that cannot be evaluated. Unless it is
    ``done``, it waits for better values."""
    is_tried = evaluation.line is not None
    played = "" if is_tried else move_after(evaluation)
    short = shorten(values, played, hint=evaluation.hint, whole=is_tried)
    store_values(evaluation=evaluation, values=short, done=done)


TOO_LATE = text("The strength of the computer can be changed before your first move only.")


def change_level(*, game_id: str, player: Player, level: int) -> GameSnapshot:
    """Set the level of all computers in a game against computers only. Raises Game.DoesNotExist,
    NotYourSeat, or Refusal for an unknown level, in a game with other people, and after a person's
    first move."""
    with locked(game_id, player) as snapshot:
        if not snapshot.seating.is_solo(player.pk) or snapshot.changeable_level is None:
            raise Refusal(TOO_LATE)
        if level not in snapshot.rules.ladder:
            raise Refusal
        if level == snapshot.changeable_level:
            return snapshot
        snapshot.game.seats.filter(computer__isnull=False).update(computer=level)
        return save_without_activity(snapshot)


def ask_move(*, key: str, question: Mapping[str, Any], origin: str) -> str | None:
    """Return the move that a worker has chosen, and forget it; None before."""
    with write_transaction():
        Thought.objects.filter(asked__lt=timezone.now() - FORGOTTEN).delete()
        thought, _ = Thought.objects.get_or_create(pk=key, defaults={**question, "origin": origin})
        if thought.move is not None:
            thought.delete()
        return thought.move


def store_move(*, thought: Thought, move: str) -> None:
    with write_transaction():
        Thought.objects.filter(pk=thought.pk).update(move=move)
