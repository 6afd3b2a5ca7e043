"""The input and output of the judge program, see `games.othello.judge`.

The input has no passes, and both have nothing about a resignation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.contract import (
    BadRecord,
    Record,
    RecordFormat,
    cell_name,
    display_excerpt,
    parse_cell,
    text,
)
from games.othello.formats.parts import (
    SEAT_OF,
    MoveReader,
    check_size,
    check_usual,
    first_setup,
    played,
    square_root,
)
from games.othello.judge import boards
from games.othello.position import COLOURS

_LINE = re.compile(r"[^\n]*\n?")
_SIZE = re.compile(r"\s*([0-9]{1,2})\s*")
_MOVE = re.compile(r"\s*([NBnb])\s+([0-9]{1,2})\s+([0-9]{1,2})\s*")
_INPUT = re.compile(r"\s*[0-9]{1,2}[ \t]*\r?\n\s*[NBnb]\s+[0-9]{1,2}\s+[0-9]{1,2}\s")
_OUTPUT = re.compile(r"\s*(?:[.NB]{4,26}[ \t]*\r?\n){4,26}[0-9]+:[0-9]+\s")
_PICTURE = re.compile(r"\s*((?:[.NB]+[ \t]*\r?\n)+)[0-9]+:[0-9]+[ \t]*(?:\r?\n|\Z)")


def write_input(record: Record) -> str:
    """Return a game as input of the judge. Raises CannotWrite."""
    check_usual(record)
    lines = [str(record.setup["size"])]
    for seat, move in played(record):
        if move:
            row, column = parse_cell(move)
            lines.append(f"{COLOURS[seat]} {row + 1} {column + 1}")
    return "\n".join(lines) + "\n"


def write_output(record: Record) -> str:
    """Return the judge's output of a game. Raises CannotWrite."""
    return "".join(boards(write_input(record).encode("ascii").splitlines()))


def read_input(written: str) -> Iterator[Record]:
    """Yield the games of a text, each of which begins with its size. Raises BadRecord."""
    reader: MoveReader | None = None
    for line in _LINE.finditer(written):
        if not line[0].strip():
            continue
        at = line.start() + len(line[0]) - len(line[0].lstrip())
        if size := _SIZE.fullmatch(line[0]):
            if reader:
                yield reader.record()
            reader = MoveReader(first_setup(check_size(int(size[1]), at)))
        elif (move := _MOVE.fullmatch(line[0])) and reader:
            row, column = int(move[2]) - 1, int(move[3]) - 1
            if not 0 <= row < reader.setup["size"] or not 0 <= column < reader.setup["size"]:
                raise BadRecord(text("There is no such square on this board."), at)
            reader.play(SEAT_OF[move[1].upper()], cell_name(row, column), at)
        else:
            shown = display_excerpt(line[0].strip(), 40)
            reason = text(
                "“%(line)s” is neither a size nor a colour (N or B), a row and a column.",
                line=shown,
            )
            raise BadRecord(reason, at)
    if reader:
        yield reader.record()


def read_output(written: str) -> Iterator[Record]:
    """Yield the games of a text of boards. Raises BadRecord.

    The move between two boards is the square that was empty; a board like the first one begins a
    new game."""
    reader: MoveReader | None = None
    for discs, size, at in _pictures(written):
        usual = first_setup(size)
        if "discs" not in first_setup(size, discs):
            if reader:
                yield reader.record()
            reader = MoveReader(usual)
            continue
        if reader is None or reader.setup["size"] != size:
            raise BadRecord(text("The boards of a game begin with the first position."), at)
        _play_difference(reader, discs, at)
    if reader:
        yield reader.record()


def _pictures(written: str) -> Iterator[tuple[str, int, int]]:
    """Yield each board with its size and its place."""
    at = 0
    while at < len(written.rstrip()):
        picture = _PICTURE.match(written, at)
        start = at + len(written[at:]) - len(written[at:].lstrip())
        if picture is None:
            reason = text("A board with N, B and dots, and then the numbers of discs, is missing.")
            raise BadRecord(reason, start)
        discs = "".join(picture[1].split())
        yield discs, square_root(len(discs), start), start
        at = picture.end()


def _play_difference(reader: MoveReader, discs: str, at: int) -> None:
    before = str(reader.position.board).replace("\n", "")
    placed = [square for square, disc in enumerate(before) if disc == "." != discs[square]]
    if len(placed) == 1:
        square = cell_name(*divmod(placed[0], reader.setup["size"]))
        reader.play(SEAT_OF[discs[placed[0]]], square, at)
        if str(reader.position.board).replace("\n", "") == discs:
            return
    raise BadRecord(text("No move leads from the board before to this one."), at)


def _recognises_input(written: str) -> bool:
    return _INPUT.match(written[:200] + "\n") is not None


def _recognises_output(written: str) -> bool:
    return _OUTPUT.match(written[:2000] + "\n") is not None


JUDGE_INPUT = RecordFormat(
    slug="judge-input",
    name=text("Input of the judge"),
    ending="in.txt",
    write=write_input,
    recognises=_recognises_input,
    read=read_input,
)
JUDGE_OUTPUT = RecordFormat(
    slug="judge-output",
    name=text("Output of the judge"),
    ending="out.txt",
    write=write_output,
    recognises=_recognises_output,
    read=read_output,
)
