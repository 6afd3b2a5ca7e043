"""Requests to addresses that visitors enter: only https to public addresses, and the origins that
the operator lists in ``settings.PRIVATE_ORIGINS``.

A host name is resolved once, and the connection goes to the checked address, so that a name that
later resolves to another address (DNS rebinding) does no harm. Redirects are not followed. One
deadline holds for a whole exchange, since a host that sends a byte now and then keeps each single
read from timing out."""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from threading import Timer
from types import TracebackType
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PORT = 443
SECONDS = 5.0
"""How long each step of an exchange may take."""
DEADLINE_SECONDS = 10.0
"""How long a whole exchange may take."""
# Only these IPv6 addresses are assigned to the public internet. The rest leads to this host, to its
# network, or by a tunnel to an IPv4 address, which may be private.
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Networks within it that lead to IPv4 addresses (6to4, Teredo), and one for documentation that
# Python does not know yet.
_EXCEPTIONS = [
    ipaddress.IPv6Network(network) for network in ("2002::/16", "2001::/32", "3fff::/20")
]


class BadAddress(ValueError):
    """An address to which the site does not send."""


class Unreachable(OSError):
    """A host to which no connection can be made; nothing has been sent."""


class _Deadline:
    """A deadline that shuts a socket when it passes, whatever its thread waits for."""

    def __init__(self) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._timer = Timer(DEADLINE_SECONDS, self._pass)
        self._timer.daemon = True

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Raise TimeoutError in place of the error that the shut socket has caused."""
        self._timer.cancel()
        if self.passed and error is not None and not isinstance(error, Unreachable):
            raise TimeoutError from error

    def watch(self, watched: socket.socket) -> None:
        self._socket = watched
        if self.passed:
            self._pass()

    def _pass(self) -> None:
        self.passed = True
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of SSLSocket, which drops the state that the other thread uses.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def parse_address(url: str) -> SplitResult:
    """Return the parts of a public https address or a private one. Raises BadAddress."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(url) from error
    plain = url.isascii() and url.isprintable() and " " not in url
    if not plain or not parts.hostname or parts.username is not None or parts.password is not None:
        raise BadAddress(url)
    if not _is_private_origin(parts) and (parts.scheme != "https" or port not in {None, PORT}):
        raise BadAddress(url)
    return parts


def _is_private_origin(parts: SplitResult) -> bool:
    return f"{parts.scheme}://{parts.netloc}" in settings.PRIVATE_ORIGINS


def public_address(host: str) -> str:
    """Return an IP address of a host, all of whose are public. Raises BadAddress or OSError."""
    try:
        found = socket.getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        # A part of the name is empty or too long.
        raise BadAddress(host) from error
    addresses = [str(info[4][0]) for info in found]
    if not addresses or not all(map(is_public, addresses)):
        raise BadAddress(host)
    return addresses[0]


def is_public(address: str) -> bool:
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if parsed not in _GLOBAL_UNICAST or any(parsed in network for network in _EXCEPTIONS):
            return False
    return parsed.is_global and not parsed.is_multicast


def open_socket(host: str) -> socket.socket:
    """Return a TLS connection to a public address of a host, whose handshake, in which the
    certificate is checked, has not begun. Raises BadAddress or OSError."""
    plain = socket.create_connection((public_address(host), PORT), SECONDS)
    try:
        return ssl.create_default_context().wrap_socket(
            plain, server_hostname=host, do_handshake_on_connect=False
        )
    except BaseException:
        plain.close()
        raise


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body and return the status of the response, whose body is not read. Raises BadAddress,
    Unreachable, TimeoutError after the deadline, another OSError or http.client.HTTPException."""
    parts = parse_address(url)
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    with _Deadline() as deadline:
        try:
            connection = _connect(parts, deadline)
        except OSError as error:
            raise Unreachable from error
        try:
            connection.request("POST", target, body, {"User-Agent": "Boardsite", **headers})
            return connection.getresponse().status
        finally:
            connection.close()


def _connect(parts: SplitResult, deadline: _Deadline) -> http.client.HTTPConnection:
    """Return a connection to the host of an address. Raises BadAddress or OSError."""
    host = str(parts.hostname)
    if not _is_private_origin(parts):
        connection = http.client.HTTPSConnection(host, PORT, timeout=SECONDS)
        connection.sock = opened = open_socket(host)
        deadline.watch(opened)
        try:
            if isinstance(opened, ssl.SSLSocket):
                opened.do_handshake()
        except BaseException:
            opened.close()
            raise
        return connection
    is_https = parts.scheme == "https"
    kind = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
    private = kind(host, parts.port, timeout=SECONDS)
    private.connect()
    deadline.watch(private.sock)
    return private


def post_json(url: str, values: Mapping[str, object]) -> int:
    return post(url, json.dumps(values).encode(), {"Content-Type": "application/json"})
