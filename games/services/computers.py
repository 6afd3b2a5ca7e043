"""Jobs of the workers. They are found in the rows themselves: no queue can lose one.

A lease on a game or on an evaluation keeps two workers off the same position. The lease of a killed
worker ends after `LEASE`; a lease that ends much later (a clock has jumped) is void. Should two
workers think all the same, `play_move` accepts one of the moves, and the evaluations are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.contract import Text
from games.evaluations import lacking_evaluations, move_id_at, position_id
from games.models import Evaluation, Game, Move
from games.refusals import StalePly
from games.registry import all_rules
from games.services.seats import open_link
from games.services.versions import save_version
from games.snapshot import GameSnapshot, lock_snapshot
from games.storage.packed_values import lacks, pack
from games.storage.write_lock import write_transaction

LEASE = timedelta(seconds=30)
SKEW = timedelta(seconds=5)
"""How far the clocks of two machines that think may be apart."""

Leased = TypeVar("Leased", Game, Evaluation)
SEEN_AGAIN = timedelta(days=1)
"""After this, another look at an evaluation is noted."""
WAITING_AT_ONCE = 700
"""Evaluations that may wait for one game: more than the plies of the longest."""


def next_turn() -> Game | None:
    """Lease the game that has waited longest for a computer's move, of those that people play if
    one of them waits; None when none does. A computer does not follow another one sooner than its
    move is seen."""
    waiting = Game.objects.filter(computer_to_move=True, status=Game.Status.RUNNING)
    # Denied twice, or SQLite would look at all games of these kinds by the index on kinds.
    waiting = waiting.exclude(~Q(kind__in=list(all_rules())))
    return _lease(waiting.exclude(_just_played()).order_by("only_computers", "updated"))


def _just_played() -> Q:
    """Return the filter for games whose newest ply is a computer's and still to be seen. Pages wait
    by themselves; but the plies of computers would come faster than any page shows them, and a page
    without scripts would miss them.
    """
    now, held = timezone.now(), Q()
    if not settings.PACE_COMPUTERS:
        return held
    newest = Move.objects.filter(game=OuterRef("pk"), ply=OuterRef("ply"), player=None)
    for pause in {rules.ply_pause for rules in all_rules().values()}:
        kinds = [slug for slug, rules in all_rules().items() if rules.ply_pause == pause]
        # A move that seems to come from later was made before the clock jumped back.
        played = (now - timedelta(milliseconds=pause), now + SKEW)
        held |= Q(Exists(newest.filter(played__range=played)), kind__in=kinds)
    return held


def next_evaluation(*, hint: bool) -> Evaluation | None:
    """Lease a hint or a ply of an analysis that waits. Of analyses those without any value are
    first, so that a graph is there soon; of these the positions that readers look at, then the
    earliest ply: a short one need not wait for all of a long one that was asked for before."""
    waiting = Evaluation.objects.filter(done=False, hint=hint).select_related("game")
    if hint:
        return _lease(waiting.order_by("asked", "ply"))
    if not waiting.exists():
        return None
    unknown = waiting.filter(packed__isnull=True)
    return _lease_position(unknown) or _lease_position(waiting)


def _lease_position(waiting: QuerySet[Evaluation]) -> Evaluation | None:
    """Lease a position of an analysis. One order for both kinds would have no index: databases
    differ in where null comes."""
    looked_at = waiting.filter(looked_at__isnull=False).order_by("-looked_at")
    return _lease(looked_at) or _lease(waiting.order_by("ply", "asked"))


def _lease(waiting: QuerySet[Leased]) -> Leased | None:
    """Return the first row of ``waiting`` that nobody works on, leased; None when there is none."""
    # Looked at before locking: with nothing to do, nothing is written.
    if not waiting.filter(_free(timezone.now())).exists():
        return None
    with write_transaction():
        # Not the time before the wait for the lock, in which somebody else may have leased it.
        now = timezone.now()
        locked = waiting.filter(_free(now)).select_for_update(skip_locked=True, of=("self",))
        row = locked.first()
        if row is not None:
            row.leased_until = now + LEASE
            row.save(update_fields=["leased_until"])
    return row


def release_lease(row: Game | Evaluation) -> None:
    """End the lease of an unfinished job, so that another worker can take it at once."""
    with write_transaction():
        # Somebody may have made the work another one, and leased that.
        leased = type(row)._default_manager.filter(pk=row.pk, leased_until=row.leased_until)
        leased.update(leased_until=None)


def _free(now: datetime) -> Q:
    """Return the filter for rows without a valid lease; clocks may differ by `SKEW`."""
    over = Q(leased_until__lt=now) | Q(leased_until__gt=now + LEASE + SKEW)
    return Q(leased_until=None) | over


def release_seats(*, game: Game, reason: Text) -> None:
    """Free the seats of a computer that cannot go on in ``game`` as it was read, and tell its
    players why. Raises StalePly when the game has moved on since."""
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
            snapshot, computer_to_move=False, only_computers=False, notice=reason.to_json()
        )


def ask_evaluations(*, snapshot: GameSnapshot, plies: Iterable[int], hint: bool = False) -> None:
    """Ask for the values of the moves after each of ``plies``, once however often it is asked. A
    ply that waits as part of an analysis waits as a hint once a player asks for that. A ply whose
    values lack the move played since then waits again."""
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
    """Note that a page shows the evaluations of a game, at most once a day: `tidy` removes those
    that nobody looks at."""
    now = timezone.now()
    earlier = Q(seen=None) | Q(seen__lt=now - SEEN_AGAIN)
    rows = snapshot.game.evaluations.filter(earlier)
    if rows.exists():
        with write_transaction():
            rows.update(seen=now)


def look_at(*, snapshot: GameSnapshot, ply: int, line: str = "", tried: str = "") -> None:
    """Ask for the values of the moves after ``ply`` moves of a game and the ``line`` that was tried
    out there, before all others: a reader waits for them. They are computed again where that of the
    move ``tried`` is not stored."""
    now, move_id = timezone.now(), position_id(snapshot, ply, line)
    wanted = Evaluation(game=snapshot.game, ply=ply, move_id=move_id, line=line or None)
    with write_transaction():
        Evaluation.objects.bulk_create([wanted], ignore_conflicts=True)
        rows = snapshot.game.evaluations.filter(ply=ply, move_id=move_id)
        row = rows.get()
        if not row.done or (tried and lacks(row.packed, tried)):
            rows.update(looked_at=now, done=False)


def store_evaluation(
    *, evaluation: Evaluation, values: Mapping[str, Any] | None, done: bool = True
) -> None:
    """Store the values of an evaluation; None: the position cannot be evaluated. Unless it is
    ``done``, it waits for better ones."""
    played = "" if evaluation.line else _move_after(evaluation)
    is_looked_at = evaluation.looked_at is not None
    found = {
        "done": done,
        "packed": pack(values, played, hint=evaluation.hint, whole=is_looked_at),
        "leased_until": None,
    }
    with write_transaction():
        Evaluation.objects.filter(pk=evaluation.pk).update(**found)


def _move_after(evaluation: Evaluation) -> str:
    """Return the move of the game that followed a position; '' for the newest one."""
    followed = Move.objects.filter(game=evaluation.game_id, ply=evaluation.ply + 1)
    return followed.values_list("text", flat=True).first() or ""
