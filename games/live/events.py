"""Server-sent events as bytes, plain and compressed. Pure.

Each event is compressed once for all streams: it is a run of deflate blocks that refers to nothing
before it and ends on a whole byte. So any sequence of events after a gzip header is a valid gzip
stream. The format of an event: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from games.presentation.visibility import Viewer
from games.web.headers import deflate_block

if TYPE_CHECKING:
    from games.state.snapshot import GameSnapshot

Message = MutableMapping[str, Any]

# RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
RETRIES = (400, 700, 1000, 1300, 1600, 1900)
"""Milliseconds after which browsers reconnect: several values, so that not all browsers that lost
their connections together come back together."""


SHUT_OUT = 1 << 61
"""A version higher than that of any board, so that no board is newer."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event as ASGI messages, shared by all streams. ``version`` is that of its board,
    `SHUT_OUT` for the last event of a stream."""

    version: int | None
    plain: Message
    gzipped: Message

    @property
    def size(self) -> int:
        return len(self.plain["body"]) + len(self.gzipped["body"])


def board_event(version: int, html: bytes) -> Event:
    """Return the event of a board in HTML, with the game's version as id."""
    return _event(version, _encode(html, name="board", number=version))


def data_event(name: str, version: int, data: bytes) -> Event:
    return _event(version, _encode(data, name=name, number=version))


def presence_event(data: bytes) -> Event:
    return _event(None, _encode(data, name="here"))


def line_event(html: str) -> Event:
    """Return the event of the line on a seeker of an opponent, empty without one."""
    return _event(None, _encode(html.encode(), name="someone"))


def _encode(data: bytes, *, name: str, number: int | None = None) -> bytes:
    head = f"event: {name}\n" if number is None else f"event: {name}\nid: {number}\n"
    # These are all line ends that the format knows.
    content = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\ndata: ")
    return head.encode() + b"data: " + content + b"\n\n"


def _event(version: int | None, content: bytes, head: bytes = b"") -> Event:
    return Event(version, _message(content), _message(head + deflate_block(content)))


def _message(body: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


GREETINGS = tuple(_event(None, f"retry: {retry}\n\n".encode(), GZIP_HEADER) for retry in RETRIES)
"""The first events of streams; each stream gets one of them."""
LAST: Message = {"type": "http.response.body", "body": b"", "more_body": False}
"""The end of a stream."""
SHUT = Event(
    SHUT_OUT,
    _message(_encode(b"", name="shut"), more=False),
    _message(deflate_block(_encode(b"", name="shut")), more=False),
)
"""The end of a stream whose viewer may not watch the game any longer. It contains no version."""
HEARTBEAT = _event(None, _encode(b"", name="beat"))
"""Sent between boards, so that a browser notices a dead connection. It is a named event, since
scripts never see comments."""


class Asked(NamedTuple):
    """The kind of game in which a viewer plays a computer, and could play a seeker of an opponent;
    with the language of that line."""

    kind: str
    language: str
    player_id: UUID | None


@dataclass(frozen=True, slots=True)
class Boards:
    """A game's newest version and its board for each viewer."""

    version: int
    by_viewer: Mapping[Viewer, Event]


@dataclass(frozen=True, slots=True)
class Reader(Viewer):
    """A viewer that makes its own events of a game."""

    @abstractmethod
    def event(self, snapshot: GameSnapshot) -> Event:
        """Return the event of a version of the game. It may use the database."""
