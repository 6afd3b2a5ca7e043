"""Checks of the parts that the site needs, for load balancers and monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Min
from django.utils import timezone

from games.bus import bus
from games.models import Evaluation, Game

COMPUTER_PATIENCE = timedelta(minutes=1)
"""How long a person's game may wait for a computer's move. Even the longest search takes only
seconds."""
FREE_BYTES = 100 * 2**20
"""Free space in the data folder below which the site is not ready."""


def failures() -> dict[str, str]:
    """Return the parts that do not work, each with the reason; none when the site is ready.

    It runs in a thread with a database connection of its own, which the caller closes."""
    found: dict[str, str] = {}
    for part, check in CHECKS.items():
        try:
            reason = check()
        except Exception as error:
            # Whatever a part raises is the reason to report.
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
        if reason:
            found[part] = reason
    return found


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_game WHERE 1 = 0")
    return ""


def _bus() -> str:
    bus().check()
    return ""


def _computers() -> str:
    """Return a sentence if games of people have waited too long for a computer."""
    waiting = Game.objects.filter(
        computer_to_move=True,
        only_computers=False,
        updated__lt=timezone.now() - COMPUTER_PATIENCE,
    )
    return "Games have waited for a computer for a minute." if waiting.exists() else ""


def _disk() -> str:
    free = shutil.disk_usage(settings.DATA_DIR).free
    return "" if free >= FREE_BYTES else f"Only {free // 2**20} MiB are free."


def queues() -> dict[tuple[str, str], float]:
    """Return gauges of the work that waits for computers, by name and description."""
    turns = Game.objects.filter(computer_to_move=True, status=Game.Status.RUNNING)
    longest = turns.aggregate(Min("updated"))["updated__min"]
    waited = (timezone.now() - longest).total_seconds() if longest else 0
    evaluations = Evaluation.objects.filter(done=False)
    return {
        ("computer_turns", "Games that wait for a computer"): turns.count(),
        ("computer_turn_seconds", "Time that the first of them has waited"): max(0.0, waited),
        ("waiting_hints", "Hints to compute"): evaluations.filter(hint=True).count(),
        ("waiting_plies", "Positions of analyses to evaluate"): evaluations.filter(
            hint=False
        ).count(),
    }


CHECKS: Mapping[str, Callable[[], str]] = {
    "database": _database,
    "bus": _bus,
    "computers": _computers,
    "disk": _disk,
}
