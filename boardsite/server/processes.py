"""Supervision of the processes that run beside the web server and end with it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from django.conf import settings

from games.core.metrics import forget_process

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds before a process that died as soon as it was started is started again."""
STOP_SECONDS = 10.0
"""Seconds that a process has to end once the site is stopping."""


@dataclass(frozen=True)
class ChildProcess:
    """A command of ``manage.py`` with its arguments, and the open files that it inherits.

    A process that inherits a listening socket keeps the port in use as long as it lives."""

    arguments: Sequence[str]
    files: Sequence[int] = ()


def _keep_running(child: ChildProcess, stopping: Event) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *child.arguments]
    command += ["--parent", str(os.getpid())]
    while not stopping.is_set():
        begun = monotonic()
        try:
            process = subprocess.Popen(command, pass_fds=child.files)  # noqa: S603  (our own)
        except OSError:
            # For instance, memory or processes have run out for the moment.
            log.exception("%s cannot be started", child.arguments[0])
        else:
            _wait_for(process, stopping)
            forget_process(process.pid)
            if not stopping.is_set():
                # A killed process, usually one that ran out of memory, has logged nothing itself.
                status = process.returncode
                log.warning("%s ended (status %s) and is restarted", child.arguments[0], status)
        if monotonic() - begun < PAUSE:
            stopping.wait(PAUSE)


def _wait_for(process: subprocess.Popen[bytes], stopping: Event) -> None:
    """Wait until the process has ended; end it once the site is stopping. A signal can be lost in
    compiled code; killing is safe, since all work is in the database."""
    while process.poll() is None and not stopping.wait(0.2):
        pass
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def keep_running(children: Sequence[ChildProcess]) -> Iterator[None]:
    """Run child processes while the block runs, and restart those that die.

    Each gets the id of its ``--parent`` and ends with it, however the parent ends."""
    stopping = Event()
    threads = [
        Thread(target=_keep_running, args=(child, stopping), daemon=True) for child in children
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()
