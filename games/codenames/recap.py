"""The clues of a finished game as a table: the cards that they were for, and those that were
found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.codenames import messages
from games.codenames.clues import Clue
from games.contract import MoveLabel, NotedMove, Recap, RecapRow, SeatKey, Text, text

MEANT = "Meant: %(cards)s."
"""The beginning of the notes of a computer on its clues."""

_COLUMNS = text("Clue"), text("Cards meant"), text("Cards found")
_NOTHING = (MoveLabel("–"),)


def recap(
    view: Mapping[str, Any],
    seats: Mapping[str, SeatKey],
    looks: Mapping[str | None, str],
    moves: Sequence[NotedMove],
) -> Recap:
    """Return the turns in the ``view`` of a finished game. ``seats`` are the spymasters by side,
    and ``looks`` the classes of squares."""
    language, notes = view["language"], (move.note for move in moves if is_clue(move.text))
    rows = [
        RecapRow(
            seat=seats[turn["team"]],
            cells=(
                _clue(turn["clue"], language),
                _meant(next(notes, None), language) if turn["clue"] else _NOTHING,
                _found(turn["found"], looks, "" if view["pictures"] else language),
            ),
        )
        for turn in view["turns"]
        if turn["clue"] or turn["found"]
    ]
    return Recap(title=text("The clues"), columns=_COLUMNS, rows=rows)


def is_clue(move: str) -> bool:
    """Return whether a move is a clue."""
    return move.startswith("clue ")


def _clue(clue: Mapping[str, str] | None, language: str) -> Sequence[MoveLabel]:
    if clue is None:
        return _NOTHING
    return (MoveLabel(messages.short_clue(Clue(**clue)), "given", language),)


def _meant(note: Text | None, language: str) -> Sequence[MoveLabel]:
    return tuple(MoveLabel(cards, "", language) for cards in _cards(note)) or _NOTHING


def _cards(note: Text | None) -> Iterator[str | Text]:
    """Yield the cards in a note, which the coach may have put into a longer one."""
    if note is None:
        return
    if note.message.startswith(MEANT):
        yield note.params["cards"]
        return
    for part in note.params.values():
        if isinstance(part, Text):
            yield from _cards(part)


def _found(
    cards: Sequence[Mapping[str, Any]], looks: Mapping[str | None, str], language: str
) -> Sequence[MoveLabel]:
    found = [MoveLabel(card["card"], looks[card["square"]], language) for card in cards]
    return found or _NOTHING
