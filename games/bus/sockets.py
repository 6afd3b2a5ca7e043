"""The bus for one machine: a publisher sends to the datagram sockets of all processes in a folder,
and removes that of a dead process, which refuses the message."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import secrets
import socket
import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from games.bus.hints import News, deliver

MAX_HINT = 200
MAX_PATH = 90
"""Bytes of the longest path of the folder; the address of a socket has at most 107."""
TIMEOUT = 0.05
"""Seconds to wait for a process whose queue is full; a queue holds a few datagrams only."""
PAUSE_SECONDS = 1.0
"""Seconds without sending to a process after such a timeout."""


def socket_folder(data: Path) -> Path:
    folder = data.resolve() / "live"
    if len(os.fsencode(folder)) <= MAX_PATH:
        return folder
    name = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"boardsite-{os.getuid()}-{name}"


class SocketBus:
    """See `games.bus.hints.Bus`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._own: set[str] = set()
        self._paused: dict[str, float] = {}
        self._sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        # The kernel's timeout: Python's would loop, since poll() ignores a full queue of the peer.
        limit = struct.pack("ll", 0, int(TIMEOUT * 1_000_000))
        self._sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)

    def publish(self, news: News) -> None:
        """Send the hint to every other listening process."""
        message = news.encode().encode()
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
            self._paused[path] = time.monotonic() + PAUSE_SECONDS
        except OSError:
            # The receiving process has just removed its socket.
            self._paused.pop(path, None)

    def check(self) -> None:
        """Raise OSError if the folder of the sockets cannot be read or written."""
        with os.scandir(self._folder):
            pass
        if not os.access(self._folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._folder))

    def close(self) -> None:
        self._sender.close()

    async def listen(self, on_news: Callable[[News], None], on_connect: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        path = str(self._folder / f"{os.getpid()}-{secrets.token_hex(4)}")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
            own.setblocking(False)
            self._own.add(path)
            own.bind(path)
            loop.add_reader(own, _receive, own, on_news)
            try:
                on_connect()
                await loop.create_future()
            finally:
                loop.remove_reader(own)
                Path(path).unlink(missing_ok=True)
                self._own.discard(path)


def _receive(own: socket.socket, on_news: Callable[[News], None]) -> None:
    while True:
        try:
            message = own.recv(MAX_HINT)
        except BlockingIOError:
            return
        deliver(message.decode(errors="replace"), on_news)
