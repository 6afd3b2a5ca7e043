"""Uvicorn, set up for thousands of streams in one process."""

from __future__ import annotations

import gc
import os
import resource
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from django.conf import settings
from django.urls import get_resolver
from django.utils import translation

from boardsite.server.http_protocol import HTTPProtocol
from boardsite.server.listeners import BACKLOG

# Cyclic garbage is rare here: collecting it seldom, and never the modules loaded at the start,
# takes the pauses out of the slowest requests.
GC_THRESHOLDS = (50_000, 50, 100)
# Seconds for which a thread keeps Python to itself: the event loop waits for it at every turn.
SWITCH_INTERVAL = 0.001
# Seconds that requests have to come in and be answered once the site is told to stop: its socket is
# closed by then, and a body that never comes would keep the next start waiting.
LAST_ANSWERS = 5

# Open files to ask for where a process cannot have as many as its limit says.
FILES = (65_536, 10_240)


class Server(uvicorn.Server):
    """Uvicorn waits at its end for all answers to be complete: this ends the streams first. It
    ends when its process is no longer a child of ``parent``, if there is one."""

    def __init__(self, config: uvicorn.Config, *, parent: int | None) -> None:
        super().__init__(config)
        self._parent = parent

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second: whether to stop."""
        orphaned = self._parent not in {None, os.getppid()}
        return orphaned or await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        from games.live.streams import hub

        await hub.close()
        await super().shutdown(sockets)


def load() -> None:
    """Load what the first visitors would otherwise wait for: addresses, languages, templates."""
    from games.presentation.jinja import load_all

    get_resolver().url_patterns  # noqa: B018
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("")
    load_all()


def allow_files() -> None:
    """Let this process have as many files open as it can get: every stream is one, and many systems
    allow 1024 unless asked for more."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for files in (most, *(max(now, files) for files in FILES)):
        # macOS says that there is no limit, and refuses more than OPEN_MAX, which is 10,240.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
            return


def config(application: Any = "boardsite.asgi:application") -> uvicorn.Config:
    """How requests are read. Whose they are, and by http or https, a proxy on this machine says,
    or one that FORWARDED_ALLOW_IPS names; of anybody else it is not believed."""
    return uvicorn.Config(
        application,
        http=HTTPProtocol,
        log_level="warning",
        # As the settings say.
        log_config=None,
        lifespan="off",
        backlog=BACKLOG,
        proxy_headers=True,
        server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS,
    )


def run(listeners: Sequence[socket.socket], *, parent: int | None = None) -> None:
    """Serve the site on bound sockets until interrupted, or until the process ``parent``, which
    has started this one, is gone."""
    load()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL)
    allow_files()
    Server(config(), parent=parent).run(sockets=list(listeners))
