"""Transcripts of Othello: ``f5d6c3d3c4…``, the usual notation.

The parser accepts upper and lower case; spaces, commas, dashes and move numbers between the moves
(``1. F5 d6``), or the player's ``P@`` before them; and passes as programs, books and people write
them (`PASSES`, or a dash alone), also in brackets. Passes may be left out, since they follow from
the rules, but a written one is checked. After the end of the game passes are ignored, because
many transcripts end with two when squares are left. The parser also ignores quotation marks, ``!``
and ``?``, comments in braces or after ``;``, side lines, times and values in brackets, the tags of
PGN, and the score at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from games.contract import (
    ENDINGS,
    BadTranscript,
    MoveError,
    blank,
    parse_cell,
    text,
    without_brackets,
)
from games.othello.position import OthelloPosition

_BETWEEN = r"\s,;/|()\[\]!?*\"'“”‘’\ufeff\u200b"
PASSES = (
    *("passes", "passed", "passen", "passe", "passt", "pass", "paso", "past", "pas", "pa", "ps"),
    *("pp", "p", "@@@@", "@@", "--", "––", "——", "パス"),
)
"""The spellings of a pass, each before its own beginnings."""
DASHES = "-–—"
_PASS_WORDS = {word for word in PASSES if word.isalpha()}
_SKIP = "|".join(
    # A longer word ends before anything but a letter: ``pasa2`` is a pass and a move.
    f"{word}(?![a-z0-9@])" if word.isalpha() and word not in {"pass", "pas", "pa", "ps"} else word
    for word in PASSES
)
_SKIP += rf"|(?<![^\s,])[{DASHES}](?![^\s,])"
# No pattern scans the rest of the text twice, so parsing is linear in its length: strangers send
# it.
_BRACES = re.compile(r"\{[^{}]*\}")
_PASS = re.compile(rf"[(\[\s]+(?:{_SKIP})[)\]\s]+")
_REMARK = re.compile(r";[^\n]*")
_PART = re.compile(r";[^;]*")
_SCORE = re.compile(
    rf"(?<![^{_BETWEEN}])(?:[0-9]{{1,3}}(?:\.5)?\s?[-:–]\s?[0-9]{{1,3}}(?:\.5)?|1/2-1/2)"
    rf"(?=[{_BETWEEN}]{{0,9}}\Z)"
)
_WORD = re.compile(r"[a-z]{2,}")
_TOKEN = re.compile(
    rf"(?P<pass>{_SKIP})"
    rf"|(?P<between>[{_BETWEEN}]+|p@|(?<=[0-9])-(?=[a-z])"
    rf"|(?<![^{_BETWEEN}])[0-9]{{1,3}}[.):]*(?=[\sa-z@-]))"
    rf"|(?P<move>[a-z][0-9]{{1,8}}|[^{_BETWEEN}]{{1,8}})"
)


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse_transcript(game: str, size: int = 8) -> list[str]:
    """Return the moves of a game on ``size`` x ``size`` squares, finished or not.

    Raises BadTranscript, which names the first wrong move, and InvalidSize."""
    position = OthelloPosition(size)
    moves: list[str] = []
    written_pass = 0
    for token in _tokens(game):
        if token.kind != "pass":
            _play(position, moves, token)
        elif position.passed() and written_pass < len(moves):
            written_pass = len(moves)
        elif position.to_move():
            reason = text("Nobody has to pass here.")
            raise BadTranscript(len(moves) + 1, token.text, reason, token.at)
    return moves


def format_transcript(moves: Iterable[str]) -> str:
    """Return the squares of stored moves as one word, the inverse of `parse_transcript`.

    It has no passes, which are not stored, and no resignation, which the notation lacks."""
    return "".join(move for move in moves if move not in ENDINGS)


def _tokens(game: str) -> Iterator[_Token]:
    """Yield the moves and passes of a text. Any other token is yielded as a move, for the rules to
    refuse."""
    for match in _TOKEN.finditer(_without_remarks(_lower(game))):
        if match.lastgroup != "between":
            yield _Token(match.lastgroup or "", match[0], match.start())


def _lower(game: str) -> str:
    """Return a text in lower case with all characters in their places: a few have two then."""
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in game)


def _without_remarks(game: str) -> str:
    """Return a text with spaces for everything beside the moves."""
    game = _BRACES.sub(blank, game)
    game = without_brackets(game, _PASS.fullmatch)
    return _SCORE.sub(blank, _REMARK.sub(_remark, game))


def _remark(match: re.Match[str]) -> str:
    """Return the rest of a line after ``;``, up to the first part that has words: those before it
    may be moves with ``;`` between them."""
    for part in _PART.finditer(match[0]):
        if _has_words(part[0]):
            return match[0][: part.start()] + " " * (len(match[0]) - part.start())
    return match[0]


def _has_words(written: str) -> bool:
    return bool({*_WORD.findall(written)} - _PASS_WORDS)


def _play(position: OthelloPosition, moves: list[str], token: _Token) -> None:
    seat = next(iter(position.to_move()), "")
    try:
        parse_cell(token.text)  # a transcript has squares alone: refuse RESIGN
        position.play(seat, token.text)
    except MoveError as error:
        raise BadTranscript(len(moves) + 1, token.text, error.text, token.at) from error
    moves.append(token.text)
