"""Requests over HTTPS as a reverse proxy forwards them to the site process."""

from __future__ import annotations

import http.client
from contextlib import closing
from email.message import Message
from typing import NamedTuple
from urllib.parse import urlsplit

HOST = "boards.example"
VISITOR = "198.51.100.7"


class ProxiedResponse(NamedTuple):
    """Status, headers and text of a response."""

    status: int
    headers: Message
    text: str


def request_through_proxy(
    address: str, method: str, path: str, body: str = "", **headers: str
) -> ProxiedResponse:
    """Send a request with the headers of a proxy; ``proto`` replaces https."""
    own = {"Host": HOST, "X-Forwarded-For": VISITOR, "Origin": f"https://{HOST}"}
    own["X-Forwarded-Proto"] = headers.pop("proto", "https")
    own["Content-Type"] = "application/x-www-form-urlencoded"
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    with closing(connection):
        connection.request(method, path, body, own | headers)
        response = connection.getresponse()
        return ProxiedResponse(response.status, response.headers, response.read().decode())
