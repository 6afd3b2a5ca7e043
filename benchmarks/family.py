"""Processor time and memory of a process and its children, as Linux counts them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


def seconds(pid: int) -> float:
    """Return the processor time used so far."""
    return sum(int(fields[11]) + int(fields[12]) for fields in _family(pid)) / TICK


def resident(pid: int) -> int:
    """Return the resident memory in bytes. Shared pages count once for each process."""
    return sum(int(fields[21]) for fields in _family(pid)) * PAGE


def _family(pid: int) -> Iterator[list[str]]:
    """Yield the fields of /proc/PID/stat after the name, from `state` on (see proc(5))."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if pid in {int(process.name), int(fields[1])}:
            yield fields
