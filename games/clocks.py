"""Clocks: the time that each side has left, and the moment when its flag falls. Pure.

A game stores its clock in the JSON column ``clock``, and in ``flag_at`` when the next flag falls.
All times are milliseconds; moments are counted since 1970. A side has a clock: a team shares one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from games.contract import SeatSpec, Text, ntext

SECOND, DAY = 1_000, 24 * 3_600_000
LAG = 500
"""A flag falls this much later, for a move that was sent in time is still on its way."""
MOST_MINUTES, MOST_INCREMENT, MOST_DAYS = 180, 180, 30
_LIVE = re.compile(r"([0-9]{1,3})\+([0-9]{1,3})")
_DAYS = re.compile(r"([0-9]{1,2})d")


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """The time of a game: ``minutes`` a side and ``increment`` seconds a turn, or ``days`` a
    move."""

    minutes: int = 0
    increment: int = 0
    days: int = 0

    @classmethod
    def parse(cls, written: str) -> Self | None:
        """Return the time control of ``5+3`` or ``3d``; None for other texts and too much time."""
        if match := _LIVE.fullmatch(written):
            minutes, increment = int(match[1]), int(match[2])
            possible = 1 <= minutes <= MOST_MINUTES and increment <= MOST_INCREMENT
            return cls(minutes=minutes, increment=increment) if possible else None
        match = _DAYS.fullmatch(written)
        return cls(days=int(match[1])) if match and 1 <= int(match[1]) <= MOST_DAYS else None

    def __str__(self) -> str:
        return f"{self.days}d" if self.days else f"{self.minutes}+{self.increment}"

    @property
    def name(self) -> Text:
        """The time control as people read it."""
        if self.days:
            return ntext("%(n)s day a move", "%(n)s days a move", n=self.days)
        return Text(str(self))

    @property
    def full(self) -> int:
        """The time that each side begins with."""
        return self.days * DAY or self.minutes * 60 * SECOND


PRESETS = tuple(
    TimeControl(minutes=minutes, increment=increment)
    for minutes, increment in ((3, 2), (5, 3), (10, 5), (15, 10), (30, 20))
)
DAYS = tuple(TimeControl(days=days) for days in (1, 3, 7, 14))


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The clock of a game: ``left`` by side, as it was at the moment ``since``, from which on the
    sides ``running`` lose time. ``since`` is 0 until the clock starts."""

    control: TimeControl
    left: Mapping[str, int]
    running: Sequence[str] = ()
    since: int = 0

    @classmethod
    def new(cls, control: TimeControl, specs: Sequence[SeatSpec]) -> Self:
        """Return the clock of a new game, which stands still."""
        return cls(control=control, left={spec.side: control.full for spec in specs})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the clock that `to_json` wrote."""
        control = TimeControl.parse(data["control"]) or TimeControl()
        values = {name: data[name] for name in ("left", "running", "since")}
        return cls(control=control, **values)

    def to_json(self) -> dict[str, Any]:
        """Return the clock as JSON."""
        return {
            "control": str(self.control),
            "left": dict(self.left),
            "running": list(self.running),
            "since": self.since,
        }

    @property
    def started(self) -> bool:
        """Whether the clock has ever run."""
        return self.since > 0

    @property
    def flag_at(self) -> int | None:
        """The moment when the first flag falls; None while the clock stands still."""
        if not self.running:
            return None
        return self.since + min(self.left[side] for side in self.running) + LAG

    def flagged(self, now: int) -> str | None:
        """Return the side whose flag has fallen; None without one."""
        if self.flag_at is None or now < self.flag_at:
            return None
        return min(self.running, key=lambda side: self.left[side])

    def run(self, sides: Collection[str], now: int, *, moved: str | None = None) -> Clock:
        """Return the clock that runs for ``sides`` from now on, after a move of the side ``moved``
        if there was one.

        A side gets its increment when its turn ends by its move, and its days for each move. A
        live clock starts with the first move."""
        spent = max(0, now - self.since)
        left = {side: self._left(side, spent) for side in self.left}
        ended = moved in self.running and moved not in sides
        if moved and ended and not self.control.days:
            left[moved] += self.control.increment * SECOND
        if self.control.days:
            fresh = [side for side in sides if side not in self.running or side == moved]
            left |= dict.fromkeys(fresh, self.control.full)
        elif not self.started and moved is None:
            return self
        # A clock that is started and stands still keeps its moment: `started` tells by it.
        return replace(self, left=left, running=sorted(sides), since=now)

    def _left(self, side: str, spent: int) -> int:
        return max(0, self.left[side] - spent) if side in self.running else self.left[side]

    def later(self, down: int) -> Clock:
        """Return the clock as if the last ``down`` milliseconds had not been."""
        return replace(self, since=self.since + down)
