"""SGF, the Smart Game Format with ``GM[2]``, as Edax, Cassio and others write it.

Setup stones may stand in the node of the first move, and several moves in one node. Of several
variations the first one is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from games.contract import (
    DRAW,
    RESIGN,
    TIMEOUT,
    VOID,
    BadRecord,
    Record,
    RecordFormat,
    SeatKey,
    Text,
    attempt,
    cell_name,
    display_excerpt,
    text,
)
from games.othello.formats.parts import (
    MoveReader,
    about,
    check_goal,
    check_komi,
    check_size,
    ending,
    first_board,
    first_setup,
    iso_day,
    margin,
    plain_value,
    played,
    winner_of,
)

_SEATS: dict[str, SeatKey] = {"B": "black", "W": "white"}
_LETTERS = {seat: letter for letter, seat in _SEATS.items()}
_STONES = {"AB": "N", "AW": "B", "AE": "."}
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)\s*(?=\[)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_POINT = re.compile(r"([a-z])(?:([1-9][0-9]?)|([a-z]))")
_KNOWN = re.compile(r"\s*\(\s*;")
_SIZE_WITH_TT = 20
_AGREED = {DRAW: "Draw", VOID: "Void"}
_EARLY = {"r": RESIGN, "t": TIMEOUT}


class _Property(NamedTuple):
    name: str
    values: list[tuple[str, int]]


def write(record: Record) -> str:
    """Return a game as SGF. A pass is written ``[PA]``, as programs of Othello do."""
    names = {seat: plain_value(record.names.get(seat, "")) for seat in ("black", "white")}
    head = [
        "FF[4]GM[2]CA[UTF-8]",
        f"PB[{names['black']}]PW[{names['white']}]",
        f"DT[{record.day}]" if record.day else "",
        about(record),
        f"SZ[{record.setup['size']}]RE[{_result(record)}]",
        _stones(record),
    ]
    moves = (f";{_LETTERS[seat]}[{move or 'PA'}]" for seat, move in played(record))
    return f"(;{''.join(head)}\n{''.join(moves)})\n"


def _result(record: Record) -> str:
    if (discs := margin(record)) is not None:
        return f"{'B' if discs > 0 else 'W'}+{abs(discs)}" if discs else "0"
    if (early := ending(record)) is None:
        return winner_of(record.result)
    move, seat = early
    if move in _AGREED:
        return _AGREED[move]
    return f"{'W' if seat == 'black' else 'B'}+{'Resign' if move == RESIGN else 'Time'}"


def _stones(record: Record) -> str:
    size, (discs, turn) = record.setup["size"], first_board(record)
    written = ""
    for name, colour in (("AB", "N"), ("AW", "B")):
        points = (cell_name(*divmod(at, size)) for at, disc in enumerate(discs) if disc == colour)
        values = "".join(f"[{point}]" for point in points)
        written += f"{name}{values}" if values else ""
    return f"{written}PL[{_LETTERS[turn]}]"


def read(written: str) -> Iterator[Record | BadRecord]:
    """Yield the games of a text. Raises BadRecord."""
    at, end = 0, len(written.rstrip())
    while at < end:
        properties, at = _main_line(written, at)
        yield attempt(_game, properties)


def _main_line(written: str, at: int) -> tuple[list[_Property], int]:
    """Return the properties of a game without its side variations, and the place after it."""
    found: list[_Property] = []
    depth, closed = 0, False
    while True:
        token = _TOKEN.match(written, at)
        if token is None or (depth == 0 and token[1] != "("):
            raise BadRecord(_expected(depth), at + len(written[at:]) - len(written[at:].lstrip()))
        at = token.end()
        if token[1] == "(":
            depth += 1
        elif token[1] == ")":
            depth, closed = depth - 1, True
            if depth == 0:
                return found, at
        elif not closed:
            _add(found, token)


def _add(found: list[_Property], token: re.Match[str]) -> None:
    if token[2]:
        name = "".join(letter for letter in token[2] if letter.isupper())
        found.append(_Property(name, []))
    elif token[3] is not None and found:
        found[-1].values.append((re.sub(r"\\(.)", r"\1", token[3]), token.start(3)))


def _expected(depth: int) -> Text:
    if depth == 0:
        return text("A game in SGF begins with “(;”.")
    return text("A game in SGF goes on with a property, such as B[f5], or ends with “)”.")


def _game(properties: list[_Property]) -> Record:
    first = {entry.name: entry.values[0] for entry in reversed(properties) if entry.values}
    if "GM" in first and first["GM"][0].strip() != "2":
        raise BadRecord(text("This SGF file holds another game than Othello."), first["GM"][1])
    check_goal(*first.get("RU", ("", 0)))
    check_komi(*first.get("KM", ("", 0)))
    reader = MoveReader(_setup(properties, first))
    names = {seat: first.get(f"P{letter}", ("", 0))[0] for letter, seat in _SEATS.items()}
    reader.names = {seat: " ".join(name.split()) for seat, name in names.items()}
    reader.day = iso_day(first.get("DT", ("", 0))[0])
    reader.event, reader.place = (first.get(name, ("", 0))[0].strip() for name in ("EV", "PC"))
    reader.result = first.get("RE", ("", 0))[0].strip().removeprefix("?")
    for entry in properties:
        for value, at in entry.values if entry.name in _SEATS else ():
            reader.play(_SEATS[entry.name], _square(value, reader.setup["size"]), at)
    reader.end(*_early_end(first.get("RE", ("", 0))[0].strip()))
    return reader.record()


def _early_end(result: str) -> tuple[str, SeatKey | None]:
    if result.lower() == "draw":
        return DRAW, None
    winner, _, how = result.partition("+")
    if winner not in _SEATS or how[:1].lower() not in _EARLY:
        return "", None
    return _EARLY[how[:1].lower()], "white" if winner == "B" else "black"


def _setup(properties: list[_Property], first: dict[str, tuple[str, int]]) -> dict[str, object]:
    """Return the setup of the size and the stones. Raises BadRecord."""
    written, at = first.get("SZ", ("8", 0))
    number = re.fullmatch(r"\s*([0-9]{1,2})(?::\1)?\s*", written)
    size = check_size(int(number[1]) if number else 1, at)
    board, moved = ["."] * (size * size), False
    for entry in properties:
        moved = moved or entry.name in _SEATS
        for value, place in entry.values if entry.name in _STONES else ():
            if moved:
                raise BadRecord(text("Discs are set up after the first move."), place)
            for square in _squares(value, size, place):
                board[square] = _STONES[entry.name]
    discs = "".join(board).strip(".") and "".join(board)
    turn: SeatKey = "white" if first.get("PL", ("B", 0))[0].strip() in {"W", "2"} else "black"
    return dict(first_setup(size, discs, turn))


def _squares(value: str, size: int, at: int) -> list[int]:
    """Return the squares of a point, or of the rectangle between two. Raises BadRecord."""
    ends = [_cell(point, size, at) for point in value.split(":", 1)]
    rows = range(min(r for r, _ in ends), max(r for r, _ in ends) + 1)
    columns = range(min(c for _, c in ends), max(c for _, c in ends) + 1)
    return [row * size + column for row in rows for column in columns]


def _cell(point: str, size: int, at: int) -> tuple[int, int]:
    found = _POINT.fullmatch(point.strip().lower())
    if found:
        row = int(found[2]) - 1 if found[2] else ord(found[3]) - ord("a")
        column = ord(found[1]) - ord("a")
        if row < size and column < size:
            return row, column
    raise BadRecord(text("“%(point)s” is no square.", point=display_excerpt(point, 10)), at)


def _square(value: str, size: int) -> str:
    """Return a move with its row as a number: some programs write ``ed`` for e4, and ``tt``, which
    only large boards have, for a pass."""
    point = value.strip().lower()
    if point == "tt" and size < _SIZE_WITH_TT:
        return ""
    found = _POINT.fullmatch(point)
    if found and found[3] and point not in {"pa", "ps"}:
        return f"{found[1]}{ord(found[3]) - ord('a') + 1}"
    return point


def _recognises(written: str) -> bool:
    return _KNOWN.match(written) is not None


SGF = RecordFormat(
    slug="sgf", name=Text("SGF"), ending="sgf", write=write, recognises=_recognises, read=read
)
