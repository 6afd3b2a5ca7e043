"""Keeps other processes of the site running beside the web server, and stops them with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from django.conf import settings

PAUSE = 1.0
"""Seconds before a process that died is started again."""

Command = Sequence[str]
"""A command of ``manage.py`` with its arguments."""


def _keep_running(command: Command, files: Sequence[int], stopping: Event) -> None:
    line = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    line += ["--parent", str(os.getpid())]
    while not stopping.is_set():
        process = subprocess.Popen(line, pass_fds=files)  # noqa: S603  (our own command line)
        while process.poll() is None and not stopping.wait(0.2):
            pass
        process.terminate()
        process.wait()
        stopping.wait(PAUSE)


@contextmanager
def keep_running(commands: Sequence[Command], *, files: Sequence[int] = ()) -> Iterator[None]:
    """Run each command in a process of its own for as long as the block lasts, and again when it
    dies: what it worked on is in the database. It is told its ``--parent``, with whom it ends
    however that ends, and inherits the open ``files``."""
    stopping = Event()
    keepers = [
        Thread(target=_keep_running, args=(command, files, stopping), daemon=True)
        for command in commands
    ]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stopping.set()
        for keeper in keepers:
            keeper.join()
