"""Games as text: ``f5d6c3d3c4…``, the notation in which Othello games are exchanged.

Read are either case, spaces, commas and move numbers between the moves (``1. F5 d6 2. C3``),
and passes written as ``--``, ``pa``, ``ps`` or ``pass``. Passes may also be left out, since the
rules say when there is one; one that is written is checked. Once the game is over they count for
nothing: many records write two where it ends with squares left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from games.contract import RESIGN, BadRecord, MoveError, parse_cell, text
from games.othello.position import OthelloPosition

_TOKEN = re.compile(
    r"(?P<between>[\s,;]+|(?<![^\s,;])[0-9]{1,3}[.):]*(?=[\sa-z-]))"
    r"|(?P<pass>pass|pa|ps|--)"
    r"|(?P<move>[a-z][0-9]{1,8}|[^\s,;]{1,8})"
)


def parse_transcript(game: str, size: int = 8) -> list[str]:
    """The moves of a game from the start, on ``size`` x ``size`` squares; it need not have ended.

    Raises BadRecord, which names the first wrong move, and InvalidSize.
    """
    position = OthelloPosition(size)
    moves: list[str] = []
    written_pass = 0
    for kind, token in _tokens(game.lower()):
        if kind != "pass":
            _play(position, moves, token)
        elif position.passed() and written_pass < len(moves):
            written_pass = len(moves)
        elif position.to_move():
            raise BadRecord(len(moves) + 1, token, text("Nobody is passed over here."))
    return moves


def format_transcript(moves: Iterable[str]) -> str:
    """The squares of stored moves as one word: the inverse of `parse_transcript`.

    Passes are not stored, and a resignation has no place in the notation.
    """
    return "".join(move for move in moves if move != RESIGN)


def _tokens(game: str) -> Iterator[tuple[str, str]]:
    """The moves and passes of a text, as ('move' or 'pass', token).

    What is neither is handed on as a move, for the rules to refuse.
    """
    for match in _TOKEN.finditer(game):
        kind = match.lastgroup or ""
        if kind != "between":
            yield kind, match[0]


def _play(position: OthelloPosition, moves: list[str], token: str) -> None:
    seat = next(iter(position.to_move()), "")
    try:
        parse_cell(token)  # a transcript holds squares alone, while a seat can also resign
        position.play(seat, token)
    except MoveError as error:
        raise BadRecord(len(moves) + 1, token, error.text) from error
    moves.append(token)
