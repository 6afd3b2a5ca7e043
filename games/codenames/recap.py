"""The clues of a finished game as a table: the cards that they were for, those that were close, and
those that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.codenames import messages
from games.codenames.clues import Clue
from games.contract import MoveLabel, NotedMove, Recap, RecapRow, SeatKey, Text, text

MEANT = "Meant: %(cards)s."
"""The beginning of the notes of a computer on its clues."""
HEARD = ("A listener takes %(", "%(taken)s was clear.")
"""The beginnings of the notes of `games.codenames.reasons` on the clues of anybody."""

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
    """Return the cards that a computer says it meant, and others that were close; for a clue of
    people, which card of others a listener was nearest to."""
    told = _params(note)
    if "cards" not in told:
        wrong = text("(nearest: %(card)s)", card=told.get("wrong"))
        return (*_NOTHING, MoveLabel(wrong, "", language)) if told.get("wrong") else _NOTHING
    meant = MoveLabel(told["cards"], "", language)
    close = text("(also close: %(cards)s)", cards=told.get("close"))
    return (meant, MoveLabel(close, "", language)) if told.get("close") else (meant,)


def _params(note: str | Text | None) -> dict[str, str | Text]:
    """Return the cards in a note, which the coach may have put into a longer one."""
    if not isinstance(note, Text):
        return {}
    if note.message.startswith((MEANT, *HEARD)):
        return dict(note.params)
    return {name: cards for part in note.params.values() for name, cards in _params(part).items()}


def _found(
    cards: Sequence[Mapping[str, Any]], looks: Mapping[str | None, str], language: str
) -> Sequence[MoveLabel]:
    found = [MoveLabel(card["card"], looks[card["square"]], language) for card in cards]
    return found or _NOTHING
