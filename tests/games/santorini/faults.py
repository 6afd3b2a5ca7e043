"""Faults that pupils make in their classes."""

from __future__ import annotations

from tests.support.pupils import Fault

FAULTS = [
    Fault(
        "off by one at the last column",
        "santorini",
        "0 <= c < 5, message",
        "0 <= c < 4, message",
        {"raised"},
    ),
    Fault(
        "dome climbed",
        "santorini",
        "        assert self.heights[r][c] < 4, message\n        return r, c",
        '        assert self.heights[r][c] < 4 or message == "invalid move", message\n'
        "        return r, c",
        {"not_refused"},
    ),
]
