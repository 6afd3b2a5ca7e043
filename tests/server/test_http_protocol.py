"""Connections on which nothing whole comes: they end, and the others do not notice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from uvicorn.server import ServerState

from boardsite.server import http_protocol
from boardsite.server.http_protocol import LONGEST_HEAD, MOST_AHEAD, HTTPProtocol
from boardsite.server.uvicorn_server import config

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
SOON = 0.1

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits for headers no longer than a moment."""
    monkeypatch.setattr(http_protocol, "HEAD_SECONDS", SOON)


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answers when all is there; at /slow much later than headers are waited for."""
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(4 * SOON)
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def line() -> AsyncIterator[Line]:
    """A connection to a server of its own."""
    served = config(answer)
    served.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: HTTPProtocol(config=served, server_state=state, app_state={}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    yield reader, writer
    writer.close()
    server.close()


def on_a_line(
    use: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]],
) -> bytes:
    """What somebody gets who uses a connection in a way."""

    async def work() -> bytes:
        async with line() as (reader, writer), asyncio.timeout(60):
            return await use(reader, writer)

    return asyncio.run(work())


def sent(*parts: bytes) -> bytes:
    """All that comes back for what is sent, until the server ends the connection."""

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for part in parts:
            writer.write(part)
            await writer.drain()
        try:
            return await reader.read()
        except ConnectionResetError:
            return b"reset"

    return on_a_line(use)


def after_an_answer(more: bytes) -> bytes:
    """What comes back for what is sent once a request has been answered."""

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET)
        assert await reader.readexactly(len(OK)) == OK
        writer.write(more)
        return await reader.read()

    return on_a_line(use)


def test_who_asks_nothing_is_hung_up_on(impatient: None) -> None:
    assert sent() == b""


def test_who_begins_to_ask_and_does_not_go_on_is_hung_up_on(impatient: None) -> None:
    assert sent(GET[:-2]) == b""


def test_so_is_whose_second_request_does_not_go_on(impatient: None) -> None:
    assert after_an_answer(GET[:-2]) == b""


def test_so_is_who_sends_nothing_but_an_empty_line_after_an_answer(impatient: None) -> None:
    assert after_an_answer(b"\r\n") == b""


def test_so_is_who_follows_a_request_with_half_a_one(impatient: None) -> None:
    assert sent(GET + GET[:-2]) == OK


def test_whoever_has_asked_may_wait_for_the_answer(impatient: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET.replace(b"/", b"/slow", 1))
        return await reader.readexactly(len(OK))

    assert on_a_line(use) == OK


def test_a_body_may_take_longer_than_headers(impatient: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(POST)
        await asyncio.sleep(4 * SOON)
        writer.write(b"1\r\nx\r\n0\r\n\r\n")
        return await reader.readexactly(len(OK))

    assert on_a_line(use) == OK


def test_headers_that_come_piece_by_piece_are_read(impatient: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for byte in GET:
            writer.write(bytes([byte]))
            await writer.drain()
        return await reader.readexactly(len(OK))

    assert on_a_line(use) == OK


@pytest.mark.parametrize(
    "begun",
    [
        GET[:-2] + b"X: ",
        b"GET /",
        # What may follow a body that comes in parts, and what may stand before a part.
        POST + b"0\r\nX: ",
        POST + b"1;",
    ],
)
def test_what_has_no_end_is_not_read_to_its_end(begun: bytes) -> None:
    piece = b"x" * LONGEST_HEAD
    assert sent(begun, piece, *[piece] * 40) in {b"", b"reset"}


def test_a_body_in_parts_may_be_longer_than_headers() -> None:
    part = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(POST + part * 40 + b"0\r\n\r\n")
        return await reader.readexactly(len(OK))

    assert on_a_line(use) == OK


def test_requests_may_be_sent_ahead() -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET * MOST_AHEAD)
        return await reader.readexactly(len(OK) * MOST_AHEAD)

    assert on_a_line(use) == OK * MOST_AHEAD


def test_who_sends_requests_ahead_without_end_is_hung_up_on() -> None:
    answers = sent(GET * 1000)
    assert answers == b"reset" or len(answers) <= len(OK) * (MOST_AHEAD + 1)
