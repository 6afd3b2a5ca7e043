"""A browser without pages: cookies, forms and nothing else, against the real site."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Response:
    """Status, headers and text of what the site said."""

    def __init__(self, raw: object) -> None:
        self.status: int = raw.status  # type: ignore[attr-defined]
        self.headers = raw.headers  # type: ignore[attr-defined]
        self.url: str = raw.url  # type: ignore[attr-defined]
        self.text: str = raw.read().decode()  # type: ignore[attr-defined]


class HTTPClient:
    """Follows redirects, keeps cookies, and sends the token of the last form it saw."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = CookieJar()
        self.token = ""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str, **headers: str) -> Response:
        answer = self._open(urllib.request.Request(self.base + path, headers=headers))
        if found := re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.text):
            self.token = found[1]
        return answer

    def post(self, path: str, data: dict[str, str], **headers: str) -> Response:
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self.token, **data}).encode()
        return self._open(urllib.request.Request(self.base + path, body, headers))

    def _open(self, request: urllib.request.Request) -> Response:
        try:
            with self.opener.open(request, timeout=60) as raw:
                return Response(raw)
        except urllib.error.HTTPError as error:
            with error:
                return Response(error)
