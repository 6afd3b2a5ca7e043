"""Metrics for Prometheus: counted where things happen, read at ``/metrics/``.

All processes of a machine count in files in one folder, so that any of them can report the metrics
of all. The settings name the folder; without it nothing is counted and the library is not imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, cast

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable of the folder, which the library reads when it is imported."""
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
"""Upper bounds of the buckets of durations."""


class _Uncounted:
    def labels(self, *_: object) -> _Uncounted:
        return self

    def inc(self, amount: float = 1) -> None: ...

    def dec(self, amount: float = 1) -> None: ...

    def observe(self, amount: float) -> None: ...


def _metric(kind: str, name: str, about: str, labels: tuple[str, ...] = (), **more: Any) -> Any:
    if not os.environ.get(FOLDER):
        return _Uncounted()
    import prometheus_client

    return getattr(prometheus_client, kind)(f"boardsite_{name}", about, labels, **more)


moves = _metric("Counter", "moves", "Stored moves", ("kind", "by"))
requests = _metric(
    "Histogram",
    "request_seconds",
    "Time from a whole request to its response",
    ("pool", "status"),
    buckets=SECONDS,
)
streams = _metric("Gauge", "streams", "Open streams of boards", multiprocess_mode="livesum")
flushes = _metric("Histogram", "flush_seconds", "Time of a flush to the disk", buckets=SECONDS)
jobs = _metric(
    "Histogram", "job_seconds", "Time of a job of the computers", ("job",), buckets=SECONDS
)
cut_jobs = _metric("Counter", "cut_jobs", "Jobs longer than the wall limit of a search", ("job",))
refusals = _metric("Counter", "refusals", "Refused requests", ("limit",))


@contextmanager
def timed(metric: Any) -> Iterator[None]:
    began = perf_counter()
    try:
        yield
    finally:
        metric.observe(perf_counter() - began)


def clear() -> None:
    """Remove the counts of earlier processes when the site starts."""
    if not os.environ.get(FOLDER):
        return
    # This process has opened its own files. In a container an earlier process may have had its id.
    streams.set(0)
    for file in Path(os.environ[FOLDER]).glob("*.db"):
        if not file.stem.endswith(f"_{os.getpid()}"):
            file.unlink(missing_ok=True)


def forget_process(process_id: int) -> None:
    """Remove the gauges of a process that has ended; its counters stay."""
    if os.environ.get(FOLDER):
        from prometheus_client import multiprocess

        untyped: Any = multiprocess
        untyped.mark_process_dead(process_id)


def render(gauges: Mapping[tuple[str, str], float]) -> bytes:
    """Return the metrics of all processes as text, with further ``gauges``."""
    from prometheus_client import CollectorRegistry, generate_latest, multiprocess

    registry, untyped = CollectorRegistry(), cast(Any, multiprocess)
    untyped.MultiProcessCollector(registry)
    text: bytes = generate_latest(registry)
    # In multiprocess mode a Gauge object would be counted in a file as well.
    for (name, about), value in gauges.items():
        labelled = f"boardsite_{name}"
        full = labelled.partition("{")[0]
        text += f"# HELP {full} {about}\n# TYPE {full} gauge\n{labelled} {value:.15g}\n".encode()
    return text
