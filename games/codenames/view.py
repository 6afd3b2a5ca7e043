"""The types of its view, of which the site makes the schema of its API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from games.codenames.cards.printing import Print
from games.codenames.messages import CardName
from games.contract import Text


class Face(TypedDict):
    """A card: its word or picture, and its square of the key, null for who may not know it."""

    label: Text
    card: CardName
    printed: Print | None
    picture: str | None
    square: str | None
    selected: bool


class Card(Face):
    """A card in its place."""

    name: str


class ClueView(TypedDict):
    """A clue."""

    word: str
    number: str


class Found(TypedDict):
    """A card that was revealed, and its square."""

    card: CardName
    square: str


class TurnView(TypedDict):
    """A turn of a team."""

    team: str
    clue: ClueView | None
    guesses: Sequence[str]
    found: Sequence[Found]


class View(TypedDict):
    """The table as a seat sees it; with the key if ``key_shown``."""

    rows: Sequence[Sequence[Card]]
    pictures: bool
    language: str
    clues_required: bool
    key_shown: bool
    team: str | None
    clue: ClueView | None
    guesses_left: int | None
    guesses: Text
    pips: Sequence[bool]
    may_clue: bool
    may_stop: bool
    turns: Sequence[TurnView]
    winning: Sequence[str]
    sound: Literal["capture", "move"]
