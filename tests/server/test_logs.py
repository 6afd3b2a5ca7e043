"""The log of the site holds no secrets."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
from django.db.utils import OperationalError
from django.urls import URLResolver, get_resolver

from boardsite.logs import OUTAGE_SECONDS, OutageFilter, RedactingFormatter
from boardsite.server.uvicorn_server import config
from games.models import Game
from games.services import seats
from tests.support.game_factory import make_game_with_open_seat
from tests.support.players import Person

pytestmark = pytest.mark.services

TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Capture the site's log."""
    written, root = StringIO(), logging.getLogger()
    (handler,) = [
        handler for handler in root.handlers if isinstance(handler.formatter, RedactingFormatter)
    ]
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def test_an_open_invitation_is_not_logged(log, game, client):
    token = seats.invitation_token(game.seats.get(holders__isnull=True))
    assert client.post(f"/join/{token}/", {"name": "x" * 31}).status_code == 422
    assert "Unprocessable Entity: /join/…" in log.getvalue()
    assert token not in log.getvalue()


def test_a_traceback_quotes_no_invitation(log, game, client, monkeypatch):
    def fails(*_: Any) -> None:
        raise ValueError(f"http://testserver/join/{TOKEN}/?x=1")

    monkeypatch.setattr("games.services.seats.seat_of_token", fails)
    client.raise_request_exception = False
    assert client.get(f"/join/{TOKEN}/").status_code == 500
    assert "ValueError: http://testserver/join/…/?x=1" in log.getvalue()
    assert TOKEN not in log.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        f'"GET /join/{TOKEN}/ HTTP/1.1" 200',
        f'"GET /invite/{TOKEN}/code.svg HTTP/1.1" 200',
        f'"GET /x/?next=%2Fjoin%2F{TOKEN}%2F HTTP/1.1"',
        f'"GET /x/?next=%2Finvite%2F{TOKEN}%2F HTTP/1.1"',
    ],
)
def test_the_lines_of_uvicorn_are_redacted_too(log, line, settings, monkeypatch):
    settings.ACCESS_LOG = True
    # Uvicorn has silenced this logger if another test made a config without an access log.
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "propagate", True)
    config()
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).warning("%s", line)
    assert log.getvalue().count("…") == 2
    assert TOKEN not in log.getvalue()


def addresses_with_tokens(patterns: Iterable[Any], before: str = "/") -> Iterator[str]:
    """Yield the addresses that contain a token, with a token in its place."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses_with_tokens(pattern.url_patterns, route)
        elif "token>" in route:
            yield re.sub(r"<(\w+:)?token>", TOKEN, route)


def test_the_token_of_every_address_is_redacted():
    found = list(addresses_with_tokens(get_resolver().url_patterns))
    assert len(found) >= 9
    for address in found:
        for line in (address, quote(address, safe="")):
            record = logging.LogRecord("games", logging.INFO, "", 1, "GET %s", (line,), None)
            assert TOKEN not in RedactingFormatter().format(record), address


def test_other_lines_are_logged_unchanged(log):
    logging.getLogger("games").error("Reading the game %s", "bcd/joined/x")
    assert log.getvalue() == "Reading the game bcd/joined/x\n"


def test_a_disallowed_host_is_one_line_that_names_the_variable(log, client, settings):
    settings.ALLOWED_HOSTS = ["boards.example"]
    assert client.get("/", headers={"host": f"other.example:80/join/{TOKEN}/"}).status_code == 400
    assert client.get("/", headers={"host": "other.example"}).status_code == 400
    first, second = log.getvalue().splitlines()
    assert TOKEN not in first
    assert second.endswith("You may need to add 'other.example' to BOARDSITE_HOSTS.")


def test_a_refused_request_is_one_line(log, client, clerk):
    garbage = {"content_type": "multipart/form-data", "data": b"garbage"}
    assert client.post("/settings/", **garbage).status_code == 400
    assert clerk.get("/admin/games/player/add/").status_code == 403
    assert "Traceback" not in log.getvalue()
    refused, *others = log.getvalue().splitlines()
    assert "Bad request" in refused
    # One for the request, and one for the log of security.
    assert [line.split(":")[0] for line in others] == ["Forbidden (Permission denied)", "security"]


def outage(reason: str = "connection refused") -> logging.LogRecord:
    """Return the record of a request that failed because the database was gone."""
    try:
        raise OperationalError(reason)
    except OperationalError:
        fault = sys.exc_info()
    return logging.LogRecord("django.request", logging.ERROR, "", 1, "Failed: %s", ("/",), fault)


def test_an_outage_of_the_database_is_one_line_a_minute(monkeypatch):
    now, told = 1000.0, OutageFilter()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    records = [outage("connection refused\n\tIs the server running?") for _ in range(3)]
    assert [told.filter(record) for record in records] == [True, False, False]
    line = RedactingFormatter().format(records[0])
    assert line == "The database does not answer: connection refused"
    now += OUTAGE_SECONDS
    assert told.filter(outage())


def test_other_faults_keep_their_tracebacks():
    record = outage()
    record.exc_info = (ValueError, ValueError("?"), None)
    assert OutageFilter().filter(record)
    assert record.exc_info is not None
