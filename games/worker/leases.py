"""Leases of jobs, which are derived from the rows of games and evaluations, so no queue loses one.

A lease on a game or an evaluation keeps two workers from doing the same job. The lease of a killed
worker expires after `LEASE`; a lease that ends much later (a clock has jumped) is void. If two
workers do the same job nevertheless, `play_move` accepts only one move, and their evaluations are
equal.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Evaluation, Game, Move
from games.storage.write_lock import write_transaction

LEASE = timedelta(seconds=30)
SKEW = timedelta(seconds=5)
"""How far apart the clocks of two workers' machines may be."""

Leased = TypeVar("Leased", Game, Evaluation)


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
