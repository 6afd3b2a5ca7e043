"""GGF, the Generic Game Format of the Generic Game Server, also written by NBoard and Edax.

``(;GM[Othello]PB[Anna]PW[Ben]RE[+12]TY[8]BO[8 -------- … *]B[f5]W[d6/1.2/3]…;)``: after a
move stand an evaluation and the seconds used. Values contain no closing bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from games.contract import (
    DRAW,
    RESIGN,
    TIMEOUT,
    BadRecord,
    Record,
    RecordFormat,
    SeatKey,
    Text,
    attempt,
    display_excerpt,
    text,
)
from games.othello.formats.parts import (
    MoveReader,
    about,
    board_from,
    check_goal,
    check_komi,
    check_size,
    ending,
    first_board,
    first_setup,
    iso_day,
    margin,
    margin_of,
    plain_value,
    played,
    square_root,
)

_SIGNS = {"N": "*", "B": "O", ".": "-"}
_DISCS = {"*": "N", "O": "B", "0": "B", "o": "B", "-": ".", ".": ".", "X": "N", "x": "N"}
_SEATS: dict[str, SeatKey] = {"B": "black", "W": "white"}
_LETTERS = {seat: letter for letter, seat in _SEATS.items()}
_ENDINGS = {"r": RESIGN, "t": TIMEOUT, "s": DRAW}
_RESULT = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_BEGIN = re.compile(r"\s*(?:[0-9]+\s*)?\(;")
_TAG = re.compile(r"\s*([A-Za-z]{1,4})\s*\[([^\]]*)\]")
_END = re.compile(r"\s*;?\s*\)")
_KNOWN = re.compile(
    r"\s*(?:[0-9]+\s*)?\(;\s*(?:[A-Z]{2}\[[^\]]*\]\s*)*?(?:GM\[\s*othello|BO\[)", re.IGNORECASE
)


class _Tag(NamedTuple):
    name: str
    value: str
    at: int


def write(record: Record) -> str:
    """Return a game as GGF."""
    size = record.setup["size"]
    names = (plain_value(record.names.get(seat, "")) for seat in ("black", "white"))
    tags = ["GM[Othello]", *(f"P{key}[{name}]" for key, name in zip("BW", names, strict=True))]
    if record.day:
        tags.append(f"DT[{record.day.replace('-', '.')}]")
    tags.append(about(record))
    tags += [f"RE[{_result(record)}]", f"TY[{size}]", f"BO[{_board(record)}]"]
    moves = (f"{_LETTERS[seat]}[{move or 'PA'}]" for seat, move in played(record))
    return f"(;{''.join(tags)}{''.join(moves)};)\n"


def _result(record: Record) -> str:
    """Return the margin of black, with the letter of an early end."""
    if (discs := margin(record)) is not None:
        return f"{discs:+}"
    if (early := ending(record)) is None or early[0] not in _ENDINGS.values():
        return margin_of(record.result, record.setup["size"] ** 2)
    move, seat = early
    letter = next(letter for letter, ending in _ENDINGS.items() if ending == move)
    squares = record.setup["size"] ** 2
    discs = 0 if move == DRAW else -squares if seat == "black" else squares
    return f"{discs:+}:{letter}"


def _board(record: Record) -> str:
    size = record.setup["size"]
    discs, turn = first_board(record)
    signs = "".join(_SIGNS[disc] for disc in discs)
    rows = (signs[start : start + size] for start in range(0, size * size, size))
    return f"{size} {' '.join(rows)} {'*' if turn == 'black' else 'O'}"


def read(written: str) -> Iterator[Record | BadRecord]:
    """Yield the games of a text. Raises BadRecord."""
    at, end = 0, len(written.rstrip())
    while at < end:
        begin = _BEGIN.match(written, at)
        if begin is None:
            raise BadRecord(text("A game in GGF begins with “(;”."), _first_sign(written, at))
        tags, at = _tags(written, begin.end())
        yield attempt(_game, tags)


def _tags(written: str, at: int) -> tuple[list[_Tag], int]:
    """Return the tags of a game, and the place after it."""
    tags: list[_Tag] = []
    while tag := _TAG.match(written, at):
        tags.append(_Tag(tag[1].upper(), tag[2], tag.start(2)))
        at = tag.end()
    end = _END.match(written, at)
    if end is None:
        reason = text("A game in GGF goes on with a tag, such as B[f5], or ends with “;)”.")
        raise BadRecord(reason, _first_sign(written, at))
    return tags, end.end()


def _first_sign(written: str, at: int) -> int:
    return at + len(written[at:]) - len(written[at:].lstrip())


def _game(tags: list[_Tag]) -> Record:
    values = {tag.name: tag for tag in tags}
    if "TY" in values:
        # In a type of game, such as ``8a``, the letter stands for the word.
        check_goal(values["TY"].value.lower().replace("a", "anti"), values["TY"].at)
    if "KM" in values:
        check_komi(values["KM"].value, values["KM"].at)
    reader = MoveReader(_setup(values))
    reader.names = {"black": _value(values, "PB"), "white": _value(values, "PW")}
    reader.day = iso_day(_value(values, "DT"))
    reader.event, reader.place = _value(values, "EV"), _value(values, "PC")
    reader.result = _value(values, "RE").removeprefix("?")
    for tag in tags:
        if tag.name in _SEATS:
            reader.play(_SEATS[tag.name], tag.value.split("/")[0], tag.at)
    reader.end(*_early_end(_value(values, "RE")))
    return reader.record()


def _value(values: dict[str, _Tag], name: str) -> str:
    return values[name].value.strip() if name in values else ""


def _early_end(result: str) -> tuple[str, SeatKey | None]:
    found = _RESULT.match(result)
    if not found or found[2] not in _ENDINGS:
        return "", None
    move = _ENDINGS[found[2]]
    black_won = not found[1].startswith("-")
    return move, None if move == DRAW else "white" if black_won else "black"


def _setup(values: dict[str, _Tag]) -> dict[str, object]:
    """Return the setup of the tag BO, by default the usual one of the size in TY. Raises
    BadRecord."""
    if "BO" not in values:
        kind = re.match(r"\s*s?([0-9]{1,2})", _value(values, "TY"))
        at = values["TY"].at if "TY" in values else 0
        return dict(first_setup(check_size(int(kind[1]) if kind else 8, at)))
    tag = values["BO"]
    found = re.fullmatch(r"\s*([0-9]{1,2})\s+(.*?)\s*([*OoXx0])\s*", tag.value, re.DOTALL)
    board = "".join(found[2].split()) if found else ""
    if found is None or len(board) != int(found[1]) ** 2:
        shown = display_excerpt(tag.value, 20)
        raise BadRecord(text("“%(board)s” is no board of GGF.", board=shown), tag.at)
    size = square_root(len(board), tag.at)
    discs = board_from(found[2], _DISCS, tag.at + found.start(2))
    turn: SeatKey = "black" if found[3] in "*Xx" else "white"
    return dict(first_setup(size, discs, turn))


def _recognises(written: str) -> bool:
    return _KNOWN.match(written[:2000]) is not None


GGF = RecordFormat(
    slug="ggf", name=Text("GGF"), ending="ggf", write=write, recognises=_recognises, read=read
)
