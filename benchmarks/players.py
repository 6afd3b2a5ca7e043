"""The load of `benchmarks.moves`: players in one event loop, and their moves.

A table is a game whose players move in turn, each on a connection of its own and as soon as the
previous move is answered, so with N tables there are always N moves under way.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Plies = Sequence[tuple[int, str]]
"""A complete game: the number of the seat of each move, and the move as it is sent."""


class Table(Protocol):
    """The players of one game at one server."""

    async def sit(self) -> None:
        """Connect. This is not measured."""

    async def move(self, ply: int, who: int, move: str) -> int:
        """Make a move, wait until its player has the new state of the game, and return the size of
        that."""

    def leave(self) -> None:
        """Disconnect."""


@dataclass(frozen=True)
class Measured:
    """The result of one run: moves per second, seconds until each answer, the server's processor
    time for one move, and the bytes of an answer."""

    rate: float
    waits: Sequence[float]
    used: float
    size: float

    @property
    def p50(self) -> float:
        return statistics.median(self.waits)

    @property
    def p99(self) -> float:
        return sorted(self.waits)[int(len(self.waits) * 0.99)]


async def play_all(
    seated: Sequence[tuple[Table, Plies]], seconds: float, clock: Callable[[], float]
) -> Measured:
    """Play at all tables at once for ``seconds``, or until the first game is over, since fewer
    moves would be under way after that. ``clock`` returns the processor time of the server."""
    await asyncio.gather(*(table.sit() for table, _ in seated))
    waits: list[float] = []
    sizes: list[int] = []
    began, used = time.perf_counter(), clock()
    ends: list[float] = []

    async def play(table: Table, plies: Plies) -> None:
        for ply, (who, move) in enumerate(plies):
            sent = time.perf_counter()
            if ends or sent - began > seconds:
                break
            sizes.append(await table.move(ply, who, move))
            waits.append(time.perf_counter() - sent)
        ends.append(time.perf_counter())

    await asyncio.gather(*(play(table, plies) for table, plies in seated))
    used = (clock() - used) / len(waits)
    for table, _ in seated:
        table.leave()
    return Measured(len(waits) / (max(ends) - began), waits, used, statistics.mean(sizes))


class Wire:
    """A connection for one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self._port)

    def close(self) -> None:
        self.writer.close()

    async def ask(self, request: bytes) -> tuple[bytes, bytes]:
        """Send an HTTP request and return the head and the body of the response."""
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        found = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
        size = int(found[0].split(b":")[1]) if found else 0
        return head, await self.reader.readexactly(size)


class SiteTable:
    """Browsers at this site, one for each seat. They send the POST requests of htmx, cookies and
    CSRF token."""

    def __init__(self, port: int, game_id: str, seats: Sequence[str], cookies: Sequence[str]):
        self._path, self._seats, self._cookies = f"/g/{game_id}/", seats, list(cookies)
        self._host = f"127.0.0.1:{port}"
        self._wires = [Wire(port) for _ in seats]
        self._tokens: list[str] = []

    async def sit(self) -> None:
        """Open the page, and take the CSRF token from its forms and its cookie."""
        for who, wire in enumerate(self._wires):
            await wire.open()
            head, body = await wire.ask(self._request("GET", self._path, who, "").encode())
            _check(head)
            text = body.decode()
            self._tokens.append(text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0])
            cookie = head.decode().split("csrftoken=")[1].split(";")[0]
            self._cookies[who] += f"; csrftoken={cookie}"

    async def move(self, ply: int, who: int, move: str) -> int:
        body = (
            f"csrfmiddlewaretoken={self._tokens[who]}&ply={ply}&seat={self._seats[who]}"
            f"&move={move.replace(' ', '+')}"
        )
        head, board = await self._wires[who].ask(
            self._request("POST", f"{self._path}move/", who, body).encode()
        )
        _check(head)
        return len(board)

    def leave(self) -> None:
        for wire in self._wires:
            wire.close()

    def _request(self, method: str, path: str, who: int, body: str) -> str:
        # A browser requests gzip in both, but the token of this page has to be read.
        form = (
            "HX-Request: true\r\nHX-Target: board\r\nAccept-Encoding: gzip, deflate, br\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n"
        )
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nCookie: {self._cookies[who]}\r\n"
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36\r\n"
            f"Accept: */*\r\nAccept-Language: en-US,en;q=0.9\r\nOrigin: http://{self._host}\r\n"
            f"{form if body else ''}\r\n{body}"
        )


