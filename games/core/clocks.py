"""Clocks: the time that each side has left, and the moment when its flag falls. Pure.

A game stores its clock in the JSON column ``clock``, and in ``flag_at`` when the next flag falls.
All times are milliseconds; moments are counted since 1970. A side has a clock: a team shares one. A
flag falls in `games.services.play.fall_flag`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from games.contract import SeatSpec, Text, ntext

SECOND, DAY = 1_000, 24 * 3_600_000
LAG = 500
"""Milliseconds by which a flag falls late, for moves that are on their way."""
MOST_MINUTES, MOST_INCREMENT, MOST_DAYS, MOST_SECONDS = 180, 180, 30, 600
_LIVE = re.compile(r"([0-9]{1,3})\+([0-9]{1,3})")
_DAYS = re.compile(r"([0-9]{1,2})d")
_TURN = re.compile(r"([0-9]{2,3})s")


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """The time control of a game: ``minutes`` a side and ``increment`` seconds a turn; or ``days``
    a move; or ``turn`` seconds a turn, after which the turn passes."""

    minutes: int = 0
    increment: int = 0
    days: int = 0
    turn: int = 0

    @classmethod
    def parse(cls, written: str) -> Self | None:
        """Return the time control written as ``5+3``, ``3d`` or ``90s``; None for other texts and
        for too much time."""
        if match := _LIVE.fullmatch(written):
            minutes, increment = int(match[1]), int(match[2])
            possible = 1 <= minutes <= MOST_MINUTES and increment <= MOST_INCREMENT
            return cls(minutes=minutes, increment=increment) if possible else None
        if match := _TURN.fullmatch(written):
            return cls(turn=int(match[1])) if int(match[1]) <= MOST_SECONDS else None
        match = _DAYS.fullmatch(written)
        return cls(days=int(match[1])) if match and 1 <= int(match[1]) <= MOST_DAYS else None

    def __str__(self) -> str:
        if self.turn:
            return f"{self.turn}s"
        return f"{self.days}d" if self.days else f"{self.minutes}+{self.increment}"

    @property
    def name(self) -> Text:
        """The time control as people read it."""
        if self.days:
            return ntext("%(n)s day a move", "%(n)s days a move", n=self.days)
        if self.turn:
            return ntext("%(n)s second a turn", "%(n)s seconds a turn", n=self.turn)
        return Text(str(self))

    @property
    def full(self) -> int:
        return self.days * DAY or (self.minutes * 60 + self.turn) * SECOND


PRESETS = tuple(
    TimeControl(minutes=minutes, increment=increment)
    for minutes, increment in ((3, 2), (5, 3), (10, 5), (15, 10), (30, 20))
)
DAYS = tuple(TimeControl(days=days) for days in (1, 3, 7, 14))


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The clock of a game: the time ``left`` of each side at the moment ``since``, from which on
    the clocks of the sides ``running`` run. ``since`` is 0 until the clock starts."""

    control: TimeControl
    left: Mapping[str, int]
    running: Sequence[str] = ()
    since: int = 0

    @classmethod
    def new(cls, control: TimeControl, specs: Sequence[SeatSpec]) -> Self:
        return cls(control=control, left={spec.side: control.full for spec in specs})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        control = TimeControl.parse(data["control"]) or TimeControl()
        values = {name: data[name] for name in ("left", "running", "since")}
        return cls(control=control, **values)

    def to_json(self) -> dict[str, Any]:
        return {
            "control": str(self.control),
            "left": dict(self.left),
            "running": list(self.running),
            "since": self.since,
        }

    @property
    def started(self) -> bool:
        return self.since > 0

    @property
    def flag_at(self) -> int | None:
        """The moment when the first flag falls; None while no side's clock runs."""
        if not self.running:
            return None
        return self.since + min(self.left[side] for side in self.running) + LAG

    def flagged(self, now: int) -> str | None:
        if self.flag_at is None or now < self.flag_at:
            return None
        return min(self.running, key=lambda side: self.left[side])

    def run(
        self, sides: Collection[str], now: int, *, moved: str | None = None, handed_on: bool = False
    ) -> Clock:
        """Return the clock after a change, with ``sides`` running from now on. ``moved`` is the
        side that has just moved, if any; ``handed_on`` says that another seat is now to move.

        A side gets its increment when its move ends its turn, its days with each move, and the
        seconds of a turn for each of its seats. A clock in minutes starts with the first move."""
        spent = max(0, now - self.since)
        left = {side: self._left(side, spent) for side in self.left}
        ended = moved in self.running and moved not in sides
        if moved and ended and not self._renewed:
            left[moved] += self.control.increment * SECOND
        if self._renewed:
            again = moved if self.control.days or handed_on else None
            fresh = [side for side in sides if side not in self.running or side == again]
            left |= dict.fromkeys(fresh, self.control.full)
        elif not self.started and moved is None:
            return self
        # A started clock that no longer runs keeps its moment, by which `started` recognizes it.
        return replace(self, left=left, running=sorted(sides), since=now)

    @property
    def _renewed(self) -> bool:
        """Whether each turn or move begins with the full time."""
        return self.control.days > 0 or self.control.turn > 0

    def _left(self, side: str, spent: int) -> int:
        return max(0, self.left[side] - spent) if side in self.running else self.left[side]

    def later(self, down: int) -> Clock:
        """Return the clock after ``down`` milliseconds that cost no side time."""
        return replace(self, since=self.since + down)
