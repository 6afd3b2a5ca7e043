"""The listening sockets of the site."""

from __future__ import annotations

import errno
import socket
import sys

from django.core.management.base import CommandError

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
