"""The judge program: ``python -m games.othello < input > output``.

The input is the size of the board and then the moves (``N 2 3``: colour, row and column counted
from one), without passes. Usually each move has a line of its own, but any blanks and line ends may
separate the words. At the start and after each move, the output is the board, the number of black
and white discs, and an empty line. After words that are no legal move, the program ends with a
message that names their line, and status 1.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from games.contract import IllegalMove
from games.othello.engine import InvalidSize, Othello

LARGEST = 10_000
"""The size from which on a picture of the board, of 100 MB, would fill the memory."""
BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(rb"[0-9]{1,9}")
Word = tuple[int, bytes]
"""A word of the input, after the number of its line."""


class BadLine(Exception):
    """Raised for a line of the input that is no legal move."""

    def __init__(self, number: int, line: bytes, reason: str) -> None:
        shown = line[:40].decode("ascii", "backslashreplace")
        super().__init__(f"line {number}: {reason}" + (f": {shown}" if shown else ""))


def boards(lines: Iterable[bytes]) -> Iterator[str]:
    """Yield the output for each position, as soon as its move has been read. Raises BadLine."""
    words = _words(lines)
    game = _start(next(words, (1, b"")))
    yield _picture(game)
    for colour in words:
        _play(game, [colour, *islice(words, 2)])
        yield _picture(game)


def _words(lines: Iterable[bytes]) -> Iterator[Word]:
    for number, line in enumerate(lines, start=1):
        for word in (line.removeprefix(BOM) if number == 1 else line).split():
            yield number, word


def _start(word: Word) -> Othello:
    number, size = word
    if not size:
        raise BadLine(number, b"", "the size of the board is missing")
    if not _NUMBER.fullmatch(size):
        raise BadLine(number, size, "not the size of a board")
    if int(size) > LARGEST:
        raise BadLine(number, size, "invalid size: no memory for so many squares")
    try:
        return Othello(int(size))
    except InvalidSize as error:
        raise BadLine(number, size, str(error)) from error


def _play(game: Othello, words: Sequence[Word]) -> None:
    """Play the move of a colour and the words after it, of which some may be missing."""
    number, (colour, *place) = words[0][0], [word for _, word in words]
    shown = b" ".join([colour, *place])
    if colour not in {b"N", b"B"} or len(place) < 2 or not all(map(_NUMBER.fullmatch, place)):
        raise BadLine(number, shown, "not a colour (N or B), a row and a column")
    row, column = map(int, place)
    try:
        game.move(colour.decode(), (row - 1, column - 1))
    except IllegalMove as error:
        raise BadLine(number, shown, str(error)) from error


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
