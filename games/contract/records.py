"""Records: finished or running games in the formats of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, BinaryIO, TypeVar

from games.contract.errors import Explained
from games.contract.position import Position
from games.contract.seats import SeatKey
from games.contract.texts import Text

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class Record:
    """A game as it is written down: its options, its setup, and its moves with their seats.

    ``names`` are those of the players by seat, as far as they are known; ``day`` is an ISO date, a
    year or ''. ``result`` is written as in the file, of a game that its moves do not end."""

    options: Mapping[str, Any]
    setup: Mapping[str, Any]
    moves: Sequence[tuple[SeatKey, str]] = ()
    names: Mapping[SeatKey, str] = field(default_factory=lambda: MappingProxyType({}))
    day: str = ""
    event: str = ""
    place: str = ""
    result: str = ""


class BadRecord(Explained):
    """Raised for a text that is no game, at its first unreadable character."""

    def __init__(self, reason: Text, at: int) -> None:
        self.at = at
        super().__init__(reason)


def attempt(make: Callable[..., Made], *values: Any) -> Made | BadRecord:
    """Return the value that ``make`` returns, or its BadRecord."""
    try:
        return make(*values)
    except BadRecord as error:
        return error


class CannotWrite(Explained):
    """Raised for a game that a format has no words for."""


def _unread(_text: str) -> Iterator[Record | BadRecord]:
    raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class RecordFormat:
    """A format of one kind of game that other programs know.

    ``slug`` is its part of an address, and ``ending`` that of file names. ``write`` returns a game
    as text, or raises CannotWrite. ``recognises`` says from the beginning of a text whether it is
    in this format; ``read`` then yields its games, for a faulty one its BadRecord, and raises
    BadRecord where it cannot go on. A format that is not read recognises nothing."""

    slug: str
    name: Text
    ending: str
    write: Callable[[Record], str] | None = None
    recognises: Callable[[str], bool] = lambda _text: False
    read: Callable[[str], Iterable[Record | BadRecord]] = _unread


@dataclass(frozen=True, kw_only=True)
class ArchiveFormat:
    """A format in bytes for many games of one kind, which staff import.

    ``ending`` is that of file names; ``companions`` are the endings of files beside one, to whose
    contents it refers. ``read`` yields games as that of `RecordFormat` does; its BadRecord counts
    bytes."""

    ending: str
    companions: Sequence[str] = ()
    read: Callable[[BinaryIO, Mapping[str, bytes]], Iterator[Record | BadRecord]]


def replay_record(start: Callable[[Mapping[str, Any]], Position], record: Record) -> Position:
    """Return the position after the moves of a record. Raises MoveError."""
    position = start(record.setup)
    for seat, move in record.moves:
        position.play(seat, move)
    return position
