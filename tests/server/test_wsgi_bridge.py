"""WSGIBridge between an ASGI server and a WSGI application."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from boardsite.server import wsgi_bridge
from boardsite.server.wsgi_bridge import Environ, Message, WSGIBridge
from games.storage import group_commit
from games.storage.group_commit import WriteAheadLog, sync
from games.views.middleware import COMMIT_FAILURE
from games.web.headers import SECURITY_HEADERS

GET = {
    "type": "http",
    "method": "GET",
    "path": "/a",
    "query_string": b"b=c",
    "http_version": "1.1",
    "headers": [],
}


class Echo:
    """A WSGI application that reads the body and stores the request."""

    def __init__(self) -> None:
        self.environ: Environ = {}
        self.body = b""
        self.closed = False

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.environ = environ
        self.body = environ["wsgi.input"].read()
        start_response("201 Created", [("X-One", "1"), ("Set-Cookie", "a"), ("Set-Cookie", "b")])
        return Chunks(self)


class Chunks:
    def __init__(self, echo: Echo) -> None:
        self.echo = echo

    def __iter__(self) -> Any:
        return iter([b"one ", b"two"])

    def close(self) -> None:
        self.echo.closed = True


def send_request(*parts: Message, max_body: int = 100, **scope: Any) -> tuple[Echo, list[Message]]:
    """Send a request whose body comes in parts; return the application and the response. After
    the last part the client sends nothing more."""
    echo, sent, waiting = Echo(), [], list(parts)

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    bridge = WSGIBridge(echo, name="echo", threads=1, max_body=max_body)
    asyncio.run(asyncio.wait_for(bridge({**GET, **scope}, receive, send), 20))
    return echo, sent


def body(content: bytes = b"", *, more: bool = False) -> Message:
    return {"type": "http.request", "body": content, "more_body": more}


def test_a_response_is_sent_whole_and_closed():
    echo, (start, content) = send_request(body())
    assert start["status"] == 201
    assert start["headers"] == [(b"x-one", b"1"), (b"set-cookie", b"a"), (b"set-cookie", b"b")]
    assert content == {"type": "http.response.body", "body": b"one two"}
    assert echo.closed


def test_a_streamed_response_is_sent_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_bridge, "PIECE", 5)
    monkeypatch.setattr(wsgi_bridge, "IN_MEMORY", 3)
    monkeypatch.setattr(Chunks, "streaming", True, raising=False)
    echo, (_, *pieces) = send_request(body())
    assert [piece["body"] for piece in pieces] == [b"one t", b"wo", b""]
    assert [piece.get("more_body", False) for piece in pieces] == [True, True, False]
    assert echo.closed


def test_the_environ_holds_the_request():
    headers = [(b"host", b"x.example"), (b"accept-language", b"nl"), (b"content-type", b"text/x")]
    echo, _ = send_request(
        body(b"yes"),
        method="POST",
        path="/g/é",
        headers=headers,
        client=("1.2.3.4", 5),
        server=("5.6.7.8", 8443),
        scheme="https",
    )
    expected = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/g/é".encode().decode("latin1"),
        "QUERY_STRING": "b=c",
        "HTTP_HOST": "x.example",
        "HTTP_ACCEPT_LANGUAGE": "nl",
        "CONTENT_TYPE": "text/x",
        "CONTENT_LENGTH": "3",
        "REMOTE_ADDR": "1.2.3.4",
        "SERVER_NAME": "5.6.7.8",
        "SERVER_PORT": "8443",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "https",
    }
    assert {key: echo.environ[key] for key in expected} == expected
    assert echo.body == b"yes"


def test_a_body_in_parts_is_joined_and_has_a_length():
    echo, _ = send_request(body(b"one", more=True), body(b"two", more=True), body(), method="POST")
    assert (echo.body, echo.environ["CONTENT_LENGTH"]) == (b"onetwo", "6")


def test_a_body_that_is_too_long_is_cut_off():
    parts = [body(b"x" * 60, more=True) for _ in range(5)]
    echo, sent = send_request(*parts, method="POST")
    assert int(echo.environ["CONTENT_LENGTH"]) == 120
    assert sent[0]["status"] == 201


def test_a_cut_off_body_keeps_its_content_length():
    headers = [(b"content-length", b"9999")]
    echo, _ = send_request(body(b"x" * 101, more=True), method="POST", headers=headers)
    assert echo.environ["CONTENT_LENGTH"] == "9999"


def test_a_client_that_disconnects_early_reaches_no_application():
    echo, _ = send_request(body(b"x", more=True), {"type": "http.disconnect"}, method="POST")
    assert echo.environ == {}


def test_an_incomplete_body_is_refused_with_security_headers():
    _, (start, _) = send_request(body(b"x", more=True), {"type": "http.disconnect"}, method="POST")
    assert start["status"] == 408
    assert {*SECURITY_HEADERS, (b"connection", b"close")} <= set(start["headers"])


def test_a_body_that_never_arrives_times_out(monkeypatch):
    monkeypatch.setattr(wsgi_bridge, "BODY_SECONDS", 0.0)
    echo, (start, _) = send_request(body(b"x", more=True), method="POST")
    assert start["status"] == 408
    assert echo.environ == {}


def test_a_header_with_an_underscore_is_ignored():
    headers = [(b"x_forwarded_proto", b"https"), (b"content_length", b"0")]
    echo, _ = send_request(body(b"abc"), method="POST", headers=headers)
    assert "HTTP_X_FORWARDED_PROTO" not in echo.environ
    assert echo.body == b"abc"


@pytest.mark.parametrize(("name", "joined"), [(b"cookie", "a; b"), (b"accept", "a,b")])
def test_a_repeated_header_is_joined(name, joined):
    echo, _ = send_request(body(), headers=[(name, b"a"), (name, b"b")])
    assert echo.environ[f"HTTP_{name.decode().upper()}"] == joined


def test_cookies_with_a_backslash_are_ignored():
    # Unquoting them takes quadratic time.
    echo, _ = send_request(
        body(), headers=[(b"cookie", b'a=1; b="\\"\\""; c=3'), (b"cookie", b"d=4")]
    )
    assert echo.environ["HTTP_COOKIE"] == "a=1; c=3; d=4"


class Writer(Echo):
    """An application that commits to a log, and answers 503 when it gets a commit failure."""

    def __init__(self, log: WriteAheadLog) -> None:
        super().__init__()
        self.log = log
        self.requests = 0

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.requests += 1
        if COMMIT_FAILURE in environ:
            start_response("503 Service Unavailable", [])
            return [str(environ[COMMIT_FAILURE]).encode()]
        sync(self.log)
        return super().__call__(environ, start_response)


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    (tmp_path / "some.sqlite3-wal").write_bytes(b"frames")
    return Writer(WriteAheadLog(tmp_path / "some.sqlite3"))


def send_at_once(writer: Writer, events: list[Any], *, requests: int = 1) -> None:
    """Send requests at the same time and append the statuses of their responses to ``events``."""

    async def receive() -> Message:
        return body()

    async def send(message: Message) -> None:
        if "status" in message:
            events.append(message["status"])

    async def send_all() -> None:
        bridge = WSGIBridge(writer, name="writer", threads=2, max_body=100)
        await asyncio.gather(*(bridge(GET, receive, send) for _ in range(requests)))

    asyncio.run(send_all())


def test_a_response_is_sent_after_its_commit_is_durable(writer, monkeypatch):
    events: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", lambda file: events.append("flushed"))
    send_at_once(writer, events)
    assert events == ["flushed", 201]


def test_a_failed_sync_replaces_the_response(writer, monkeypatch):
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    events: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", full)
    send_at_once(writer, events)
    assert events == [503]


def test_concurrent_requests_share_flushes(writer, monkeypatch):
    flushes: list[int] = []

    def flush(_: int) -> None:
        flushes.append(writer.requests)
        while writer.requests < 40:
            pass

    events: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", flush)
    send_at_once(writer, events, requests=40)
    assert events == [201] * 40
    # One for the first request, one for nearly all others, and perhaps some for the last ones.
    assert len(flushes) <= 5
