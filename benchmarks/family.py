"""What a process and its children have used, as Linux counts it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


def seconds(pid: int) -> float:
    """Processor time that they have had."""
    return sum(int(fields[11]) + int(fields[12]) for fields in _family(pid)) / TICK


def resident(pid: int) -> int:
    """Bytes of memory that are in use; what they share counts for each."""
    return sum(int(fields[21]) for fields in _family(pid)) * PAGE


def _family(pid: int) -> Iterator[list[str]]:
    """What follows the name in the statistics of each (see proc(5), from `state` on)."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if pid in {int(process.name), int(fields[1])}:
            yield fields
