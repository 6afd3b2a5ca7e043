"""Work for the process that thinks. It is found in the rows themselves: no queue can lose it.

A lease on a game keeps two such processes from thinking about the same position. Whoever dies with
one loses it after `LEASE`; a lease that ends later (a clock has jumped) counts for nothing. Were
two to think all the same, `play_move` lets one of the moves land.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.changes import announce
from games.contract import Text
from games.models import Evaluation, Game, Move
from games.refusals import StalePly
from games.registry import all_rules
from games.services.seats import open_link
from games.writer import writing

LEASE = timedelta(seconds=30)
WAITING_AT_ONCE = 700
"""Evaluations that may wait for one game: more than the plies of the longest."""


def next_turn() -> Game | None:
    """Lease the game that has waited longest for a computer's move; None when none waits."""
    now = timezone.now()
    free = Q(thinking_until=None) | Q(thinking_until__lt=now) | Q(thinking_until__gt=now + LEASE)
    waiting = Game.objects.filter(
        free, computer_to_move=True, status=Game.Status.RUNNING, kind__in=list(all_rules())
    ).order_by("updated")
    # Looked at before locking: with nothing to do, nothing is written.
    if not waiting.exists():
        return None
    with writing():
        game = waiting.select_for_update(skip_locked=True).first()
        if game is not None:
            Game.objects.filter(pk=game.pk).update(thinking_until=now + LEASE)
    return game


def release_seats(*, game: Game, reason: Text) -> None:
    """A computer cannot go on in ``game`` as it was read: its seats are free for people, and the
    table says why. Raises StalePly when the game has moved on since."""
    with writing():
        seen, game = game, Game.objects.select_for_update().get(pk=game.pk)
        if (seen.ply, seen.undone) != (game.ply, game.undone):
            raise StalePly
        for seat in game.seats.filter(computer__isnull=False, key__in=game.to_move):
            seat.computer = None
            open_link(seat)
            seat.save()
        game.computer_to_move = False
        game.notice = reason.to_json()
        game.version += 1
        game.save()
        announce(game)


def ask_evaluations(*, game: Game, plies: Iterable[int], hint: bool = False) -> None:
    """Ask what moves are worth after each of ``plies``; twice asked is asked once."""
    moves = dict(Move.objects.filter(game=game).values_list("ply", "id"))
    wanted = [
        Evaluation(game=game, ply=ply, move_id=moves.get(ply, 0), hint=hint)
        for ply in plies
        if ply == 0 or ply in moves
    ]
    with writing():
        Evaluation.objects.bulk_create(wanted[:WAITING_AT_ONCE], ignore_conflicts=True)


def next_evaluation() -> Evaluation | None:
    """The next evaluation that waits: hints first. Not leased: done twice, it says the same."""
    waiting = Evaluation.objects.filter(done=False).select_related("game")
    return waiting.order_by("-hint", "asked", "ply").first()


def store_evaluation(*, evaluation: Evaluation, values: Mapping[str, Any] | None) -> None:
    """Keep what was found; None: the position cannot be evaluated."""
    with writing():
        Evaluation.objects.filter(pk=evaluation.pk).update(done=True, values=values)
