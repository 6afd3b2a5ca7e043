"""Faults that pupils make in their classes."""

from __future__ import annotations

from tests.support.pupils import Fault

FAULTS = [
    Fault(
        "off by one at the last column",
        "santorini",
        "0 <= c < 5, message",
        "0 <= c < 4, message",
        {"not_accepted"},
    ),
    Fault(
        "won on the second level",
        "santorini",
        "self.heights[r][c] == 3 and",
        "self.heights[r][c] >= 2 and",
        {"value"},
        lines=30,
    ),
    Fault(
        "no step down of two levels",
        "santorini",
        '<= self.level(worker) + 1, "invalid move"',
        'in range(self.level(worker) - 1, self.level(worker) + 2), "invalid move"',
        {"not_accepted"},
        lines=30,
    ),
    Fault(
        "a second board has the same towers",
        "santorini",
        "self.heights = [[0] * 5 for _ in range(5)]",
        "Santorini.heights = [[0] * 5 for _ in range(5)]",
        {"text", "changed"},
    ),
]
