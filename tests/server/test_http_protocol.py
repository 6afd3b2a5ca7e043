"""HTTPProtocol closes connections whose requests never end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from uvicorn.server import ServerState

from boardsite.server import http_protocol
from boardsite.server.http_protocol import MAX_PIPELINED, MAX_UNPARSED, HTTPProtocol
from boardsite.server.uvicorn_server import config

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
SOON = 0.1

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let headers time out at once."""
    monkeypatch.setattr(http_protocol, "HEADER_SECONDS", SOON)


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Answer once the body is complete; at /slow long after the timeout of headers."""
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(4 * SOON)
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def connection() -> AsyncIterator[Connection]:
    """Connect to a server of its own."""
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


def with_connection(
    use: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]],
) -> bytes:
    """Return the result of ``use``, called with a connection."""

    async def work() -> bytes:
        async with connection() as (reader, writer), asyncio.timeout(60):
            return await use(reader, writer)

    return asyncio.run(work())


def response_to(*parts: bytes) -> bytes:
    """Send parts of a request; return all that comes back until the server closes."""

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for part in parts:
            writer.write(part)
            await writer.drain()
        try:
            return await reader.read()
        except ConnectionResetError:
            return b"reset"

    return with_connection(use)


def second_response_to(more: bytes) -> bytes:
    """Send one whole request, then more bytes; return the response to those."""

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET)
        assert await reader.readexactly(len(OK)) == OK
        writer.write(more)
        return await reader.read()

    return with_connection(use)


def test_a_connection_without_a_request_is_closed(short_timeout: None) -> None:
    assert response_to() == b""


def test_incomplete_headers_time_out(short_timeout: None) -> None:
    assert response_to(GET[:-2]) == b""


def test_incomplete_headers_of_a_second_request_time_out(short_timeout: None) -> None:
    assert second_response_to(GET[:-2]) == b""


def test_an_empty_line_after_a_response_times_out(short_timeout: None) -> None:
    assert second_response_to(b"\r\n") == b""


def test_half_a_pipelined_request_times_out(short_timeout: None) -> None:
    assert response_to(GET + GET[:-2]) == OK


def test_a_complete_request_has_no_timeout(short_timeout: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET.replace(b"/", b"/slow", 1))
        return await reader.readexactly(len(OK))

    assert with_connection(use) == OK


def test_a_body_may_take_longer_than_headers(short_timeout: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(POST)
        await asyncio.sleep(4 * SOON)
        writer.write(b"1\r\nx\r\n0\r\n\r\n")
        return await reader.readexactly(len(OK))

    assert with_connection(use) == OK


def test_headers_may_arrive_byte_by_byte(short_timeout: None) -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for byte in GET:
            writer.write(bytes([byte]))
            await writer.drain()
        return await reader.readexactly(len(OK))

    assert with_connection(use) == OK


@pytest.mark.parametrize(
    "begun",
    [
        GET[:-2] + b"X: ",
        b"GET /",
        # The trailer after a chunked body, and the extension before a chunk.
        POST + b"0\r\nX: ",
        POST + b"1;",
    ],
)
def test_endless_headers_close_the_connection(begun: bytes) -> None:
    piece = b"x" * MAX_UNPARSED
    assert response_to(begun, piece, *[piece] * 40) in {b"", b"reset"}


def test_a_chunked_body_may_be_longer_than_headers() -> None:
    part = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"

    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(POST + part * 40 + b"0\r\n\r\n")
        return await reader.readexactly(len(OK))

    assert with_connection(use) == OK


def test_requests_may_be_pipelined() -> None:
    async def use(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(GET * MAX_PIPELINED)
        return await reader.readexactly(len(OK) * MAX_PIPELINED)

    assert with_connection(use) == OK * MAX_PIPELINED


def test_endless_pipelining_closes_the_connection() -> None:
    responses = response_to(GET * 1000)
    assert responses == b"reset" or len(responses) <= len(OK) * (MAX_PIPELINED + 1)
