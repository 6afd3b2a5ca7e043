"""Games written down as text, to bring them here from elsewhere and to take them away. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.contract.errors import BadTranscript, MoveError
from games.contract.position import RESIGN, Position

LONGEST = 10_000
"""Characters that a record may have: more than the longest game."""

_BETWEEN = re.compile(r"[\n,;]+")
_NUMBER = re.compile(r"^\s*[0-9]{1,3}[.):]+\s*")
_CAPITAL_SQUARE = re.compile(r"[A-Z][1-9][0-9]?")


def normalize_move(position: Position, seat: str, typed: str) -> str:
    """The legal move that somebody typed in other letters. If there is none, what was typed, of
    which each step that some legal move has in that place is spelled as there, and each square as
    squares are: what is then refused is refused for what it is, not for its letters.

    So a step that is free text (the word of a clue) stays as it was typed."""
    typed = position.normalize_input(typed)
    typed_steps = typed.casefold().split()
    if typed_steps == [RESIGN]:
        return RESIGN
    normalize_input: dict[tuple[int, str], str] = {}
    for move in position.legal_moves(seat):
        steps = move.split()
        if move.casefold().split() == typed_steps:
            return move
        for place, step in enumerate(steps):
            normalize_input.setdefault((place, step.casefold()), step)
    return " ".join(
        normalize_input.get((place, step.casefold())) or _square(step)
        for place, step in enumerate(typed.split())
    )


def _square(step: str) -> str:
    return step.lower() if _CAPITAL_SQUARE.fullmatch(step) else step


def read_lines(position: Position, written: str) -> list[str]:
    """The moves of a game that is written one move a line, or with commas between; numbers before
    them and empty lines count for nothing. ``position`` is where it begins, and is played on.

    Raises BadTranscript, which names the first wrong move."""
    moves: list[str] = []
    for line in _BETWEEN.split(written):
        typed = " ".join(_NUMBER.sub("", line).split())
        if not typed:
            continue
        seat = min(position.to_move(), default="")
        moves.append(normalize_move(position, seat, typed))
        try:
            position.play(seat, moves[-1])
        except MoveError as error:
            raise BadTranscript(len(moves), typed, error.text) from error
    return moves


def write_lines(moves: Iterable[str]) -> str:
    """The inverse of `read_lines`, in one line; without the resignation that ends a game."""
    return ", ".join(move for move in moves if move != RESIGN)


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """How games of a kind are written down: see `read_lines` and `write_lines`. ``example`` shows
    whoever pastes one what it looks like. The resignation that ends a game is left out of what is
    written; a game that went on after one has no record."""

    example: str
    read: Callable[[Position, str], list[str]] = read_lines
    write: Callable[[Iterable[str]], str] = write_lines
