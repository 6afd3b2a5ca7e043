"""Games of Othello in the formats of other programs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import (
    DRAW,
    RESIGN,
    TIMEOUT,
    BadRecord,
    CannotWrite,
    Record,
    RecordFormat,
    replay_record,
)
from games.exchange.reading import read_games
from games.othello.formats import FORMATS
from games.othello.formats.board_file import BOARD_FILE
from games.othello.formats.ggf import GGF
from games.othello.formats.judge_files import JUDGE_INPUT, JUDGE_OUTPUT
from games.othello.formats.parts import first_setup
from games.othello.formats.sgf import SGF
from games.othello.rules import RULES

# As NBoard writes a game on 4 x 4 with a pass, and as the Generic Game Server writes a move.
NBOARD = (
    "(;GM[Othello]PC[NBoard]DT[2024-05-06 07:08:09 GMT]PB[Anna]PW[Ben]RE[?]TI[0]TY[4]"
    "BO[4 ---- -O*- -*O- ---- *]B[c4]W[d4]B[b1]W[b4]B[d3]W[d2]B[PA]W[a2];)"
)
GGS = (
    "2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]"
    "RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O---"
    " -------- -------- -------- *]B[d3//0.01]W[c5/-18.40/0.01]B[E6/1.2];)"
)
# As Edax writes a file: set-up stones, the first move in their node, and a semicolon at the end.
EDAX = (
    "(;FF[4]GM[2]AP[edax:4.6]PC[Edax]DT[2026-11-25]PB[edax]PW[Ben]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]"
    "RE[Void]B[f5];W[d6];B[c3];)"
)

EMPTY = "........\n"
TWO_BOARDS = "....\n.BN.\n.NB.\n....\n2:2\n\n....\n.NN.\n.NB.\n....\n3:1\n"


def read_all(form: RecordFormat, written: str) -> list[Record]:
    """Return the games of a text. Raises the first BadRecord, also that of a single game."""
    games = []
    for game in form.read(written):
        if isinstance(game, BadRecord):
            raise game
        games.append(game)
    return games


def as_moves(record: Record) -> list[str]:
    return [move for _seat, move in record.moves]


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Return a random game, from the usual or another position, finished or not."""
    rng = draw(st.randoms(use_true_random=False))
    size = draw(st.sampled_from([4, 6, 8, 12]))
    setup = first_setup(size)
    if draw(st.booleans()):
        position = replay_record(RULES.start, random_record(setup, rng, draw(st.integers(1, 9))))
        if position.to_move():
            discs = str(position.board).replace("\n", "")  # type: ignore[attr-defined]
            setup = first_setup(size, discs, min(position.to_move()))
    record = random_record(setup, rng, draw(st.integers(0, size * size)))
    position = replay_record(RULES.start, record)
    end = draw(st.sampled_from(["", RESIGN, TIMEOUT, DRAW]))
    if end and position.to_move():
        seat = min(position.to_move()) if end == DRAW else draw(st.sampled_from(["black", "white"]))
        return Record(**{**vars(record), "moves": (*record.moves, (seat, end))})
    return record


def random_record(setup: object, rng: Random, plies: int) -> Record:
    position = RULES.start(setup)  # type: ignore[arg-type]
    moves = []
    while position.to_move() and len(moves) < plies:
        (seat,) = position.to_move()
        moves.append((seat, rng.choice(position.legal_moves(seat))))
        position.play(*moves[-1])
    options = {"size": setup["size"]}  # type: ignore[index]
    names = {"black": "Anna", "white": "Ben [2]"}
    return Record(options=options, setup=setup, moves=tuple(moves), names=names, day="2026-11-25")  # type: ignore[arg-type]


@given(records(), st.sampled_from([GGF, SGF]))
def test_a_written_game_is_read_back_with_its_position_its_moves_and_its_end(
    record: Record, form: RecordFormat
) -> None:
    assert form.write
    written = form.write(record)
    assert next(other for other in FORMATS if other.recognises(written)) is form
    (read,) = read_all(form, written)
    assert (read.setup, read.moves, read.day) == (record.setup, record.moves, record.day)
    assert read.names == {"black": "Anna", "white": "Ben 2"}