def _check(head: bytes) -> None:
    if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 101")):
        raise RuntimeError(head.decode())


class BoardgameTable:
    """Two clients of a boardgame.io server: its lobby over HTTP, then moves over socket.io.

    A move is answered when the server has sent the resulting state to its player."""

    def __init__(self, port: int, kind: str) -> None:
        self._port, self._kind, self._match = port, kind, ""
        self._sockets: list[Socket] = []
        self._credentials: list[str] = []

    async def sit(self) -> None:
        lobby = Wire(self._port)
        await lobby.open()
        answer = await self._post(lobby, "create", {"numPlayers": 2})
        self._match = answer["matchID"]
        for who in range(2):
            joined = {"playerID": str(who), "playerName": "Olive"}
            answer = await self._post(lobby, f"{self._match}/join", joined)
            self._credentials.append(answer["playerCredentials"])
        lobby.close()
        for who, credentials in enumerate(self._credentials):
            socket = Socket(self._port, self._kind)
            await socket.open()
            await socket.emit("sync", self._match, str(who), credentials, 2)
            await socket.wait_for("sync")
            self._sockets.append(socket)

    async def move(self, ply: int, who: int, move: str) -> int:
        payload = {
            "type": "place",
            "args": [move],
            "playerID": str(who),
            "credentials": self._credentials[who],
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        await self._sockets[who].emit("update", action, ply, self._match, str(who))
        while True:
            _, state = (await self._sockets[who].wait_for("update"))[:2]
            if state["_stateID"] == ply + 1:
                return len(json.dumps(state))

    def leave(self) -> None:
        for socket in self._sockets:
            socket.close()

    async def _post(self, lobby: Wire, path: str, sent: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps(sent)
        head, answer = await lobby.ask(
            (
                f"POST /games/{self._kind}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        _check(head)
        return json.loads(answer)  # type: ignore[no-any-return]


class Socket:
    """A minimal socket.io client (engine.io 4) on a WebSocket (RFC 6455)."""

    def __init__(self, port: int, namespace: str) -> None:
        self._wire, self._port, self._space = Wire(port), port, namespace

    async def open(self) -> None:
        await self._wire.open()
        key = b64encode(os.urandom(16)).decode()
        head, _ = await self._wire.ask(
            (
                "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        _check(head)
        await self._receive()
        self._send(f"40/{self._space},")
        await self._receive()

    def close(self) -> None:
        self._wire.close()

    async def emit(self, *event: Any) -> None:
        self._send(f"42/{self._space},{json.dumps(event)}")

    async def wait_for(self, name: str) -> list[Any]:
        """Return the arguments of the next event of this name."""
        start = f'42/{self._space},["{name}"'
        while True:
            message = await self._receive()
            if message == "2":
                self._send("3")
            elif message.startswith(start):
                return json.loads(message[message.index("[") :])[1:]  # type: ignore[no-any-return]

    def _send(self, text: str) -> None:
        data, mask = text.encode(), random.randbytes(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        masked = (int.from_bytes(data, "big") ^ key).to_bytes(size, "big")
        self._wire.writer.write(head + mask + masked)

    async def _receive(self) -> str:
        reader = self._wire.reader
        size = (await reader.readexactly(2))[1]
        if size == 126:
            size = int.from_bytes(await reader.readexactly(2), "big")
        elif size == 127:
            size = int.from_bytes(await reader.readexactly(8), "big")
        return (await reader.readexactly(size)).decode()
