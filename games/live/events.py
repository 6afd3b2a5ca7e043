"""Server-sent events as bytes, plain and compressed. Pure.

The events of a stream are compressed one by one and for all streams at once: each is a run of
deflate blocks that refers to nothing before it and ends on a whole byte, so that any stream,
begun with a gzip header, is a valid one whatever it was sent before. The format of an event:
https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import zlib
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

Message = MutableMapping[str, Any]

# RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LEVEL = 6
RETRIES = (400, 700, 1000, 1300, 1600, 1900)
"""Milliseconds after which a browser asks again. Several: all that lost the connection at one
moment would come back at another one."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event ready to be sent to any stream: the same ASGI message for all of them.

    ``version`` is that of the board in it; None for events that hold none."""

    version: int | None
    plain: Message
    gzipped: Message

    @property
    def size(self) -> int:
        """Bytes of both."""
        return len(self.plain["body"]) + len(self.gzipped["body"])


def board_event(version: int, html: bytes) -> Event:
    """The event that brings a board: its id is the game's version, its data the HTML (UTF-8)."""
    return _event(version, _encode(html, name="board", number=version))


def _encode(data: bytes, *, name: str, number: int | None = None) -> bytes:
    head = f"event: {name}\n" if number is None else f"event: {name}\nid: {number}\n"
    # Only these end a line of the format.
    content = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\ndata: ")
    return head.encode() + b"data: " + content + b"\n\n"


def _event(version: int | None, content: bytes, head: bytes = b"") -> Event:
    return Event(version, _message(content), _message(head + _deflate(content)))


def _message(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def _deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)


GREETINGS = tuple(_event(None, f"retry: {retry}\n\n".encode(), GZIP_HEADER) for retry in RETRIES)
"""What a stream begins with, one of them."""
LAST: Message = {"type": "http.response.body", "body": b"", "more_body": False}
"""Ends a stream."""
HEARTBEAT = _event(None, _encode(b"", name="beat"))
"""Sent when nothing happens, so that a browser notices when nothing comes any more. A named
event: scripts never see comments."""
