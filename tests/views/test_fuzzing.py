"""Random requests with odd parameters to every address, by every role: none causes an error 5xx.

``make soak`` sends ten times as many.
"""

from __future__ import annotations

import re
import subprocess
import sys
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode, urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from games.core.registry import all_rules
from tests.support.repeats import SOAK
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.resilient_play import ResilientGame
from tests.support.servers.site_process import ROOT, Site, environment, share_static

pytestmark = pytest.mark.processes

REQUESTS = 20_000 if SOAK else 2_000
METHODS = ("GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW")
ODD_VALUES = (
    *("", " ", "0", "1", "-1", "9" * 30, "1e9", "٣", "½", "None", "null", "true", "NaN", "\0"),
    *("a1", "A1", "z99", "pass", "resign", "stop", "R a1 U", "a1 b1", "clue ocean 3", "clue  9"),
    *("../../etc/passwd", "%2e%2e/", "//evil.example/", "https://evil.example", "\\", "a\r\nb: c"),
    *("<script>alert(1)</script>", "{{ 7*7 }}", "{% debug %}", "' OR 1=1 --", '"><svg onload=x>'),
    *("\ud83e\udd89".encode("utf-16", "surrogatepass").decode("utf-16"), "e\u0301" * 40),
    *("\u202eabc", "\ufeff", "x" * 5_000, "a " * 2_000, "[]", '{"a": 1}', "%", "%zz", "%00", "🦉"),
)
FIELDS = (
    *(
        "seat",
        "move",
        "ply",
        "typed",
        "chosen",
        "moves",
        "agree",
        "name",
        "language",
        "next",
        "has",
    ),
    *("hints", "theme", "confirm", "sound", "q", "p", "o", "e", "_popup", "action", "username"),
)
HEADERS = (
    "HX-Request",
    "HX-Target",
    "Accept-Language",
    "If-None-Match",
    "Last-Event-ID",
    "Referer",
)


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> list[str]:
    """Return the route of every address, with ``<converter:name>`` for its parameters."""
    found = []
    for pattern in patterns:
        route = before + str(pattern.pattern)
        inner = routes(pattern.url_patterns, route) if isinstance(pattern, URLResolver) else [route]
        found += inner
    return found


class RequestGenerator:
    """A generator of random requests, the same ones for the same seed."""

    def __init__(self, seed: int, known: list[str]) -> None:
        self.rng = Random(seed)
        every = routes(get_resolver().url_patterns)
        # Django's resolver has no route for the streams, the static files and unknown paths.
        self.routes = [route for route in every if "^" not in route]
        self.routes += ["g/<str:game_id>/events/", "static/<path:name>", "<path:name>"]
        self.known = known
        self.options = [option.name for rules in all_rules().values() for option in rules.options]
        self.options += [
            f"seat-{spec.key}"
            for rules in all_rules().values()
            for spec in rules.seats(rules.clean({}))
        ]

    def value(self) -> str:
        return self.rng.choice(ODD_VALUES if self.rng.random() < 0.7 else self.known)

    def path(self) -> str:
        part = r"<(?:\w+:)?\w+>"
        route = re.sub(part, lambda _: quote(self.part(), safe=""), self.rng.choice(self.routes))
        return "/" + route + (f"?{self.form()}" if self.rng.random() < 0.4 else "")

    def part(self) -> str:
        """Return a part of an address, mostly one of an existing page."""
        return self.rng.choice(self.known) if self.rng.random() < 0.8 else self.value()[:300]

    def form(self) -> str:
        names = self.rng.choices([*FIELDS, *self.options], k=self.rng.randint(0, 6))
        return urlencode([(name, self.value()) for name in names], errors="replace")

    def headers(self) -> dict[str, str]:
        sent = self.rng.sample(HEADERS, self.rng.randint(0, 2))
        return {name: quote(self.value()[:200], safe=" /:,;=%") for name in sent}


def log_in_superuser(data: Path, address: str) -> HTTPClient:
    """Create a superuser and return a client that is logged in."""
    account = {"USERNAME": "boss", "PASSWORD": "secret", "EMAIL": "boss@example.org"}
    variables = {f"DJANGO_SUPERUSER_{name}": value for name, value in account.items()}
    command = [sys.executable, "manage.py", "createsuperuser", "--noinput"]
    subprocess.run(
        command, cwd=ROOT, env=environment(data, **variables), check=True, capture_output=True
    )
    client = HTTPClient(address)
    client.get("/admin/login/")
    response = client.post("/admin/login/?next=/admin/", {"username": "boss", "password": "secret"})
    assert response.status == 200 and response.url.endswith("/admin/")
    return client


def send(
    connection: HTTPConnection, generator: RequestGenerator, client: HTTPClient
) -> tuple[str, HTTPResponse]:
    """Send a random request and read its response, of a stream only the headers."""
    method, path = generator.rng.choice(METHODS), generator.path()
    headers = generator.headers()
    headers["Cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies)
    body = None
    if method != "GET":
        body = f"csrfmiddlewaretoken={client.token}&{generator.form()}"
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    if "event-stream" in response.headers.get("Content-Type", ""):
        connection.close()
    else:
        response.read()
    return f"{method} {path} {body} {headers}", response


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path):
    share_static(tmp_path, site_data)
    own = Site(tmp_path, "--computers", "0", BOARDSITE_RATE_LIMITS="0")
    yield own.start()
    own.stop()


def test_no_request_causes_a_server_error(own_site, tmp_path):
    games = [ResilientGame(own_site, tmp_path, rules) for rules in all_rules().values()]
    for game in games:
        game.browser.get(game.path)
        game.play(Random(1))
    seats = [seat for game in games for seat in game.position.to_move()]
    known = [*(game.game_id for game in games), *all_rules(), *seats, "0", "1"]
    clients = [
        HTTPClient(own_site),
        *(game.browser for game in games),
        log_in_superuser(tmp_path, own_site),
    ]
    clients[0].get("/settings/")
    generator = RequestGenerator(1, known)
    connection = HTTPConnection(urlsplit(own_site).netloc, timeout=60)
    errors, statuses = [], set()
    for _ in range(REQUESTS):
        sent, response = send(connection, generator, generator.rng.choice(clients))
        statuses.add(response.status)
        if response.status >= 500:
            errors.append(f"{response.status} {sent}")
    connection.close()
    assert errors == []
    assert {200, 302, 400, 403, 404, 405, 422} <= statuses
