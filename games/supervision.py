"""Keeps the processes that think running beside the web server, and stops them with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings

PAUSE = 1.0
"""Seconds before a process that died is started again."""


def _command() -> list[str]:
    manage = str(settings.BASE_DIR / "manage.py")
    return [sys.executable, manage, "think", "--parent", str(os.getpid())]


def _keep_running(stopping: Event) -> None:
    while not stopping.is_set():
        process = subprocess.Popen(_command())  # noqa: S603  (our own command line)
        while process.poll() is None and not stopping.wait(0.2):
            pass
        process.terminate()
        process.wait()
        stopping.wait(PAUSE)


@contextmanager
def keep_thinking(count: int) -> Iterator[None]:
    """Run ``count`` processes that think for as long as the block lasts. One that dies is started
    again; its work is in the database, so nothing is lost."""
    stopping = Event()
    keepers = [Thread(target=_keep_running, args=(stopping,), daemon=True) for _ in range(count)]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stopping.set()
        for keeper in keepers:
            keeper.join()