@given(records(), st.sampled_from([JUDGE_INPUT, JUDGE_OUTPUT]))
def test_the_files_of_the_judge_are_read_back_without_an_early_end(
    record: Record, form: RecordFormat
) -> None:
    assert form.write
    if "discs" in record.setup:
        with pytest.raises(CannotWrite):
            form.write(record)
        return
    (read,) = read_all(form, form.write(record))
    plain = [(seat, move) for seat, move in record.moves if move not in {RESIGN, TIMEOUT, DRAW}]
    assert (read.setup, list(read.moves)) == (record.setup, plain)


@given(records(), records(), st.sampled_from([GGF, SGF, JUDGE_INPUT, JUDGE_OUTPUT]))
def test_several_games_in_one_file_are_read(one: Record, two: Record, form: RecordFormat) -> None:
    assert form.write
    try:
        written = form.write(one), form.write(two)
    except CannotWrite:
        return
    alone = [record for text in written for record in read_all(form, text)]
    assert read_all(form, "\n".join(written)) == alone


def test_ggf_of_nboard_is_read_with_its_pass() -> None:
    assert GGF.recognises(NBOARD)
    (record,) = read_all(GGF, NBOARD)
    assert record.setup == {"size": 4}
    assert as_moves(record) == ["c4", "d4", "b1", "b4", "d3", "d2", "a2"]
    assert (record.names, record.day) == ({"black": "Anna", "white": "Ben"}, "2024-05-06")


def test_a_pass_after_the_last_move_is_read() -> None:
    (record,) = read_all(GGF, NBOARD.replace("B[PA]W[a2]", "B[PA]"))
    assert as_moves(record)[-1] == "d2"


def test_ggf_of_the_game_server_is_read_without_its_times_and_values() -> None:
    assert GGF.recognises(GGS)
    (record,) = read_all(GGF, GGS)
    assert as_moves(record) == ["d3", "c5", "e6"]
    assert record.day == "2003-12-15"


@pytest.mark.parametrize(
    "written",
    [
        EDAX,
        EDAX.replace("B[f5];W[d6];B[c3];", "\nB[f5];W[d6];\nB[c3];\n"),
        EDAX.replace("B[f5];W[d6];B[c3];", ";B[f5]W[d6];B[c3]"),
        EDAX.replace("B[f5];W[d6];B[c3];", ";B[fe];W[df](;B[cc])(;B[d3];W[e3])"),
        EDAX.replace("[e4][d5]AW[d4][e5]PL[B]", "[e4][d5]AW[d4][e5]C[a \\] comment]"),
    ],
)
def test_sgf_is_read_as_edax_and_others_write_it(written: str) -> None:
    assert SGF.recognises(written)
    (record,) = read_all(SGF, written)
    assert record.setup == {"size": 8}
    assert as_moves(record) == ["f5", "d6", "c3"]


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("---------------------------OX------XO--------------------------- X", "black"),
        ("...........................ox......xo........................... o ; a comment", "white"),
        ("---------------------------O*------*O---------------------------\tO; e6:+2;", "white"),
        ("-------- -------- -------- ---OX--- ---XO--- -------- -------- -------- X", "black"),
        (f"{EMPTY * 3}...WB...\n...BW...\n{EMPTY * 3}B\n", "black"),
    ],
)
def test_a_position_with_its_side_to_move_is_read(written: str, turn: str) -> None:
    assert BOARD_FILE.recognises(written)
    (record,) = read_all(BOARD_FILE, written)
    position = RULES.start(record.setup)
    assert str(position.board) == str(RULES.start({"size": 8}).board)  # type: ignore[attr-defined]
    assert position.to_move() == {turn}


def test_the_usual_first_position_is_no_setup_of_its_own() -> None:
    (record,) = read_all(BOARD_FILE, f"{'-' * 27}OX------XO{'-' * 27} X")
    assert record.setup == {"size": 8}


