"""The judge program: ``python -m games.othello < input > output``.

The input is the size of the board and then one move a line (``N 2 3``: colour, row and column
counted from one), without passes. At the start and after each move, the output is the board, the
number of black and white discs, and an empty line. After a line that is no legal move, the program
ends with a message that names the line, and status 1.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator

from games.contract import IllegalMove
from games.othello.engine import InvalidSize, Othello

_SIZE = re.compile(rb"([0-9]{1,9})")
_MOVE = re.compile(rb"([NB])\s+([0-9]{1,9})\s+([0-9]{1,9})")


class BadLine(Exception):
    """Raised for a line of the input that is no legal move."""

    def __init__(self, number: int, line: bytes, reason: str) -> None:
        shown = line[:40].decode("ascii", "backslashreplace")
        super().__init__(f"line {number}: {reason}" + (f": {shown}" if shown else ""))


def boards(lines: Iterable[bytes]) -> Iterator[str]:
    """Yield the output for each position. Raises BadLine."""
    game: Othello | None = None
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if not line:
            continue
        if game is None:
            game = _start(number, line)
        else:
            _play(game, number, line)
        yield _picture(game)
    if game is None:
        raise BadLine(number + 1, b"", "the size of the board is missing")


def _start(number: int, line: bytes) -> Othello:
    match = _SIZE.fullmatch(line)
    if match is None:
        raise BadLine(number, line, "not the size of a board")
    try:
        return Othello(int(match[1]))
    except InvalidSize as error:
        raise BadLine(number, line, str(error)) from error


def _play(game: Othello, number: int, line: bytes) -> None:
    match = _MOVE.fullmatch(line)
    if match is None:
        raise BadLine(number, line, "not a colour (N or B), a row and a column")
    try:
        game.move(match[1].decode(), (int(match[2]) - 1, int(match[3]) - 1))
    except IllegalMove as error:
        raise BadLine(number, line, str(error)) from error


def _picture(game: Othello) -> str:
    black, white = game.counts()
    return f"{game}\n{black}:{white}\n\n"


def _end_with_the_reader() -> None:
    """End silently, as other filters do, when the output is closed early (``| head``).

    Python turns this signal into a BrokenPipeError. Windows has no such signal."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def main() -> int:
    """Judge standard input and return the exit status."""
    _end_with_the_reader()
    try:
        for board in boards(sys.stdin.buffer):
            sys.stdout.buffer.write(board.encode("ascii"))
    except BadLine as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        sys.stdout.buffer.flush()
    return 0
