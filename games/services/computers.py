"""Jobs of the workers, derived from the rows of games and evaluations, so no queue can lose one.

A lease on a game or an evaluation keeps two workers from doing the same job. The lease of a killed
worker expires after `LEASE`; a lease that ends much later (a clock has jumped) is void. If two
workers do the same job nevertheless, `play_move` accepts only one move, and their evaluations are
equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.contract import Text
from games.core.refusals import StalePly
from games.core.registry import all_rules
from games.models import Analysis, Evaluation, Game, Move
from games.services.analyses import unite_evaluations
from games.services.seats import open_link
from games.services.versions import save_version
from games.state.evaluations import (
    evaluation_at,
    lacking_evaluations,
    move_id_at,
    position_id,
    united_values,
)
from games.state.packed_values import lacks, pack
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

LEASE = timedelta(seconds=30)
SKEW = timedelta(seconds=5)
"""How far apart the clocks of two workers' machines may be."""

Leased = TypeVar("Leased", Game, Evaluation)
SEEN_AGAIN = timedelta(days=1)
"""The time after which another view of an evaluation is stored."""
WAITING_AT_ONCE = 700
"""Evaluations that may wait for one game, more than the longest game has plies."""


def next_turn() -> Game | None:
    """Lease the game that has waited longest for a computer's move; None if no game waits. Games
    with people come before games between computers. A computer does not answer another one before
    people have had time to see its move."""
    waiting = Game.objects.filter(computer_to_move=True, status=Game.Status.RUNNING)
    # The double negation keeps SQLite off the index on `kind`.
    waiting = waiting.exclude(~Q(kind__in=list(all_rules())))
    return _lease(waiting.exclude(_just_played()).order_by("only_computers", "updated"))


def _just_played() -> Q:
    """Return the filter for games whose newest ply is a computer's that people have not had time to
    see. Computers would otherwise move faster than a page shows their plies, and a page without
    scripts would miss some.
    """
    now, held = timezone.now(), Q()
    if not settings.PACE_COMPUTERS:
        return held
    newest = Move.objects.filter(game=OuterRef("pk"), ply=OuterRef("ply"), player=None)
    for pause in {rules.ply_pause for rules in all_rules().values()}:
        kinds = [slug for slug, rules in all_rules().items() if rules.ply_pause == pause]
        # A move from the future was made before the machine's clock was set back.
        played = (now - timedelta(milliseconds=pause), now + SKEW)
        held |= Q(Exists(newest.filter(played__range=played)), kind__in=kinds)
    return held


def next_evaluation(*, hint: bool) -> Evaluation | None:
    """Lease a waiting hint or position of an analysis; None if there is none. Positions of analyses
    without any values come first, so that a graph appears soon: among them those that readers are
    looking at, and then the earliest plies, so that a short analysis does not wait for a long
    one."""
    waiting = Evaluation.objects.filter(done=False, hint=hint).select_related("game")
    if hint:
        return _lease(waiting.order_by("asked", "ply"))
    if not waiting.exists():
        return None
    unknown = waiting.filter(packed__isnull=True)
    return _lease_position(unknown) or _lease_position(waiting)


def _lease_position(waiting: QuerySet[Evaluation]) -> Evaluation | None:
    """Lease a position of an analysis. It takes two queries, because no index would serve one
    ordering of both kinds: databases differ in where they sort null."""
    looked_at = waiting.filter(looked_at__isnull=False).order_by("-looked_at")
    return _lease(looked_at) or _lease(waiting.order_by("ply", "asked"))


def _lease(waiting: QuerySet[Leased]) -> Leased | None:
    """Lease and return the first row of ``waiting`` without a valid lease; None if there is
    none."""
    # Read before locking, so that nothing is written if there is nothing to do.
    if not waiting.filter(_free(timezone.now())).exists():
        return None
    with write_transaction():
        # The time is read again, since another worker may have leased the row during the wait for
        # the lock.
        now = timezone.now()
        locked = waiting.filter(_free(now)).select_for_update(skip_locked=True, of=("self",))
        row = locked.first()
        if row is not None:
            row.leased_until = now + LEASE
            row.save(update_fields=["leased_until"])
    return row


def release_lease(row: Game | Evaluation) -> None:
    """Release the lease of an unfinished job, so that another worker can take it at once."""
    with write_transaction():
        # The row may have changed and been leased anew since.
        leased = type(row)._default_manager.filter(pk=row.pk, leased_until=row.leased_until)
        leased.update(leased_until=None)


