"""The judge program ``python -m games.othello`` follows its document byte for byte."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from games.othello.judge import BadLine, boards

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[3]

FIRST_INPUT = b"6\nN 2 3\nB 4 2\nN 5 4\nB 2 4\nN 3 2\n"
FIRST_OUTPUT = b"""\
......
......
..BN..
..NB..
......
......
2:2

......
..N...
..NN..
..NB..
......
......
4:1

......
..N...
..NN..
.BBB..
......
......
3:3

......
..N...
..NN..
.BBN..
...N..
......
5:2

......
..NB..
..BN..
.BBN..
...N..
......
4:4

......
..NB..
.NNN..
.BNN..
...N..
......
7:2

"""

SECOND_INPUT = b"4\nN 4 3\nB 4 4\nN 1 2\nB 4 2\nN 3 4\nB 2 4\nB 1 1\nN 2 1\n"
SECOND_OUTPUT = b"""\
....
.BN.
.NB.
....
2:2

....
.BN.
.NN.
..N.
4:1

....
.BN.
.NB.
..NB
3:3

.N..
.NN.
.NB.
..NB
5:2

.N..
.NN.
.NB.
.BBB
4:4

.N..
.NN.
.NNN
.BBB
6:3

.N..
.NNB
.NBB
.BBB
4:6

BN..
.BNB
.NBB
.BBB
3:8

BN..
NNNB
.NBB
.BBB
5:7

"""

START_OF_4 = b"....\n.BN.\n.NB.\n....\n2:2\n\n"


def judged(data: bytes) -> tuple[bytes, str]:
    """Return the output of the judge for an input, and its message."""
    printed = ""
    try:
        for board in boards(BytesIO(data)):
            printed += board
    except BadLine as error:
        return printed.encode("ascii"), str(error)
    return printed.encode("ascii"), ""


def judge(data: bytes, *flags: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program."""
    return subprocess.run(
        [sys.executable, *flags, "-m", "games.othello"],
        input=data,
        cwd=ROOT,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("data", "output"),
    [(FIRST_INPUT, FIRST_OUTPUT), (SECOND_INPUT, SECOND_OUTPUT)],
    ids=["unfinished", "with a pass"],
)
def test_the_examples_of_the_document_come_out_byte_for_byte(data: bytes, output: bytes) -> None:
    run = judge(data)
    assert (run.returncode, run.stdout, run.stderr) == (0, output, b"")


def test_a_size_alone_prints_the_start() -> None:
    assert judged(b"4\n") == (START_OF_4, "")


@pytest.mark.parametrize(
    "lines",
    [
        FIRST_INPUT.replace(b"\n", b" "),
        FIRST_INPUT.replace(b" ", b"\n"),
        FIRST_INPUT.replace(b"\n", b"\r"),
        FIRST_INPUT.replace(b"\nN", b" N"),
        b"\xef\xbb\xbf" + FIRST_INPUT,
        b"\xef\xbb\xbf\r\n" + FIRST_INPUT.replace(b" ", b"\t"),
    ],
)
def test_words_are_read_whatever_separates_them(lines: bytes) -> None:
    assert judged(lines) == (FIRST_OUTPUT, "")


def test_the_line_of_a_wrong_word_is_named() -> None:
    assert judged(b"4 N 4 3\nB 4\n4 N 1 1\n")[1].startswith("line 3: invalid move: N 1 1")


def test_a_board_is_printed_as_soon_as_its_move_is_read() -> None:
    given: list[bytes] = []

    def lines() -> Iterator[bytes]:
        for line in (b"4\n", b"N 4\n", b"3\n"):
            given.append(line)
            yield line

    printed = boards(lines())
    next(printed)
    assert given == [b"4\n"]
    next(printed)
    assert len(given) == 3


@pytest.mark.parametrize("data", [b"4", b"4\r\n", b"\n  4  \n\n"])
def test_spaces_empty_lines_and_windows_line_ends_do_not_matter(data: bytes) -> None:
    assert judged(data) == (START_OF_4, "")


@pytest.mark.parametrize(
    "line",
    [
        b"B 1 2",
        b"N 1 1",
        b"N 2 2",
        b"N 5 3",
        b"N 0 3",
        b"N 999999999 3",
        b"N 9999999999 3",
        b"N -4 3",
        b"N 4",
        b"N",
        b"X 4 3",
        b"n 4 3",
        b"N43",
        b"4 3",
        b"N +4 3",
        b"N 4.0 3",
        "N ٤ ٣".encode(),
        b"N \xff 3",
        b"-",
    ],
)
def test_an_illegal_or_malformed_line_ends_it_and_is_named(line: bytes) -> None:
    output, message = judged(b"4\n" + line + b"\nN 4 3\n")
    assert output == START_OF_4
    assert message.startswith("line 2: ")
    assert "\n" not in message


def test_the_program_ends_at_a_move_of_the_player_who_was_passed_over() -> None:
    run = judge(b"4\nN 4 3\nB 4 4\nN 1 2\nB 4 2\nN 3 4\nB 2 4\nN 2 1\n")
    assert run.returncode == 1
    assert run.stderr.decode().splitlines() == ["line 8: invalid move: N 2 1"]


def test_a_move_after_the_end_is_illegal() -> None:
    output, message = judged(b"4\nN 4 3\nB 4 4\nN 1 2\nB 4 2\nN 3 4\nB 2 4\nB 2 1\nN 1 1\n")
    assert output.endswith(b"1:10\n\n")
    assert message.startswith("line 9:")


@pytest.mark.parametrize(
    "size",
    [
        b"5",
        b"0",
        b"-1",
        b"-8",
        b"2",
        b"999999998",
        b"10002",
        b"200000",
        b"9" * 5000,
        b"8.0",
        "٨".encode(),
        b"N 4 3",
    ],
)
def test_an_impossible_size_is_refused_in_the_first_line(size: bytes) -> None:
    output, message = judged(size + b"\nN 4 3\n")
    assert output == b""
    assert message.startswith("line 1: ")


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_an_empty_input_lacks_the_size(data: bytes) -> None:
    assert judged(data) == (b"", "line 1: the size of the board is missing")


def test_it_ends_silently_when_its_reader_closes_the_output() -> None:
    command, pipe = [sys.executable, "-m", "games.othello"], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        assert run.stdin and run.stdout and run.stderr
        run.stdin.write(b"600\nN 300 299\n")  # each picture is larger than a pipe holds
        run.stdin.close()
        assert run.stdout.readline() == b"." * 600 + b"\n"
        run.stdout.close()
        assert run.stderr.read() == b""


def test_illegal_lines_are_refused_when_python_drops_assert_statements() -> None:
    assert judge(b"4\nN 1 1\n", "-O").returncode == 1
    assert judge(b"5\n", "-O").returncode == 1
