"""Databases of WTHOR are imported with the names and results of their games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from struct import pack

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from games.contract import DRAW, RESIGN, BadRecord, Record, replay_record
from games.models import Game, Player
from games.othello.formats import wthor
from games.othello.rules import RULES
from games.state.snapshot import read_snapshot
from tests.games.othello.test_real_texts import PUBLISHED


def read(file: BytesIO, companions: Mapping[str, bytes]) -> list[Record]:
    """Return the games of a file. Raises the first BadRecord, also that of a single game."""
    games = []
    for game in wthor.read(file, companions):
        if isinstance(game, BadRecord):
            raise game
        games.append(game)
    return games


PLAYERS = ["Nicolet", "Tominaga", "Zoé"]
Row = tuple[str, int, int, int]


def header(count: int, *, size: int = 8, solitaires: int = 0) -> bytes:
    """Return the 16 bytes before the rows of a file: the day when it was made, the numbers of rows,
    the year of the games, and the kind of the file."""
    return pack("<BBBBIHHBBBB", 20, 8, 1, 31, count, 0, 2007, size, solitaires, 0, 0)


def database(rows: Sequence[Row], **changes: int) -> bytes:
    """Return a file ``.wtb`` of games: squares, black, white and the score of black."""
    written = header(len(rows), **changes)
    for moves, black, white, score in rows:
        squares = [
            10 * int(moves[at + 1]) + "abcdefgh".index(moves[at]) + 1
            for at in range(0, len(moves), 2)
        ]
        written += pack("<HHHBB", 0, black, white, score, score) + bytes(squares).ljust(60, b"\0")
    return written


def players() -> bytes:
    names = (name.encode("latin-1").ljust(20, b"\0") for name in PLAYERS)
    return header(len(PLAYERS), size=0) + b"".join(names)


ROWS = [(moves.lower(), 0, 1, score[0]) for moves, score in PUBLISHED.items()]


def test_the_games_of_a_database_have_their_squares_and_scores() -> None:
    records = [*read(BytesIO(database(ROWS)), {"jou": players()})]
    scores = [replay_record(RULES.start, r).board.score()[0] for r in records]  # type: ignore[attr-defined]
    assert ["".join(move for _, move in r.moves) for r in records] == [row[0] for row in ROWS]
    assert scores == [row[3] for row in ROWS]
    assert all(r.names == {"black": "Nicolet", "white": "Tominaga"} for r in records)


@pytest.mark.parametrize(
    ("score", "end"),
    [(20, ("black", RESIGN)), (40, ("white", RESIGN)), (32, ("white", DRAW))],
)
def test_a_game_that_stops_early_ends_by_its_score(score: int, end: tuple[str, str]) -> None:
    (record,) = read(BytesIO(database([("f5", 2, 9, score)])), {"jou": players()})
    assert [*record.moves] == [("black", "f5"), end]
    assert record.names == {"black": "Zoé"}


def test_the_year_and_the_tournament_are_kept() -> None:
    tournaments = header(1, size=0) + b"World Championship".ljust(26, b"\0")
    (record,) = read(BytesIO(database(ROWS[:1])), {"trn": tournaments})
    assert (record.day, record.event) == ("2007", "World Championship")


@pytest.mark.django_db
def test_staff_import_a_database_by_a_command(tmp_path: Path) -> None:
    (tmp_path / "WTH_2007.wtb").write_bytes(database(ROWS))
    (tmp_path / "WTHOR.JOU").write_bytes(players())
    call_command("import_games", str(tmp_path / "WTH_2007.wtb"))
    games = Game.objects.all()
    assert {"".join(game.moves.values_list("text", flat=True)) for game in games} == {
        row[0] for row in ROWS
    }
    for game in games:
        assert game.over
        places = read_snapshot(game.id).seating.places
        assert [[*place.players.values()] for place in places.values()] == [
            ["Nicolet"],
            ["Tominaga"],
        ]
    assert Player.objects.get().name == "WTH_2007"


@pytest.mark.django_db
def test_of_a_faulty_database_nothing_is_stored(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.wtb", tmp_path / "b.wtb"
    good.write_bytes(database(ROWS))
    bad.write_bytes(database([*ROWS, ("f5f5", 0, 1, 30)]))
    with pytest.raises(CommandError, match=f"b.wtb:1:{16 + 3 * 68 + 8 + 2}: Move 2, “f5”"):
        call_command("import_games", str(good), str(bad))
    (tmp_path / "c.txt").write_text("no game")
    with pytest.raises(CommandError, match="no list of moves"):
        call_command("import_games", str(tmp_path / "c.txt"))
    assert (Game.objects.count(), Player.objects.count()) == (0, 0)


def test_a_folder_is_checked_without_storing_and_each_fault_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.wtb").write_bytes(database(ROWS))
    (tmp_path / "a.jou").write_bytes(players())
    (tmp_path / "b.ggf").write_text("(;GM[Othello]B[f5];)\n(;GM[Othello]B[a1];)\n")
    with pytest.raises(CommandError, match="1 faults"):
        call_command("import_games", "--check", str(tmp_path))
    said = capsys.readouterr().out
    assert f"a.wtb: {len(ROWS)} games" in said
    assert "b.ggf: 1 games" in said
    assert "b.ggf:2:16: Move 1, “a1”" in said


@pytest.mark.parametrize(
    ("stored", "at"),
    [
        (b"", 0),
        (b"PK\x03\x04" * 4, 0),
        (database(ROWS, size=10), 0),
        (database(ROWS, solitaires=1), 0),
        (database(ROWS)[:-1], 16 + 3 * 68 - 1),
        (header(1) + bytes(8) + bytes([99]) + bytes(59), 16 + 8),
    ],
)
def test_the_first_byte_that_cannot_be_read_is_named(stored: bytes, at: int) -> None:
    with pytest.raises(BadRecord) as refusal:
        list(read(BytesIO(stored), {}))
    assert refusal.value.at == at


@given(st.binary(max_size=200), st.booleans(), st.binary(max_size=60))
def test_any_bytes_are_games_or_refused_with_a_place(
    content: bytes, begins: bool, names: bytes
) -> None:
    stored = (header(2) if begins else b"") + content
    try:
        records = [*read(BytesIO(stored), {"jou": names})]
    except BadRecord as error:
        assert 0 <= error.at <= len(stored)
        return
    for record in records:
        replay_record(RULES.start, record)
