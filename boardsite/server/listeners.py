"""The sockets on which the site takes connections."""

from __future__ import annotations

import errno
import socket
import sys

from django.core.management.base import CommandError

SPREADS = sys.platform == "linux"
"""Whether the kernel spreads connections between sockets on one port (SO_REUSEPORT). Elsewhere the
last of them would get all."""
DOORS = 4 if SPREADS else 1
"""Sockets on the port."""
BACKLOG = 4096
"""Connections that wait to be accepted at each of them, which the kernel's own limit
(net.core.somaxconn) often is. Thousands come back at once, and whoever finds no room there asks
again after one, three, and seven seconds."""
DEAD_AFTER = 30_000
"""Milliseconds after which a connection ends whose other side takes nothing any more."""
UNSENT = 32 * 1024
"""Bytes that may wait in the kernel: a slow browser soon gets the newest board, not all the boards
before it first."""


def open_port(host: str, port: int) -> list[socket.socket]:
    """The sockets that listen at a port, 0 being any. Raises CommandError, one sentence, when it
    is taken."""
    if not 0 <= port < 65536:
        raise CommandError(f"There is no port {port}: choose one from 1 to 65535.")
    try:
        with _bound(host, port, shared=False) as alone:
            free = alone.getsockname()[1]
        # At once, not when the server is ready: a second start is told that the port is taken.
        return [_listening(host, free) for _ in range(DOORS)]
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


def _listening(host: str, port: int) -> socket.socket:
    listener = _bound(host, port, shared=SPREADS)
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def _bound(host: str, port: int, *, shared: bool) -> socket.socket:
    """A socket that has a port; one that is not shared only gets a port which nobody has."""
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
    """Set what the connections inherit that are accepted on a socket. Linux has these."""
    for name, value in (("TCP_USER_TIMEOUT", DEAD_AFTER), ("TCP_NOTSENT_LOWAT", UNSENT)):
        if hasattr(socket, name):
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
