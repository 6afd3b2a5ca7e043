"""The clocks of games: set with each change of a locked game, and corrected after downtime; and
the heartbeats by which downtime and the work of a day are known.

A side's clock runs while it is to move by a seat that people hold: computers play without a clock,
and nobody waits at an empty seat. A fallen flag is a move: see `games.services.play.fall_flag`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from copy import copy
from datetime import UTC, datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from games.contract import TIMEOUT, SeatKey
from games.core.clocks import Clock
from games.core.registry import all_rules
from games.models import Game, Heartbeat
from games.services.versions import save_without_activity
from games.state.snapshot import GameSnapshot, locked
from games.storage.write_lock import write_transaction

HEARTBEAT = timedelta(seconds=5)
"""The time between two heartbeats of a serving process."""
SILENCE = timedelta(seconds=15)
"""Without a heartbeat for so long, the site counts as down."""
DAY, LOOK = timedelta(days=1), timedelta(minutes=1)
"""The time between two runs of a daily work, and between two looks whether it is due."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def run_clock(game: Game, people: Collection[SeatKey], *, moved: SeatKey | None = None) -> None:
    """Run the clock of a locked game for the sides that are now to move, without saving it.

    ``people`` are the seats that people hold, and ``moved`` is the one that has just moved."""
    if game.clock is None:
        return
    sides = {spec.key: spec.side for spec in game.specs}
    waiting = {sides[key] for key in game.to_move if key in people and game.begun}
    by = sides[moved] if moved else None
    handed_on = moved is not None and moved not in game.to_move
    before = Clock.from_json(game.clock)
    clock = before.run(waiting, now_ms(), moved=by, handed_on=handed_on)
    game.clock, game.flag_at = clock.to_json(), flag_of(clock)


def resume_clock(snapshot: GameSnapshot) -> GameSnapshot:
    """Update the clock of a locked game after its seats have changed hands."""
    before, game = snapshot.game.clock, copy(snapshot.game)
    run_clock(game, snapshot.seating.people())
    if before is None or game.clock is None or game.clock["running"] == before["running"]:
        return snapshot
    return save_without_activity(snapshot, clock=game.clock, flag_at=game.flag_at)


def late_seat(snapshot: GameSnapshot) -> SeatKey | None:
    game = snapshot.game
    if game.clock is None or game.flag_at is None:
        return None
    side = Clock.from_json(game.clock).flagged(now_ms())
    seats = [spec.key for spec in snapshot.specs if spec.side == side and spec.key in game.to_move]
    return min(seats, default=None)


def late_move(snapshot: GameSnapshot) -> tuple[SeatKey, str] | None:
    """Return the move that the site plays in a locked game for a seat whose time is up. It is None
    if no time is up, or if a turn has run out and the rules have no move that passes it."""
    seat, time_control = late_seat(snapshot), snapshot.game.time
    if seat is None or time_control is None:
        return None
    if not time_control.turn:
        return seat, TIMEOUT
    side, waiting = snapshot.spec(seat).side, snapshot.game.to_move
    seats = [spec.key for spec in snapshot.specs if spec.side == side and spec.key in waiting]
    passes = [(key, snapshot.position.pass_move(key)) for key in seats]
    return next(((key, move) for key, move in passes if move), None)


def beat() -> None:
    """Store a heartbeat of the site, if any clock is running."""
    if Game.objects.filter(flag_at__isnull=False).exists():
        note_heartbeat(Heartbeat.ONLY)


def note_heartbeat(row: int) -> None:
    with write_transaction():
        Heartbeat.objects.update_or_create(pk=row, defaults={"at": timezone.now()})


def daily(row: int, work: Callable[[], Iterator[object]]) -> Iterator[bool]:
    """Do a work once a day: yield True after each of its steps, and False while it is not due. One
    worker does it, and if it ends before, the next one a day later."""
    looked = timezone.now() - DAY
    while True:
        if timezone.now() - looked > LOOK:
            looked = timezone.now()
            if _begins(row):
                for _ in work():
                    yield True
        yield False


def _begins(row: int) -> bool:
    """Return whether a daily work last began a day ago, and if so note a new beginning."""
    recent = Heartbeat.objects.filter(pk=row, at__gt=timezone.now() - DAY)
    if recent.exists():
        return False
    with write_transaction():
        if recent.select_for_update().exists():
            return False
        note_heartbeat(row)
    return True


def return_downtime() -> None:
    """Give all running clocks back the time since the last heartbeat, which is recent if other
    processes run. The first of several that start does it."""
    now = timezone.now()
    with write_transaction():
        hearts = Heartbeat.objects.select_for_update()
        # The first start of a site is one, since its first clock may stop before the next.
        heart, _ = hearts.get_or_create(id=Heartbeat.ONLY, defaults={"at": now})
        if now - heart.at < SILENCE:
            return
        heart.at, down_from = now, heart.at
        heart.save(update_fields=["at"])
        games = list(Game.objects.filter(flag_at__isnull=False).values_list("pk", flat=True))
    for game_id in games:
        # The game or its kind may be gone.
        with suppress(Game.DoesNotExist):
            _give_back(game_id, down_from, now)


def _give_back(game_id: str, down_from: datetime, now: datetime) -> None:
    """Give the clock of a game back the downtime, as a new version, so that its pages follow."""
    with locked(game_id) as snapshot:
        game = snapshot.game
        if game.clock is None or game.flag_at is None:
            return
        clock = Clock.from_json(game.clock)
        down = _ms(now) - max(_ms(down_from), clock.since)
        if down > 0:
            clock = clock.later(down)
            save_without_activity(snapshot, clock=clock.to_json(), flag_at=flag_of(clock))


def due_flags() -> list[str]:
    """Return the ids of some games whose flag has fallen. No flag falls in a time without a
    heartbeat, since that time will be given back."""
    limit = timezone.now()
    heart = Heartbeat.objects.filter(id=Heartbeat.ONLY).values_list("at", flat=True).first()
    if heart is not None:
        limit = min(limit, heart + SILENCE)
    due = Game.objects.filter(flag_at__lte=limit).order_by("flag_at")
    due = due.exclude(~Q(kind__in=list(all_rules())))
    return list(due.values_list("pk", flat=True)[:10])


def flag_of(clock: Clock) -> datetime | None:
    """Return the moment when the next flag of a clock falls; None while no side's clock runs."""
    return None if clock.flag_at is None else datetime.fromtimestamp(clock.flag_at / 1_000, UTC)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000)
