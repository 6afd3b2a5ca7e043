"""The table of fields and formats in docs/formats.md is true, by own files in each dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from games.contract import DRAW, RESIGN, TIMEOUT, VOID, BadRecord, CannotWrite, Record, RecordFormat
from games.exchange import own_formats
from games.exchange.reading import Unread, games_of_files, read_games
from games.othello.formats import FORMATS
from games.othello.formats import wthor as wthor_format
from games.othello.formats.board_file import BOARD_FILE
from games.othello.formats.ggf import GGF
from games.othello.formats.logbook import LOGBOOK
from games.othello.formats.parts import first_board, first_setup
from games.othello.formats.sgf import SGF
from games.othello.rules import RULES
from games.presentation.documents import GameDocument, MoveDocument, SeatDocument
from tests.games.othello.test_wthor import database, header
from tests.support.documents import section, table_rows

PAGE = "docs/formats.md"
MOVES = (("black", "f5"), ("white", "d6"))
BASE = Record(options={"size": 8}, setup={"size": 8}, moves=MOVES)
DISCS = "." * 26 + ".NNN...." + "...NB..." + "." * 22
FIELDS: Mapping[str, Record] = {
    "moves": BASE,
    "size of the board": Record(
        options={"size": 6}, setup={"size": 6}, moves=(("black", "e4"), ("white", "c5"))
    ),
    "first position": replace(BASE, setup=first_setup(8, DISCS, "white"), moves=()),
    "names": replace(BASE, names={"black": "Zoë Aa", "white": "Ben, jr"}),
    "day": replace(BASE, day="2007-11-03"),
    "year alone": replace(BASE, day="2007"),
    "event": replace(BASE, event="World Championship"),
    "place": replace(BASE, place="Athens"),
    "result that the moves do not show": replace(BASE, result="+12"),
    "half points in it": replace(BASE, result="+2.5"),
    "forfeit in it": replace(BASE, result="-64:l"),
    "resignation": replace(BASE, moves=(*MOVES, ("white", RESIGN))),
    "fallen flag": replace(BASE, moves=(*MOVES, ("black", TIMEOUT))),
    "agreed draw": replace(BASE, moves=(*MOVES, ("black", DRAW))),
    "called off": replace(BASE, moves=(*MOVES, ("black", VOID))),
}
IN_SGF = {"+12": "B+12", "+2.5": "B+2.5", "-64:l": "W+F"}
"""The results of the fields as SGF writes them."""


def document(record: Record) -> GameDocument:
    return GameDocument(
        kind=RULES.slug,
        rules_version=RULES.version,
        options=dict(record.options),
        setup=dict(record.setup),
        moves=[MoveDocument(seat=seat, move=move) for seat, move in record.moves],
        seats={key: SeatDocument(names=[name]) for key, name in record.names.items()},
        day=record.day,
        event=record.event,
        place=record.place,
        written_result=record.result,
    )


def transcript(record: Record) -> str:
    assert RULES.transcript
    return RULES.transcript.write([move for _seat, move in record.moves])


def pgn(record: Record) -> str:
    tags = {**record.names, "date": record.day.replace("-", "."), "event": record.event}
    tags |= {"site": record.place, "result": record.result}
    lines = [f'[{name.capitalize()} "{value}"]' for name, value in tags.items() if value]
    return "\n".join([*lines, "", f"1. {transcript(record)}"])


def csv(record: Record) -> str:
    row = [transcript(record), record.day, record.event, record.place, record.result]
    names = [record.names.get(seat, "") for seat in ("black", "white")]
    cells = ",".join(f'"{value}"' for value in (*names, *row))
    return f"black,white,game_moves,date,event,place,result\n{cells}\n"


def logbook(record: Record) -> str:
    moves = "".join(f"{'+' if seat == 'black' else '-'}{move}" for seat, move in record.moves)
    return f"{moves}: {record.result or '+00'} 01\n"


def board_file(record: Record) -> str:
    discs, turn = first_board(record)
    squares = discs.replace(".", "-").replace("B", "O").replace("N", "X")
    return f"{squares} {'X' if turn == 'black' else 'O'};\n"


def wthor(record: Record) -> dict[str, bytes]:
    """Return a database of one game, with its year, tournament, players and the score of black."""
    moves = "".join(move for _seat, move in record.moves if move[-1].isdigit())
    last = record.moves[-1][1] if record.moves else ""
    score = {DRAW: 32, RESIGN: 40}.get(last, 20)
    names = [record.names.get(seat, "") for seat in ("black", "white")]
    stored = b"".join(name.encode("latin-1").ljust(20, b"\0") for name in names)
    return {
        "x.wtb": database([(moves, 0, 1, score)], size=record.setup["size"]),
        "x.jou": header(2, size=0) + stored,
        "x.trn": header(1, size=0) + record.event.encode().ljust(26, b"\0"),
    }


def written(record: Record) -> dict[str, Any]:
    """Return a game in each format, as text or as files; some only as other programs write it."""
    sgf = replace(record, result=IN_SGF.get(record.result, ""))
    return {
        "Text": own_formats.write_text(document(record)),
        "JSON": document(record).model_dump_json(),
        "Transcript": transcript(record),
        "PGN": pgn(record),
        "CSV": csv(record),
        **{str(form.name): by(form, sgf if form is SGF else record) for form in FORMATS},
        str(LOGBOOK.name): logbook(record),
        str(BOARD_FILE.name): board_file(record),
        "WTHOR": wthor(record),
    }


def by(form: RecordFormat, record: Record) -> str:
    try:
        return form.write(record) if form.write else ""
    except CannotWrite:
        return ""


ENDS = {"resignation", "fallen flag", "agreed draw", "called off"}
ONLY_READ = {"PGN", "CSV", str(LOGBOOK.name), str(BOARD_FILE.name), "WTHOR"}


def comes_back(field: str, record: Record, text: Any, form: str) -> bool:
    """Return whether a game has the value of a field after it was read."""
    files = text if isinstance(text, dict) else {"game.txt": str(text).encode()}
    games = [*games_of_files(files)]
    if len(games) != 1 or isinstance(games[0], Unread):
        return False
    read = games[0].record
    result = IN_SGF.get(record.result, record.result) if form == "SGF" else record.result
    known = {
        "names": (read.names, record.names),
        "event": (read.event, record.event),
        "place": (read.place, record.place),
        "result": (read.result, result),
        "half": (read.result, result),
        "forfeit": (read.result, result),
        "day": (read.day, record.day),
        "year": (read.day[:4], record.day),
    }
    # A game that the file ends by its score alone has one move more.
    moves = [*read.moves] if field in ENDS else [*read.moves][: len(record.moves)]
    same = (read.setup, moves) == (record.setup, [*record.moves])
    return bool(same if (pair := known.get(field.split()[0])) is None else pair[0] == pair[1])


def cells(field: str) -> dict[str, str]:
    """Return for each format whether it has a field: ``both`` after writing and reading."""
    record = FIELDS[field]
    return {
        form: ("read" if form in ONLY_READ else "both")
        if text and comes_back(field, record, text, form)
        else "–"
        for form, text in written(record).items()
    }


@pytest.mark.parametrize("field", FIELDS)
def test_the_table_of_fields_and_formats_is_true(field: str) -> None:
    _, *stated = next(row for row in table_rows(section(PAGE, "Fields")) if row[0] == field)
    found = cells(field)
    assert dict(zip(found, stated, strict=True)) == found


def test_the_table_has_all_fields() -> None:
    rows = table_rows(section(PAGE, "Fields"))
    assert [row[0] for row in rows] == [*FIELDS]
    heading = section(PAGE, "Fields").split("| field")[1].splitlines()[0]
    assert [cell.strip() for cell in heading.strip("| ").split("|")] == [*cells("moves")]


@pytest.mark.parametrize(("result", "sgf"), IN_SGF.items())
def test_a_written_result_is_the_same_in_both_formats(result: str, sgf: str) -> None:
    assert GGF.write and SGF.write
    assert f"RE[{sgf}]" in SGF.write(replace(BASE, result=result))
    assert f"RE[{result}]" in GGF.write(replace(BASE, result=sgf))


@pytest.mark.parametrize("game", ["(;GM[Othello]KM[0.5]B[f5];)", "(;GM[2]KM[-2];B[f5])"])
def test_a_game_with_komi_is_refused_by_its_name(game: str) -> None:
    with pytest.raises(Unread, match="komi"):
        read_games(game)


@pytest.mark.parametrize("game", ["(;GM[Othello]KM[0]B[f5];)", "(;GM[2]KM[0.0];B[f5])"])
def test_no_komi_is_no_reason_to_refuse(game: str) -> None:
    assert len(read_games(game)) == 1


def test_tt_is_a_pass_on_a_board_without_that_square() -> None:
    moves = ";B[c4];W[d4];B[b1];W[b4];B[d3];W[d2];B[tt];W[a2]"
    (game,) = read_games(f"(;GM[2]SZ[4]{moves})")
    assert len(game.record.moves) == 7
    with pytest.raises(Unread, match="t20"):
        read_games("(;GM[2]SZ[26];B[tt])")


def test_a_faulty_game_does_not_hide_the_games_after_it() -> None:
    lines = "+d3-c5: +1 1\n+d3-a1: +2 1\n+d3-c3: +3 1\n"
    found = [*games_of_files({"logbook.gam": lines.encode()})]
    assert [isinstance(game, Unread) for game in found] == [False, True, False]
    assert isinstance(found[1], Unread) and found[1].line == 2


def test_a_faulty_game_of_a_database_does_not_hide_the_others() -> None:
    rows = [("f5d6", 0, 1, 20), ("f5f5", 0, 1, 20), ("f5d6", 0, 1, 20)]
    found = [*wthor_format.read(BytesIO(database(rows)), {})]
    assert [isinstance(game, BadRecord) for game in found] == [False, True, False]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-be"])
def test_names_are_read_in_the_encodings_of_other_programs(encoding: str) -> None:
    (game,) = games_of_files({"x.sgf": "(;GM[2]PB[Zoë];B[f5];W[d6])".encode(encoding)})
    assert not isinstance(game, Unread)
    assert game.record.names["black"] == "Zoë"


def test_a_file_may_name_its_encoding() -> None:
    named = "(;GM[2]CA[Shift_JIS]PB[村上];B[f5])".encode("shift_jis")
    (game,) = games_of_files({"x.sgf": named})
    assert not isinstance(game, Unread)
    assert game.record.names["black"] == "村上"
