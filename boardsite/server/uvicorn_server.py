"""Uvicorn, configured for thousands of streams in one process."""

from __future__ import annotations

import gc
import os
import resource
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from django.conf import settings
from django.db import connection
from django.urls import get_resolver
from django.utils import translation

from boardsite.server.heartbeat import start_heartbeat
from boardsite.server.http_protocol import HTTPProtocol
from boardsite.server.listeners import BACKLOG

# Cyclic garbage is rare here, and a full collection looks at each stream: with thousands of them it
# paused the site for a quarter of a second (docs/benchmarks.md).
COLLECTIONS = (50_000, 50, 100)
# Seconds in which open requests are answered at a shutdown. The listeners are closed by then, and a
# body that never arrives would delay the next start.
SHUTDOWN_SECONDS = 5
# Numbers of open files to request if the hard limit itself is refused.
FILE_LIMITS = (65_536, 10_240)


class Server(uvicorn.Server):
    """Uvicorn's server, which ends all streams before it waits for open requests.

    With ``parent`` it stops once its process is no longer a child of that process."""

    def __init__(self, config: uvicorn.Config, *, parent: int | None) -> None:
        super().__init__(config)
        self._parent = parent

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; uvicorn asks ten times a second."""
        orphaned = self._parent not in {None, os.getppid()}
        return orphaned or await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from games.live.streams import hub
        from games.web.slot import slot

        slot.close()
        await hub.close()
        await super().shutdown(sockets)


def load() -> None:
    """Load URLs, languages and templates, so that the first visitors do not wait for them."""
    from games.presentation.jinja import load_all

    get_resolver().url_patterns  # noqa: B018
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            load_all()


def collect_rarely() -> None:
    """Leave the objects of the start out of the collections of garbage, and let these be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)


def raise_file_limit() -> None:
    """Raise the limit of open files of this process: every stream is one, and many systems allow
    1024 by default."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (hard, *(max(soft, limit) for limit in FILE_LIMITS)):
        # macOS reports no limit, and refuses more than OPEN_MAX, which is 10,240.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            return


def limit_statements() -> None:
    """Set the timeout for the statements of requests. Migrations, which have run before, have
    none."""
    if connection.vendor == "postgresql":
        from boardsite.postgres import STATEMENT_SECONDS, BoundedConnection

        BoundedConnection.patience = STATEMENT_SECONDS


def config(application: Any = "boardsite.asgi:application") -> uvicorn.Config:
    """Return the uvicorn config. ``X-Forwarded-*`` is trusted only from local proxies and from
    ``FORWARDED_ALLOW_IPS``."""
    return uvicorn.Config(
        application,
        http=HTTPProtocol,
        access_log=settings.ACCESS_LOG,
        # Django has configured the logging.
        log_config=None,
        lifespan="off",
        backlog=BACKLOG,
        proxy_headers=True,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def run(listeners: Sequence[socket.socket], *, parent: int | None = None) -> None:
    """Serve on bound sockets until interrupted, or until the process ``parent`` is gone."""
    load()
    collect_rarely()
    raise_file_limit()
    limit_statements()
    start_heartbeat()
    Server(config(), parent=parent).run(sockets=list(listeners))
