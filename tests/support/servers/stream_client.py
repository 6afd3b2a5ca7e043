"""Both ends of the site's streams: a game that changes, and clients that read its stream."""

from __future__ import annotations

import asyncio
import re
import socket
import zlib
from urllib.parse import urlsplit

from tests.support.kinds import two_player_rules
from tests.support.servers.http_client import HTTPClient

HTMX = {"HX-Request": "true"}


class StreamedGame:
    """A game of one player on both seats, changed by a move and its undo in turn."""

    def __init__(self, address: str) -> None:
        self.browser = HTTPClient(address)
        rules = two_player_rules()
        self.browser.get(f"/new/{rules.slug}/")
        seats = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
        options = {option.name: str(option.default) for option in rules.options}
        response = self.browser.post(f"/new/{rules.slug}/", {**options, **seats})
        self.path = re.search(r"/g/\w+/", response.url)[0]  # type: ignore[index]
        position = rules.start(rules.deal(rules.clean({}), None))  # type: ignore[arg-type]
        self._seat = min(position.to_move())
        self._move = next(iter(position.legal_moves(self._seat)))
        self.version = 1

    @property
    def game_id(self) -> str:
        return self.path.split("/")[2]

    def at(self, address: str) -> StreamedGame:
        """Post to another process of the site from now on."""
        self.browser.base = address
        return self

    def change(self) -> int:
        """Make a move or undo it, and return the new version."""
        undone = str((self.version - 1) // 2)
        if self.version % 2:
            data = {"seat": self._seat, "move": self._move, "ply": "0", "undone": undone}
            response = self.browser.post(f"{self.path}move/", data, **HTMX)
        else:
            response = self.browser.post(
                f"{self.path}undo/", {"ply": "1", "undone": undone}, **HTMX
            )
        assert response.status == 200, response.text
        self.version = int(re.search(r'data-version="(\d+)"', response.text)[1])  # type: ignore[index]
        return self.version


class StreamClient:
    """A client of one stream. ``versions`` are those of the boards received."""

    def __init__(self, address: str, path: str, *, gzipped: bool = False, buffer: int = 0) -> None:
        self.address, self.path, self.gzipped = address, path, gzipped
        self.versions: list[int] = []
        self.head = b""
        self.text = ""
        self.ended = asyncio.Event()
        self._buffer = buffer
        self._task: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self, *, has: int = 0, cookie: str = "", host: str = "") -> StreamClient:
        """Connect, and read the response's head."""
        parts = urlsplit(self.address)
        raw = socket.socket()
        if self._buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._buffer)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, (parts.hostname, parts.port))
        reader, self._writer = await asyncio.open_connection(sock=raw)
        lines = [
            f"GET {self.path}events/?has={has} HTTP/1.1",
            f"Host: {host or parts.netloc}",
            "Accept-Encoding: gzip" if self.gzipped else "Accept-Encoding: identity",
            f"Cookie: {cookie}",
        ]
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.head = await reader.readuntil(b"\r\n\r\n")
        self.reader = reader
        return self

    def start_reading(self) -> StreamClient:
        """Read events in a task of the event loop."""
        self._task = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        rest = ""
        try:
            while size := int(await self.reader.readline() or b"0", 16):
                chunk = await self.reader.readexactly(size)
                await self.reader.readexactly(2)
                rest += (unpacker.decompress(chunk) if self.gzipped else chunk).decode()
                *events, rest = rest.split("\n\n")
                for event in events:
                    self.text += f"{event}\n\n"
                    if found := re.search(r"^id: (\d+)$", event, re.MULTILINE):
                        self.versions.append(int(found[1]))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        self.ended.set()

    async def wait_for(self, version: int, seconds: float = 30.0) -> None:
        """Wait until the newest board received has this version."""
        async with asyncio.timeout(seconds):
            while self.versions[-1:] != [version]:
                await asyncio.sleep(0.005)

    async def disconnect(self) -> None:
        """Stop reading and close the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._writer is not None:
            self._writer.close()
            await asyncio.gather(self._writer.wait_closed(), return_exceptions=True)
