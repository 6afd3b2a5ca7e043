"""Faults that pupils make in their classes."""

from __future__ import annotations

from tests.support.pupils import Fault

FAULTS = [
    Fault(
        "turn not kept after an own spy",
        "codenames",
        "elif card != self.team:",
        "else:",
        {"value"},
    ),
    Fault(
        "game over not raised by turn",
        "codenames",
        '        assert not self.over, "game over"\n        return self.team',
        "        return self.team",
        {"not_refused"},
    ),
]
