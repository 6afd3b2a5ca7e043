"""The clocks of a game as its page shows them. A script counts down from these values."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from games.core.clocks import DAY, SECOND, Clock
from games.models import Game

HOUR, MINUTE = 3_600 * SECOND, 60 * SECOND


@dataclass(frozen=True)
class ClockFace:
    """The value of `_clock.jinja`: the milliseconds ``left`` to one side, and the moment ``until``
    when they are used up, None if the clock does not run. Its flag may have ``fallen`` without
    effect."""

    left: int
    until: int | None
    fallen: bool

    @property
    def shown(self) -> str:
        """The time left in words, as of the last change."""
        return _time(self.left)


def server_time() -> int:
    return time.time_ns() // 1_000_000


def clock_faces(game: Game) -> Mapping[str, ClockFace]:
    if game.clock is None:
        return {}
    clock, now, fallen = Clock.from_json(game.clock), server_time(), game.flag_at is None
    until = {side: clock.since + clock.left[side] for side in clock.running}
    return {
        side: ClockFace(max(0, until[side] - now), until[side], fallen)
        if side in until
        else ClockFace(left, None, fallen=False)
        for side, left in clock.left.items()
    }


def _time(left: int) -> str:
    if left >= DAY:
        return gettext("{days} d {hours} h").format(days=left // DAY, hours=left % DAY // HOUR)
    seconds = left // SECOND % 60
    if left >= HOUR:
        return f"{left // HOUR}:{left % HOUR // MINUTE:02}:{seconds:02}"
    return f"{left // MINUTE}:{seconds:02}"