def _free(now: datetime) -> Q:
    """Return the filter for rows without a valid lease, allowing for clocks that differ by
    `SKEW`."""
    over = Q(leased_until__lt=now) | Q(leased_until__gt=now + LEASE + SKEW)
    return Q(leased_until=None) | over


def release_seats(*, game: Game, reason: Text) -> None:
    """Free the seats of a computer that cannot play on in ``game``, and notify its players of the
    reason. Raises StalePly if the game has changed since it was read."""
    with write_transaction():
        snapshot = lock_snapshot(game.pk)
        now = snapshot.game
        if (now.ply, now.undone) != (game.ply, game.undone):
            raise StalePly
        for seat in now.seats.filter(computer__isnull=False, key__in=now.to_move):
            seat.computer = None
            open_link(seat)
            seat.save()
        save_version(
            snapshot, computer_to_move=False, only_computers=False, banner=reason.to_json()
        )


def ask_evaluations(*, snapshot: GameSnapshot, plies: Iterable[int], hint: bool = False) -> None:
    """Request evaluations of the positions after ``plies``; repeating a request changes nothing. A
    position that waits as part of an analysis becomes a hint if a player requests one. A position
    whose values lack the move played since then is evaluated again."""
    if united_values(snapshot):
        return
    wanted = [
        Evaluation(game=snapshot.game, ply=ply, move_id=move_id_at(snapshot, ply), hint=hint)
        for ply in plies
        if ply <= len(snapshot.moves)
    ]
    with write_transaction():
        Evaluation.objects.bulk_create(wanted[:WAITING_AT_ONCE], ignore_conflicts=True)
        lacking = lacking_evaluations(snapshot, [each.ply for each in wanted])
        Evaluation.objects.filter(pk__in=lacking).update(
            done=False, packed=None, hint=hint, asked=timezone.now()
        )
        if hint:
            asked = snapshot.game.evaluations.filter(move_id__in=[each.move_id for each in wanted])
            asked.filter(done=False, hint=False).update(hint=True)


def mark_seen(*, snapshot: GameSnapshot) -> None:
    """Store that a page shows the evaluations of a game, at most once a day: `tidy` removes those
    that nobody looks at."""
    now = timezone.now()
    earlier = Q(seen=None) | Q(seen__lt=now - SEEN_AGAIN)
    for model in (Evaluation, Analysis):
        rows = model._default_manager.filter(earlier, game=snapshot.game.pk)
        if rows.exists():
            with write_transaction():
                rows.update(seen=now)


def look_at(*, snapshot: GameSnapshot, ply: int, line: str | None = None, tried: str = "") -> None:
    """Request an evaluation of the position after ``ply`` moves and the variation ``line``, ahead
    of all others, since a reader is waiting for it. If the game's own evaluation has no value of
    the move ``tried``, the values of all moves are stored beside it."""
    now, move_id = timezone.now(), position_id(snapshot, ply, line)
    with write_transaction():
        known = evaluation_at(snapshot, ply, line)
        if known is None or (known.done and tried and lacks(known.packed, tried)):
            wanted = Evaluation(game=snapshot.game, ply=ply, move_id=move_id, line=line)
            wanted.looked_at = now
            Evaluation.objects.bulk_create([wanted], ignore_conflicts=True)
        elif not known.done:
            Evaluation.objects.filter(pk=known.pk).update(looked_at=now)


def store_evaluation(
    *, evaluation: Evaluation, values: Mapping[str, Any] | None, done: bool = True
) -> None:
    """Store the values of an evaluation, None for a position that cannot be evaluated. Unless it is
    ``done``, it waits for better values."""
    is_tried = evaluation.line is not None
    played = "" if is_tried else _move_after(evaluation)
    found = {
        "done": done,
        "packed": pack(values, played, hint=evaluation.hint, whole=is_tried),
        "leased_until": None,
    }
    with write_transaction():
        Evaluation.objects.filter(pk=evaluation.pk).update(**found)
    if done and not is_tried:
        unite_evaluations(evaluation=evaluation)


def _move_after(evaluation: Evaluation) -> str:
    """Return the move of the game that followed a position; '' for the newest position."""
    followed = Move.objects.filter(game=evaluation.game_id, ply=evaluation.ply + 1)
    return followed.values_list("text", flat=True).first() or ""
