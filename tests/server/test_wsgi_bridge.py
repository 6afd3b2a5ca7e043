"""The front: a WSGI application behind ASGI, as Django sees it and as the server does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from boardsite.server import wsgi_bridge
from boardsite.server.wsgi_bridge import Environ, Message, WSGIBridge
from games.middleware import COMMIT_FAILURE
from games.storage import group_commit
from games.storage.group_commit import WriteAheadLog, sync
from games.web.headers import STRICT

GET = {
    "type": "http",
    "method": "GET",
    "path": "/a",
    "query_string": b"b=c",
    "http_version": "1.1",
    "headers": [],
}


class Echo:
    """A WSGI application that keeps what it is asked, and reads the body."""

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


def ask(*parts: Message, most: int = 100, **scope: Any) -> tuple[Echo, list[Message]]:
    """Send a request whose body comes in parts, and give what was asked and answered. After the
    last part nothing comes any more."""
    echo, sent, waiting = Echo(), [], list(parts)

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    answering = WSGIBridge(echo, threads=1, most=most)({**GET, **scope}, receive, send)
    asyncio.run(asyncio.wait_for(answering, 20))
    return echo, sent


def body(content: bytes = b"", *, more: bool = False) -> Message:
    return {"type": "http.request", "body": content, "more_body": more}


def test_an_answer_goes_out_whole_and_is_closed():
    echo, (start, content) = ask(body())
    assert start["status"] == 201
    assert start["headers"] == [(b"x-one", b"1"), (b"set-cookie", b"a"), (b"set-cookie", b"b")]
    assert content == {"type": "http.response.body", "body": b"one two"}
    assert echo.closed


def test_a_request_arrives_as_wsgi_has_it():
    headers = [(b"host", b"x.example"), (b"accept-language", b"nl"), (b"content-type", b"text/x")]
    echo, _ = ask(
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


def test_a_body_in_parts_arrives_in_one_piece_with_its_length():
    echo, _ = ask(body(b"one", more=True), body(b"two", more=True), body(), method="POST")
    assert (echo.body, echo.environ["CONTENT_LENGTH"]) == (b"onetwo", "6")


def test_of_a_body_that_is_too_long_no_more_is_read_than_tells_so():
    parts = [body(b"x" * 60, more=True) for _ in range(5)]
    echo, sent = ask(*parts, method="POST")
    assert int(echo.environ["CONTENT_LENGTH"]) == 120
    assert sent[0]["status"] == 201


def test_the_length_that_is_stated_stays_when_the_body_is_cut_off():
    headers = [(b"content-length", b"9999")]
    echo, _ = ask(body(b"x" * 101, more=True), method="POST", headers=headers)
    assert echo.environ["CONTENT_LENGTH"] == "9999"


def test_a_client_that_hangs_up_before_its_body_is_there_asks_nothing():
    echo, _ = ask(body(b"x", more=True), {"type": "http.disconnect"}, method="POST")
    assert echo.environ == {}


def test_who_sends_no_whole_body_is_given_up_with_strict_headers():
    _, (start, _) = ask(body(b"x", more=True), {"type": "http.disconnect"}, method="POST")
    assert start["status"] == 408
    assert {*STRICT, (b"connection", b"close")} <= set(start["headers"])


def test_a_body_that_never_comes_is_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(wsgi_bridge, "BODY_SECONDS", 0.0)
    echo, (start, _) = ask(body(b"x", more=True), method="POST")
    assert start["status"] == 408
    assert echo.environ == {}


def test_a_header_with_an_underscore_does_not_pass_for_one_of_a_proxy():
    headers = [(b"x_forwarded_proto", b"https"), (b"content_length", b"0")]
    echo, _ = ask(body(b"abc"), method="POST", headers=headers)
    assert "HTTP_X_FORWARDED_PROTO" not in echo.environ
    assert echo.body == b"abc"


@pytest.mark.parametrize(("name", "joined"), [(b"cookie", "a; b"), (b"accept", "a,b")])
def test_a_header_that_comes_twice_is_one(name, joined):
    echo, _ = ask(body(), headers=[(name, b"a"), (name, b"b")])
    assert echo.environ[f"HTTP_{name.decode().upper()}"] == joined


def test_of_the_cookies_those_with_a_backslash_are_left_out():
    # The time that unquoting takes goes with the square of their length.
    echo, _ = ask(body(), headers=[(b"cookie", b'a=1; b="\\"\\""; c=3'), (b"cookie", b"d=4")])
    assert echo.environ["HTTP_COOKIE"] == "a=1; c=3; d=4"


class Debtor(Echo):
    """An application that commits to a log; told that this failed, it says so."""

    def __init__(self, log: WriteAheadLog) -> None:
        super().__init__()
        self.log = log
        self.asked = 0

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.asked += 1
        if COMMIT_FAILURE in environ:
            start_response("503 Service Unavailable", [])
            return [str(environ[COMMIT_FAILURE]).encode()]
        sync(self.log)
        return super().__call__(environ, start_response)


@pytest.fixture
def debtor(tmp_path: Path) -> Debtor:
    (tmp_path / "some.sqlite3-wal").write_bytes(b"frames")
    return Debtor(WriteAheadLog(tmp_path / "some.sqlite3"))


def ask_at_once(debtor: Debtor, noted: list[Any], *, requests: int = 1) -> None:
    """Send requests at the same time, and note the statuses of their answers."""

    async def receive() -> Message:
        return body()

    async def send(message: Message) -> None:
        if "status" in message:
            noted.append(message["status"])

    async def all_of_them() -> None:
        front = WSGIBridge(debtor, threads=2, most=100)
        await asyncio.gather(*(front(GET, receive, send) for _ in range(requests)))

    asyncio.run(all_of_them())


def test_an_answer_leaves_when_what_it_tells_of_is_on_the_disk(debtor, monkeypatch):
    noted: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", lambda file: noted.append("on the disk"))
    ask_at_once(debtor, noted)
    assert noted == ["on the disk", 201]


def test_an_answer_that_could_not_be_kept_says_so_instead(debtor, monkeypatch):
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    noted: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", full)
    ask_at_once(debtor, noted)
    assert noted == [503]


def test_those_who_owe_at_the_same_time_wait_for_the_disk_together(debtor, monkeypatch):
    flushes: list[int] = []

    def flush(_: int) -> None:
        flushes.append(debtor.asked)
        while debtor.asked < 40:
            pass

    noted: list[Any] = []
    monkeypatch.setattr(group_commit, "_fdatasync", flush)
    ask_at_once(debtor, noted, requests=40)
    assert noted == [201] * 40
    # One for the first, one for nearly all, and perhaps some for the last to be carried out.
    assert len(flushes) <= 5
