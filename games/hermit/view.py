"""The types of its view, of which the site makes the schema of its API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from games.contract import Text


class Square(TypedDict):
    """A square: the colour and the part of its block, '' without one, and the colours that fit."""

    name: str
    label: Text
    colour: str
    part: str
    allowed: Sequence[str]


class Colour(TypedDict):
    """A colour, and the number of squares where it fits."""

    key: str
    label: Text
    squares: int


class View(TypedDict):
    """A position as everybody sees it."""

    size: int
    rows: Sequence[Sequence[Square]]
    colours: Sequence[Colour]
