"""An HTTP client for the site process, with the cookies and the CSRF token of a browser."""

from __future__ import annotations

import re
import urllib.parse
import urllib.request
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from urllib.error import HTTPError

PATIENCE = 180.0
"""Seconds for an answer, of which a busy machine needs many."""


class Response:
    """Status, headers, final URL and text of an HTTP response."""

    def __init__(self, raw: HTTPResponse | HTTPError) -> None:
        self.status = raw.status
        self.headers = raw.headers
        self.url = raw.url
        self.text = raw.read().decode()


class HTTPClient:
    """Follows redirects, stores cookies, and posts the CSRF token of the last form it received."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = CookieJar()
        self.token = ""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str, **headers: str) -> Response:
        response = self._open(urllib.request.Request(self.base + path, headers=headers))
        if found := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', response.text):
            self.token = found[1]
        return response

    def post(self, path: str, data: dict[str, str], **headers: str) -> Response:
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self.token, **data}).encode()
        return self._open(urllib.request.Request(self.base + path, body, headers))

    def request(self, path: str, body: bytes, headers: dict[str, str]) -> Response:
        """Post a body that is no form."""
        return self._open(urllib.request.Request(self.base + path, body, headers))

    def _open(self, request: urllib.request.Request) -> Response:
        try:
            with self.opener.open(request, timeout=PATIENCE) as raw:
                return Response(raw)
        except HTTPError as error:
            with error:
                return Response(error)
