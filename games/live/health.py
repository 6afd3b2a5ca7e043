"""Checks of the parts that the site needs, for load balancers and monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Min, QuerySet
from django.utils import timezone

from games.bus import bus
from games.core.registry import all_rules
from games.models import EmailAddress, Evaluation, Game, Heartbeat, Outgoing, Player

COMPUTER_PATIENCE = timedelta(minutes=1)
"""How long a person's game may wait for a computer's move, a matter of seconds."""
FREE_BYTES = 100 * 2**20
"""Free space in the data folder below which staff are warned."""
DRILL_DAYS = 100
Check = Callable[[], str]


def failures() -> dict[str, str]:
    """Return the parts without which this host cannot serve, with reasons; none when it is ready.

    As `warnings`, it runs in a thread, whose connection the caller closes."""
    return _reasons(CHECKS)


def warnings() -> dict[str, str]:
    """Return the parts of the site that do not work while this host still serves, each with the
    reason. They are no reason to take any host away: they are the same on all of them."""
    return _reasons(WARNINGS)


def _reasons(checks: Mapping[str, Check]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part, check in checks.items():
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
    patience = timezone.now() - COMPUTER_PATIENCE
    waiting = _waiting_games().filter(only_computers=False, updated__lt=patience)
    return "Games have waited for a computer for a minute." if waiting.exists() else ""


def _waiting_games() -> QuerySet[Game]:
    """Return the games that wait for a computer. No computer plays one whose kind is gone."""
    return Game.objects.filter(
        computer_to_move=True, status=Game.Status.RUNNING, kind__in=list(all_rules())
    )


def _disk() -> str:
    free = shutil.disk_usage(settings.DATA_DIR).free
    return "" if free >= FREE_BYTES else f"Only {free // 2**20} MiB are free."


def _verification() -> str:
    """Return a sentence if games are damaged, or no worker has verified them for days."""
    if damaged := _marked():
        return f"{damaged} games are damaged: see the admin."
    age = _verified_seconds()
    return f"No game was verified for {age // 86_400:.0f} days." if age > 3 * 86_400 else ""


def _marked() -> int:
    return Game.objects.filter(fault__isnull=False).count()


def _verified_seconds() -> float:
    """Return how long ago all games had been verified; 0 on a new site."""
    at = Heartbeat.objects.filter(pk=Heartbeat.VERIFIED).values_list("at", flat=True).first()
    return max(0.0, (timezone.now() - at).total_seconds()) if at else 0.0


def _restore_drill() -> str:
    """Return a sentence if the last restore drill that was recorded failed, or was long ago."""
    at, failed = _drilled()
    days = (timezone.now() - at).days if at else 0
    if failed:
        return f"The last restore drill, {days} days ago, failed."
    return f"The last restore drill was {days} days ago." if days > DRILL_DAYS else ""


def _drilled() -> tuple[datetime | None, bool]:
    """Return the moment of the last restore drill, and whether it failed."""
    rows = Heartbeat.objects.filter(pk__in=[Heartbeat.RESTORED, Heartbeat.NOT_RESTORED])
    last = rows.order_by("-at").first()
    return (last.at, last.pk == Heartbeat.NOT_RESTORED) if last else (None, False)


def _sizes() -> dict[tuple[str, str], float]:
    at, failed = _drilled()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_database_size(current_database())"
            if connection.vendor == "postgresql"
            else "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        )
        size = cursor.fetchone()[0]
    drilled = (timezone.now() - at).total_seconds() if at else -1.0
    return {
        ("games", "Stored games"): Game.objects.count(),
        ("players", "Stored players"): Player.objects.count(),
        ("database_bytes", "Size of the database"): size,
        ("disk_free_bytes", "Free space in the data folder"): shutil.disk_usage(
            settings.DATA_DIR
        ).free,
        ("restore_drill_seconds", "Time since the last restore drill; -1: never"): drilled,
        ("restore_drill_failed", "Whether it failed"): failed,
        (f'version{{version="{settings.VERSION}"}}', "The version of the site"): 1,
    }


def queues() -> dict[tuple[str, str], float]:
    """Return gauges of waiting work and letters, and of verification, by name and description."""
    turns = _waiting_games()
    longest = turns.aggregate(Min("updated"))["updated__min"]
    waited = (timezone.now() - longest).total_seconds() if longest else 0
    evaluations = Evaluation.objects.filter(done=False)
    letters = Outgoing.objects.filter(claimed=None, due__lte=timezone.now())
    emails = letters.filter(channel=EmailAddress.kind).count()
    return {
        ("computer_turns", "Games that wait for a computer"): turns.count(),
        ("computer_turn_seconds", "Time that the first of them has waited"): max(0.0, waited),
        ("waiting_hints", "Hints to compute"): evaluations.filter(hint=True).count(),
        ("waiting_plies", "Positions of analyses to evaluate"): evaluations.filter(
            hint=False
        ).count(),
        ("waiting_notices", "Notices that are due"): letters.count() - emails,
        ("waiting_emails", "E-mails that are due"): emails,
        ("damaged_games", "Games marked by their last verification"): _marked(),
        ("verified_seconds", "Time since all games had been verified"): _verified_seconds(),
        **_sizes(),
    }


CHECKS: Mapping[str, Check] = {"database": _database}
WARNINGS: Mapping[str, Check] = {
    "bus": _bus,
    "computers": _computers,
    "disk": _disk,
    "restore drill": _restore_drill,
    "verification": _verification,
}
