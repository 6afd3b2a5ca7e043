"""The bus of one machine: every listening process has a datagram socket in a common folder.

There is no broker: who publishes sends to each socket in the folder. A socket whose process is
gone refuses, and is removed by the first who notices.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import socket
import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from games.bus import Hint, hand_on

LONGEST_HINT = 200
LONGEST_PATH = 90
"""Bytes that the path of the folder may have: addresses of sockets end at 107."""
PATIENCE = 0.05
"""Seconds to wait for a process whose queue is full; it holds a few datagrams only."""
PAUSE = 1.0
"""Seconds for which a process is left alone that did not make room in time."""


def folder_of(data: Path) -> Path:
    """Where the sockets of the site with this data folder are."""
    folder = data.resolve() / "live"
    if len(os.fsencode(folder)) <= LONGEST_PATH:
        return folder
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"boardsite-{os.getuid()}-{name}"


class SocketBus:
    """See `games.bus.Bus`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._own: set[str] = set()
        self._paused: dict[str, float] = {}
        self._sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        # The kernel's own time limit: Python's would spin, as a full peer counts as writable.
        limit = struct.pack("ll", 0, int(PATIENCE * 1_000_000))
        self._sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)

    def publish(self, hint: Hint) -> None:
        """Send the hint to every other process that listens."""
        message = hint.encode().encode()
        with os.scandir(self._folder) as entries:
            others = [entry.path for entry in entries if entry.path not in self._own]
        for path in others:
            self._send(message, path)

    def _send(self, message: bytes, path: str) -> None:
        if self._paused and time.monotonic() < self._paused.get(path, 0.0):
            return
        try:
            self._sender.sendto(message, path)
        except ConnectionRefusedError:
            Path(path).unlink(missing_ok=True)
            self._paused.pop(path, None)
        except BlockingIOError:
            self._paused[path] = time.monotonic() + PAUSE
        except OSError:
            # It has just gone, by itself.
            self._paused.pop(path, None)

    def close(self) -> None:
        """Give back the socket that sends; a bus that listens is ended by cancelling that."""
        self._sender.close()

    async def listen(self, heard: Callable[[Hint], None], renewed: Callable[[], None]) -> None:
        """Listen on a socket of one's own until cancelled."""
        loop = asyncio.get_running_loop()
        path = str(self._folder / f"{os.getpid()}-{secrets.token_hex(4)}")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
            own.setblocking(False)
            self._own.add(path)
            own.bind(path)
            loop.add_reader(own, _receive, own, heard)
            try:
                renewed()
                await loop.create_future()
            finally:
                loop.remove_reader(own)
                Path(path).unlink(missing_ok=True)
                self._own.discard(path)


def _receive(own: socket.socket, heard: Callable[[Hint], None]) -> None:
    """Hand on everything that has arrived."""
    while True:
        try:
            message = own.recv(LONGEST_HINT)
        except BlockingIOError:
            return
        hand_on(message.decode(errors="replace"), heard)
