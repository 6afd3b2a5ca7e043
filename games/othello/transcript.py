"""Transcripts of Othello: ``f5d6c3d3c4…``, the usual notation.

The parser accepts upper and lower case; spaces, commas, dashes and move numbers between the moves
(``1. F5 d6``); and passes written as ``--``, ``pa``, ``ps``, ``pas`` or ``pass``. Passes may be
left out, since they follow from the rules, but a written one is checked. After the end of the game
passes are ignored, because many transcripts end with two when squares are left. The parser also
ignores quotation marks, ``!`` and ``?``, comments in braces, the tags of PGN, and the score at the
end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from games.contract import ENDINGS, BadTranscript, MoveError, parse_cell, text
from games.othello.position import OthelloPosition

_BETWEEN = r"\s,;/|()!?*\"'“”‘’\ufeff\u200b"
# No pattern scans the rest of the text twice, so parsing is linear in its length: strangers send
# it.
_BESIDE = re.compile(
    r"\{[^{}]*\}|\[\w+\s+\"[^\"\n]*\"\s*\]"
    rf"|(?<![^{_BETWEEN}])(?:[0-9]{{1,3}}\s?[-:–]\s?[0-9]{{1,3}}|1/2-1/2)(?=[{_BETWEEN}]{{0,9}}\Z)"
)
_TOKEN = re.compile(
    rf"(?P<between>[{_BETWEEN}]+|(?<=[0-9])-(?=[a-z])|(?<![^{_BETWEEN}])[0-9]{{1,3}}[.):]*(?=[\sa-z-]))"
    r"|(?P<pass>pass|pas|pa|ps|--)"
    rf"|(?P<move>[a-z][0-9]{{1,8}}|[^{_BETWEEN}]{{1,8}})"
)


def parse_transcript(game: str, size: int = 8) -> list[str]:
    """Return the moves of a game on ``size`` x ``size`` squares, finished or not.

    Raises BadTranscript, which names the first wrong move, and InvalidSize."""
    position = OthelloPosition(size)
    moves: list[str] = []
    written_pass = 0
    for kind, token in _tokens(game.lower()):
        if kind != "pass":
            _play(position, moves, token)
        elif position.passed() and written_pass < len(moves):
            written_pass = len(moves)
        elif position.to_move():
            raise BadTranscript(len(moves) + 1, token, text("Nobody has to pass here."))
    return moves


def format_transcript(moves: Iterable[str]) -> str:
    """Return the squares of stored moves as one word, the inverse of `parse_transcript`.

    It has no passes, which are not stored, and no resignation, which the notation lacks."""
    return "".join(move for move in moves if move not in ENDINGS)


def _tokens(game: str) -> Iterator[tuple[str, str]]:
    """Yield the moves and passes of a text, as ('move' or 'pass', token).

    Any other token is yielded as a move, for the rules to refuse."""
    for match in _TOKEN.finditer(_BESIDE.sub(" ", game)):
        kind = match.lastgroup or ""
        if kind != "between":
            yield kind, match[0]


def _play(position: OthelloPosition, moves: list[str], token: str) -> None:
    seat = next(iter(position.to_move()), "")
    try:
        parse_cell(token)  # a transcript has squares alone: refuse RESIGN
        position.play(seat, token)
    except MoveError as error:
        raise BadTranscript(len(moves) + 1, token, error.text) from error
    moves.append(token)
