"""Uvicorn, configured for thousands of streams in one process, and the heartbeat without which the
clocks of games stop: while no process serves, nobody can move."""

from __future__ import annotations

import errno
import gc
import logging
import os
import resource
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, close_old_connections, connection
from django.urls import get_resolver
from django.utils import translation

from boardsite.server.http_protocol import HTTPProtocol

log = logging.getLogger(__name__)


def start_heartbeat() -> None:
    """Return the downtime before this start to the clocks, and beat until the process ends."""
    Thread(target=_beat_on, name="heartbeat", daemon=True).start()


def _beat_on() -> None:
    from games.services import clocks

    pause, silence = clocks.HEARTBEAT.total_seconds(), clocks.SILENCE.total_seconds()
    before = float("-inf")
    while True:
        # By the wall clock, which goes on while a computer sleeps.
        now = time.time()
        try:
            if now - before > silence:
                clocks.return_downtime()
            clocks.beat()
            before = now
        except DatabaseError:
            # With the error, by which `OutageFilter` recognizes a known outage.
            log.warning("No heartbeat", exc_info=True)
        finally:
            close_old_connections()
        time.sleep(pause)


HAS_REUSEPORT = sys.platform == "linux"
"""Whether the kernel balances connections between the sockets of a port (SO_REUSEPORT). Elsewhere
the last socket would get all connections."""
LISTENERS = 4 if HAS_REUSEPORT else 1
BACKLOG = 4096
"""Connections that may wait at each listener, which is the usual limit of the kernel
(net.core.somaxconn). Thousands of browsers may reconnect at once, and one that finds the backlog
full retries after one, three and seven seconds."""
USER_TIMEOUT = 30_000
"""Milliseconds without an acknowledgement from the peer after which a connection is closed."""
UNSENT_BYTES = 32 * 1024
"""Bytes that may wait in the kernel. With a small buffer a slow browser soon gets the newest board
instead of all earlier ones first."""


def open_port(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets on a port; 0 stands for any free port. Raises CommandError if the
    port is taken."""
    if not 0 <= port < 65536:
        raise CommandError(f"There is no port {port}: choose one from 1 to 65535.")
    try:
        with _bind(host, port, shared=False) as probe:
            free = probe.getsockname()[1]
        # Before the server is ready, so that a second start fails here and at once.
        return [_listen(host, free) for _ in range(LISTENERS)]
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise CommandError(
                f"{host} is not this machine ({error.strerror}); leave HOST out, or give one of "
                "this machine's own addresses, or 0.0.0.0 for all of them."
            ) from error
        raise CommandError(
            f"Port {port} on {host} cannot be used ({error.strerror}); "
            f"choose another one, for instance with PORT={port % 60000 + 1}."
        ) from error


def _listen(host: str, port: int) -> socket.socket:
    listener = _bind(host, port, shared=HAS_REUSEPORT)
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def _bind(host: str, port: int, *, shared: bool) -> socket.socket:
    """Return a socket bound to a port. Raises OSError where the port is in use and not shared."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    tune(bound)
    try:
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def tune(listener: socket.socket) -> None:
    """Set the options that accepted connections inherit, on systems that have them (Linux)."""
    options = {"TCP_USER_TIMEOUT": USER_TIMEOUT, "TCP_NOTSENT_LOWAT": UNSENT_BYTES}
    for name, value in options.items():
        if hasattr(socket, name):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


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
    """Raise the limit of open files: every stream is one, and many systems allow 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (hard, *(max(soft, limit) for limit in FILE_LIMITS)):
        # macOS reports no limit, and refuses more than OPEN_MAX, which is 10,240.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
            return


def limit_statements() -> None:
    """Set the timeout for the statements of requests, after the migrations, which have none."""
    if connection.vendor == "postgresql":
        from boardsite.postgres import STATEMENT_SECONDS, BoundedConnection

        BoundedConnection.patience = STATEMENT_SECONDS


def config(application: Any = "boardsite.asgi:application") -> uvicorn.Config:
    """Return the uvicorn config, by which proxies of FORWARDED_ALLOW_IPS alone are trusted."""
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
