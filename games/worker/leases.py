"""Leases of jobs, which are derived from the rows of games and evaluations, so no queue loses one.

A lease on a game or an evaluation keeps two workers from doing the same job. A worker that begins
releases those of its machine's processes that are gone; others expire after `LEASE`, and a lease
that ends much later (a clock has jumped) is void. If two workers do the same job nevertheless,
`play_move` accepts only one move, and their evaluations are equal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from socket import gethostname
from typing import TypeVar

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.core.rate_limits import Turns
from games.core.registry import all_rules
from games.models import Evaluation, Game, Move, Thought
from games.storage.write_lock import write_transaction

LEASE = timedelta(seconds=120)
SKEW = timedelta(seconds=5)
"""How far apart the clocks of two workers' machines may be."""

LOOKED_THROUGH = 2_000
"""The oldest waiting rows among which addresses and hosts take turns."""
GAMES, HINTS, ANALYSES, THOUGHTS = Turns(), Turns(), Turns(), Turns()
"""The turns at this process. Those who wait for an analysis do not lose their turn to move."""

Leased = TypeVar("Leased", Game, Evaluation, Thought)


def next_turn(turns: Turns | None = None) -> Game | None:
    """Lease the next game that waits for a computer's move: with people first, then by addresses
    and hosts in turn, the oldest first, and after people have had time to see the last move."""
    waiting = Game.objects.filter(computer_to_move=True, status=Game.Status.RUNNING)
    # The double negation keeps SQLite off the index on `kind`.
    waiting = waiting.exclude(~Q(kind__in=list(all_rules())))
    waiting = waiting.exclude(_just_played()).order_by("only_computers", "updated")
    return _lease_in_turn(waiting, turns or GAMES, "only_computers", "origin", "created_by")


def _just_played() -> Q:
    """Return the filter for games whose newest ply is a computer's that people have not had time to
    see. Computers would otherwise move faster than a page shows their plies, and a page without
    scripts would miss some."""
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


def next_evaluation(*, hint: bool, turns: Turns | None = None) -> Evaluation | None:
    """Lease a waiting hint or position of an analysis: first those without any values, among them
    those that readers look at, so that a graph appears soon; then by addresses in turn, the
    earliest ply first."""
    waiting = Evaluation.objects.filter(done=False, hint=hint).select_related("game")
    turns = turns or (HINTS if hint else ANALYSES)
    if hint:
        return _lease_in_turn(waiting.order_by("asked", "ply"), turns, "hint", "origin")
    if not waiting.exists():
        return None
    unknown = waiting.exclude(glanced=True)
    return _lease_position(unknown, turns) or _lease_position(waiting, turns)


def next_thought(turns: Turns | None = None) -> Thought | None:
    """Lease the next position that waits for a level's move, the oldest of each address in turn."""
    waiting = Thought.objects.filter(move=None).order_by("asked")
    return _lease_in_turn(waiting, turns or THOUGHTS, "level", "origin")


def _lease_position(waiting: QuerySet[Evaluation], turns: Turns) -> Evaluation | None:
    """Lease a position of an analysis. It takes two queries, because no index would serve one
    ordering of both kinds: databases differ in where they sort null."""
    looked_at = waiting.filter(looked_at__isnull=False).order_by("-looked_at")
    return _lease_in_turn(looked_at, turns, "hint", "origin") or _lease_in_turn(
        waiting.order_by("ply", "asked"), turns, "hint", "origin"
    )


def _lease_in_turn(
    waiting: QuerySet[Leased], turns: Turns, first: str, *fields: str
) -> Leased | None:
    """Lease the first row with the least ``first`` whose ``fields`` were served longest ago."""
    free = waiting.filter(_free(timezone.now()))
    rows = free.values_list("pk", first, *fields)[:LOOKED_THROUGH]
    for pk, _, *values in sorted(rows, key=lambda row: (row[1], turns.rank(_keys(row[2:])))):
        if (leased := _lease(waiting.filter(pk=pk))) is not None:
            turns.serve(_keys(values))
            return leased
    return None


def _keys(values: Sequence[object]) -> list[str]:
    """Return the keys of an address and a host. A game without an address counts by its host."""
    return [str(values[-1] if value is None else value) for value in values]


def _lease(waiting: QuerySet[Leased]) -> Leased | None:
    """Lease and return the row of ``waiting``; None if another worker was faster."""
    with write_transaction():
        # Read again: another worker may have leased the row during the wait for the lock.
        now = timezone.now()
        locked = waiting.filter(_free(now)).select_for_update(skip_locked=True, of=("self",))
        row = locked.first()
        if row is not None:
            row.leased_until, row.leased_by = now + LEASE, holder()
            row.save(update_fields=["leased_until", "leased_by"])
    return row


def release_lease(row: Game | Evaluation | Thought) -> None:
    """Release the lease of an unfinished job, so that another worker can take it at once."""
    with write_transaction():
        # The row may have changed and been leased anew since.
        leased = type(row)._default_manager.filter(pk=row.pk, leased_until=row.leased_until)
        leased.update(leased_until=None)


def holder() -> str:
    return f"{_machine()}:{os.getpid()}"


def _machine() -> str:
    return gethostname()[:64]


def release_leases_of_the_dead() -> None:
    """Release the leases of this machine's processes that are gone, so that their jobs are done at
    once. A worker calls it when it begins: it may follow one that was killed."""
    rows = (Game, Q(computer_to_move=True)), (Evaluation, Q(done=False)), (Thought, Q(move=None))
    for model, unfinished in rows:
        held = model._default_manager.filter(unfinished, leased_until__isnull=False)
        local = held.filter(leased_by__startswith=f"{_machine()}:")
        names = set(local.order_by().values_list("leased_by", flat=True))
        pids = {name: name.rpartition(":")[2] for name in names if name}
        if dead := [
            name for name, pid in pids.items() if pid.isdigit() and not _is_alive(int(pid))
        ]:
            with write_transaction():
                held.filter(leased_by__in=dead).update(leased_until=None)


def _is_alive(pid: int) -> bool:
    """Return whether a process of this machine runs. One in another container with the same name is
    not seen; then two workers do the same job, of which one counts."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _free(now: datetime) -> Q:
    """Return the filter for rows without a valid lease, allowing `SKEW` of clocks."""
    over = Q(leased_until__lt=now) | Q(leased_until__gt=now + LEASE + SKEW)
    return Q(leased_until=None) | over