@pytest.mark.parametrize(
    ("form", "written", "at", "message"),
    [
        (GGF, "(;GM[Othello]B[f5]W[f5];)", "f5];)", "Move 2, “f5”: There’s already a disc on f5."),
        (GGF, "(;GM[Othello]B[d3]B[c4];)", "c4", "Move 2, “c4”: It is not your turn."),
        (GGF, "(;GM[Othello]B[PA]W[c4];)", "PA", "Nobody has to pass here."),
        (GGF, "(;GM[Othello]B[f5] oops", "oops", "A game in GGF goes on with a tag"),
        (GGF, "(;GM[Othello];) rest", "rest", "A game in GGF begins with “(;”."),
        (GGF, "(;GM[Othello]BO[8 --- *];)", "8 ---", "“8 --- *” is no board of GGF."),
        (GGF, "(;GM[Othello]BO[4 ---- -O*- -*O- --?- *];)", "?", "“?” is no square of a board."),
        (GGF, "(;GM[Othello]TY[7];)", "7", "A board has an even number of squares"),
        (SGF, "(;GM[2]SZ[99])", "99", "A board has an even number of squares"),
        (SGF, "(;GM[1]SZ[8])", "1]SZ", "This SGF file holds another game than Othello."),
        (SGF, "(;GM[2];B[f5];AB[a1])", "a1", "Discs are set up after the first move."),
        (SGF, "(;GM[2]AB[z9])", "z9", "“z9” is no square."),
        (SGF, "(;GM[2];B[f5]", "", "A game in SGF goes on with a property"),
        (JUDGE_INPUT, "8\nN 9 9\n", "N 9", "There is no such square on this board."),
        (JUDGE_INPUT, "8\nN 4\n", "N 4", "“N 4” is neither a size nor a colour"),
        (JUDGE_INPUT, "7\n", "7", "A board has an even number of squares"),
        (JUDGE_OUTPUT, TWO_BOARDS, "....\n.NN", "No move leads from the board before to this one."),
        (BOARD_FILE, "-" * 64, "", "The side to move is missing after this board: X or O."),
        (BOARD_FILE, "-" * 63 + " X", "-" * 63, "A board has an even number of squares"),
    ],
)  # fmt: skip
def test_the_first_place_that_cannot_be_read_is_named(
    form: RecordFormat, written: str, at: str, message: str
) -> None:
    with pytest.raises(BadRecord) as refusal:
        read_all(form, written)
    assert str(refusal.value).startswith(message)
    assert refusal.value.at == (written.index(at) if at else len(written))


TEXTS = st.text(alphabet='()[];BWPADTYOGMSZERabcdef12345678 *O-.NX:/\\\n"', max_size=80)


BEGINNINGS = st.sampled_from(["", "(;GM[Othello]", "(;GM[2]", "8\n", "N 4 3\n"])


@given(TEXTS, BEGINNINGS, st.sampled_from(FORMATS))
def test_any_text_is_games_or_refused_with_a_place(
    written: str, begin: str, form: RecordFormat
) -> None:
    text = begin + written
    try:
        games = read_all(form, text)
    except BadRecord as error:
        assert 0 <= error.at <= len(text)
        return
    for game in games:
        replay_record(RULES.start, game)


@pytest.mark.parametrize("form", [GGF, SGF], ids=lambda form: form.slug)
@pytest.mark.parametrize(
    ("day", "result"), [("2007-11-03", {"ggf": "-64:l", "sgf": "W+F"}), ("2007", {})]
)
def test_day_event_place_names_and_an_unplayed_result_come_back(
    form: RecordFormat, day: str, result: dict[str, str]
) -> None:
    record = Record(
        options={"size": 8},
        setup={"size": 8},
        moves=[("black", "f5")],
        names={"black": "Anna", "white": "Ben"},
        day=day,
        event="World Championship",
        place="Athens",
        result=result.get(form.slug, ""),
    )
    assert form.write
    (read,) = read_all(form, form.write(record))
    assert read == replace(record, moves=(("black", "f5"),))


def test_the_tags_of_pgn_are_kept() -> None:
    tags = '[Event "Open"]\n[Site "Athens"]\n[Date "2007.11.??"]\n[Result "1-0"]\n'
    (game,) = read_games(f"{tags}\n1. f5 d6")
    record = game.record
    about = (record.event, record.place, record.day, record.result)
    assert about == ("Open", "Athens", "2007-11", "1-0")
