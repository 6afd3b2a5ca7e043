"""Keeps other processes of the site running beside the web server, and stops them with it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from django.conf import settings

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds before a process that died is started again."""


@dataclass(frozen=True)
class ChildProcess:
    """A command of ``manage.py`` with its arguments, and the open files that it inherits. Whoever
    inherits a listening socket keeps its port in use for as long as it lives."""

    arguments: Sequence[str]
    files: Sequence[int] = ()


def _keep_running(companion: ChildProcess, stopping: Event) -> None:
    line = [sys.executable, str(settings.BASE_DIR / "manage.py"), *companion.arguments]
    line += ["--parent", str(os.getpid())]
    while not stopping.is_set():
        try:
            process = subprocess.Popen(line, pass_fds=companion.files)  # noqa: S603  (our own)
        except OSError:
            # Too little memory or too many processes just now, for instance.
            log.exception("Starting %s", companion.arguments[0])
        else:
            _wait_for(process, stopping)
            if not stopping.is_set():
                # Killed, it has said nothing itself: for want of memory, as a rule.
                status = process.returncode
                log.warning("%s ended (%s) and is started again", companion.arguments[0], status)
        stopping.wait(PAUSE)


def _wait_for(process: subprocess.Popen[bytes], stopping: Event) -> None:
    """Wait until the process has ended, and end it where it is to stop."""
    while process.poll() is None and not stopping.wait(0.2):
        pass
    process.terminate()
    process.wait()


@contextmanager
def keep_running(companions: Sequence[ChildProcess]) -> Iterator[None]:
    """Run each companion in a process of its own for as long as the block lasts, and again when it
    dies: what it worked on is in the database. It is told its ``--parent``, with whom it ends
    however that ends."""
    stopping = Event()
    keepers = [
        Thread(target=_keep_running, args=(companion, stopping), daemon=True)
        for companion in companions
    ]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stopping.set()
        for keeper in keepers:
            keeper.join()
