"""A push service of a test: an endpoint on this machine, and a browser that decrypts what it
receives."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02, jwt

from games.notices.web_push import encode, public_bytes


@dataclass
class FakeBrowser:
    """The keys of a browser that has subscribed."""

    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    def form(self, endpoint: str) -> dict[str, str]:
        """Return the subscription as the page posts it."""
        point = public_bytes(self.key.public_key())
        return {"endpoint": endpoint, "p256dh": encode(point), "auth": encode(self.secret)}

    def read(self, body: bytes) -> Any:
        """Return the values of an encrypted notice."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret))


@dataclass
class Received:
    """A request that the service has received."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> dict[str, Any]:
        """Return the claims of the site. Raises InvalidSignature, or AssertionError."""
        header = self.headers["authorization"]
        assert Vapid02.verify(header)
        token, key = (part.split("=", 1)[1] for part in header.removeprefix("vapid ").split(","))
        claims: dict[str, Any] = jwt.decode(token, key)
        return claims


class PushService(HTTPServer):
    """An endpoint that answers with the next of ``statuses``, the last one again and again."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = [201]
        self.received: list[Received] = []

    @property
    def origin(self) -> str:
        """The origin that a site has to allow."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append(Received(self.path, headers, body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service."""
    server = PushService()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
