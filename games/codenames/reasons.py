"""The coach of Codenames: the cards that a clue led to, looked at once the game is over.

Each sentence says which cards a listener would have taken, and which wrong card was nearest. The
listener knows the words alone, as operatives do.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from games.codenames import computer
from games.codenames.ai.operative import logits
from games.codenames.position import OPERATIVES, SPYMASTERS, CodenamesPosition
from games.contract import CannotPlay, MoveError, Position, SeatKey, Text, ntext, text

_LEVEL: Final = 4
"""The level that listens, and whose clues are compared."""


class _Reading(NamedTuple):
    """The cards that a listener takes after a clue: the own ones before a wrong one, and the wrong
    card that fits best, with its place in the order of all cards; None if no card is wrong."""

    taken: Sequence[str | Text]
    wrong: str | Text | None
    is_early: bool


def review(position: Position, seat: SeatKey, move: str, note: Text | None) -> Text | None:
    """Return the note on a clue in a finished game, after the ``note`` of a computer; see
    `games.contract.Reasons`."""
    if not isinstance(position, CodenamesPosition) or seat not in SPYMASTERS.values():
        return None
    reading = _listen(position, seat, move)
    if reading is None:
        return None
    sentence = _told(reading)
    if better := _better(position, seat, move, reading):
        sentence = text("%(told)s %(better)s", told=sentence, better=better)
    return sentence if note is None else text("%(told)s %(better)s", told=note, better=sentence)


def _listen(position: CodenamesPosition, seat: SeatKey, move: str) -> _Reading | None:
    """Return the cards that a listener takes after a clue; None for a clue that means nothing to
    it, or without a number of cards."""
    team = next(team for team, key in SPYMASTERS.items() if key == seat)
    number = move.split(" ")[-1]
    if not number.isdigit() or number == "0":
        return None
    after = position.copy().replay(seat, move)
    view = after.view(OPERATIVES[team])
    if not computer.knows(view):
        return None
    *earlier, now = computer.hints(view, seat.partition("-")[0])
    order = np.argsort(-logits(now, earlier, computer.LEVELS[_LEVEL].temperament.memory))
    return _read(_covered(after.view(seat)), [int(at) for at in order], team, int(number))


def _read(cards: Sequence[Any], order: Sequence[int], team: str, number: int) -> _Reading:
    """Return the cards taken from ``cards``, in order."""
    places = [at for at, card in enumerate(order) if cards[card]["square"] != team]
    first = places[0] if places else len(order)
    taken = [cards[card]["card"] for card in order[: min(first, number)]]
    wrong = cards[order[first]]["card"] if places else None
    return _Reading(taken, wrong, first < number)


def _covered(view: Any) -> list[Any]:
    return [cell for row in view["rows"] for cell in row if not cell["selected"]]


def _told(reading: _Reading) -> Text:
    if not reading.taken:
        return text("A listener takes %(wrong)s first, a wrong card.", wrong=reading.wrong)
    taken = computer.listed(reading.taken)
    if reading.wrong is None:
        return text("A listener takes %(taken)s.", taken=taken)
    if reading.is_early:
        return text(
            "A listener takes %(taken)s, then %(wrong)s, a wrong card.",
            taken=taken,
            wrong=reading.wrong,
        )
    return ntext(
        "%(taken)s was clear. Close by: %(wrong)s.",
        "%(taken)s were clear. Close by: %(wrong)s.",
        n=len(reading.taken),
        taken=taken,
        wrong=reading.wrong,
    )


def _better(
    position: CodenamesPosition, seat: SeatKey, move: str, reading: _Reading
) -> Text | None:
    """Return that another clue gets more cards from the same listener, without a wrong one."""
    try:
        other = computer.choose(position, seat, _LEVEL, Random(0)).move
        found = _listen(position, seat, other)
    except (CannotPlay, MoveError):
        return None
    if found is None or found.is_early or len(found.taken) <= len(reading.taken):
        return None
    word, number = other.split(" ")[1:]
    return text(
        "“%(word)s %(number)s” gets %(taken)s.",
        word=word,
        number=number,
        taken=computer.listed(found.taken),
    )
