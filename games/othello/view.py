"""The types of its view, of which the site makes the schema of its API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from games.contract import Text

Seat = Literal["black", "white"]


class Content(TypedDict):
    """The disc on a square, or none."""

    label: Text
    disc: Seat | None


class Square(Content):
    """A square, its disc, and whether that was placed last."""

    name: str
    placed: bool


class View(TypedDict):
    """A position as everybody sees it."""

    size: int
    rows: Sequence[Sequence[Square]]
    turn: str | None
    counts: Mapping[str, int]
    empty: int
    squares_left: Text
    score: Mapping[str, int] | None
    passed: str | None
    winning: Sequence[str]
    sound: Literal["capture", "move"]
