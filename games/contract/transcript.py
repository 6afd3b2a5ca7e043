"""Transcripts: games as text, for import and export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.contract.errors import BadTranscript, MoveError
from games.contract.position import ENDINGS, RESIGN, Position

LONGEST = 10_000
"""Characters of the longest transcript, more than any game needs."""

_PART = re.compile(r"[^\n,;]+")
_COMMENT = re.compile(r"\{[^{}]*\}")
_NUMBER = re.compile(r"^\s*[0-9]{1,3}[.):]+\s*")
_BRACKET = re.compile(r"[()\[\]]")
_CAPITAL_SQUARE = re.compile(r"[A-Z][1-9][0-9]?")


def normalize_move(position: Position, seat: str, typed: str) -> str:
    """Return the legal move that differs from ``typed`` by case alone.

    If there is none, return ``typed`` with the usual case for each square and for each step that
    some legal move has in the same place, so that the refusal is about the move and not about its
    case. A step that is free text (the word of a clue) stays as it was typed."""
    typed = position.normalize_input(typed)
    typed_steps = typed.casefold().split()
    if typed_steps == [RESIGN]:
        return RESIGN
    spellings: dict[tuple[int, str], str] = {}
    for move in position.legal_moves(seat):
        steps = move.split()
        if move.casefold().split() == typed_steps:
            return move
        for place, step in enumerate(steps):
            spellings.setdefault((place, step.casefold()), step)
    return " ".join(
        spellings.get((place, step.casefold())) or _square(step)
        for place, step in enumerate(typed.split())
    )


def _square(step: str) -> str:
    return step.lower() if _CAPITAL_SQUARE.fullmatch(step) else step


def read_lines(position: Position, written: str) -> list[str]:
    """Return the moves of a transcript, and play them on ``position``, the first one of the game.

    Moves stand on lines of their own or between commas; numbers before them, comments in braces,
    side lines in brackets and empty lines are ignored. Raises BadTranscript, which names the first
    wrong move."""
    moves: list[str] = []
    for part in _PART.finditer(without_brackets(_COMMENT.sub(blank, written))):
        typed = " ".join(_NUMBER.sub("", part[0]).split())
        if not typed:
            continue
        seat = min(position.to_move(), default="")
        moves.append(normalize_move(position, seat, typed))
        try:
            position.play(seat, moves[-1])
        except MoveError as error:
            at = part.end() - len(part[0].lstrip())
            raise BadTranscript(len(moves), typed, error.text, at) from error
    return moves


def blank(match: re.Match[str]) -> str:
    """Return as many spaces as the match has characters, so that later places stay the same."""
    return " " * len(match[0])


def without_brackets(written: str, is_kept: Callable[[str], object] = lambda _text: False) -> str:
    """Return a text with spaces for each pair of outermost brackets, unless it is kept: it holds a
    side line or a remark. A text that is in brackets as a whole stays as it is."""
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for sign in _BRACKET.finditer(written):
        if sign[0] in "([":
            opened.append(sign.start())
        elif opened:
            pairs.append((opened.pop(), sign.end()))
    parts, rest = list[str](), len(written)
    for begin, end in reversed(pairs):
        if end <= rest:
            inner = written[begin:end]
            parts += [written[end:rest], inner if is_kept(inner) else " " * len(inner)]
            rest = begin
    plain = written[:rest] + "".join(reversed(parts))
    return plain if plain.strip() else written


def write_lines(moves: Iterable[str]) -> str:
    """Return a transcript of one line, the inverse of `read_lines`, without its ending."""
    return ", ".join(move for move in moves if move not in ENDINGS)


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """The text form of a kind of game: see `read_lines` and `write_lines`.

    ``example`` is shown beside the field for pasting a transcript, and ``heading`` stands before
    the moves. A resignation or a fallen flag that ends the game is left out; a game that went on
    after a resignation has no transcript."""

    example: str
    read: Callable[[Position, str], list[str]] = read_lines
    write: Callable[[Iterable[str]], str] = write_lines
    heading: Callable[[Mapping[str, Any]], str] = lambda _setup: ""
