"""Texts of Othello as programs and people write them are read at the site, pasted or uploaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.exchange.reading import Unread, read_games
from games.models import Game

pytestmark = pytest.mark.django_db

FIVE = ["f5", "d6", "c3", "d3", "c4"]
PASSED = ["c4", "d4", "b1", "b4", "d3", "d2", "a2"]
"""On 4 x 4: after d2 black has no move, and white goes on."""
FIRST = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
SQUARES = f"{'-' * 27}OX------XO{'-' * 27}"
GGS = f"PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[a]PW[b]TI[05:00//02:00]TY[8]RE[-38.0]BO[{FIRST}]"

TEXTS: dict[str, tuple[str, Sequence[Sequence[str]]]] = {
    "NBoard, with a pass at the end": (
        "(;GM[Othello]PC[NBoard]DT[2024-05-06 07:08:09 GMT]PB[Anna]PW[Ben]RE[?]TI[0]TY[4]"
        "BO[4 ---- -O*- -*O- ---- *]B[c4]W[d4]B[b1]W[b4]B[d3]W[d2]B[PA];)",
        [PASSED[:-1]],
    ),
    "NBoard, with values and times": (
        f"(;GM[Othello]PC[NBoard]PB[A]PW[B]RE[?]TI[15:00]TY[8]BO[{FIRST}]"
        "B[F5//1.42]W[D6/-2.00/3.1]B[C3/0.5]W[d3]B[c4];)",
        [FIVE],
    ),
    "GGS, with W[PA] at the end": (
        f"1 (;GM[Othello]{GGS.replace(FIRST, '4 ---- -O*- -*O- ---- *')}"
        "B[c4//0.01]W[d4//0.01]B[b1]W[b4]B[d3]W[d2]B[PA]W[a2]B[PA]W[PA];)",
        [PASSED],
    ),
    "GGS, two games at once": (
        f"2 (;GM[Othello]{GGS}B[d3//0.01]W[c5/-18.40/0.01];)(;GM[Othello]{GGS}B[d3//0.01];)",
        [["d3", "c5"], ["d3"]],
    ),
    "Edax, setup and pairs in one node": (
        "(;FF[4]GM[2]AP[edax:4.6]PB[edax]PW[Ben]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[Void]"
        "B[f5];W[d6];B[c3]W[d3];B[c4];)",
        [FIVE],
    ),
    "squares with P@": ("P@f5 P@d6 P@c3 P@d3 P@c4", [FIVE]),
    "squares with P@, joined": ("P@f5P@d6P@c3P@d3P@c4", [FIVE]),
    "squares with P@, on lines": ("p@f5\np@d6\np@c3\np@d3\np@c4\n", [FIVE]),
    "the pass @@": ("c4d4b1b4d3d2@@a2", [PASSED]),
    "the pass @@@@": ("c4 d4 b1 b4 d3 d2 @@@@ a2", [PASSED]),
    "the pass -": ("c4 d4 b1 b4 d3 d2 - a2", [PASSED]),
    "the pass --": ("c4d4b1b4d3d2--a2", [PASSED]),
    "the pass ps": ("c4d4b1b4d3d2psa2", [PASSED]),
    "the pass [pass]": ("c4 d4 b1 b4 d3 d2 [pass] a2", [PASSED]),
    "no pass": ("C4D4B1B4D3D2A2", [PASSED]),
    "half discs": ("f5d6c3d3c4 33.5-30.5", [FIVE]),
    "half discs in brackets": ("f5 d6 c3 d3 c4 (33.5-30.5)", [FIVE]),
    "times in brackets": ("f5 [0:01] d6 (12s) c3 (1m03s) d3 [2.5] c4", [FIVE]),
    "values in brackets": ("f5 (+0.5) d6 [-2] c3 {+1.00} d3 c4 (0)", [FIVE]),
    "side lines in brackets": ("f5 d6 c3 (c5 (b4) b3) d3 c4", [FIVE]),
    "PGN with side lines": ("1. f5 (1. f4 f3) d6 2. c3 (2. d3 [c5] c4) d3 3. c4 *", [FIVE]),
    "SGF with side lines": ("(;GM[2];B[f5];W[d6](;B[c3];W[d3];B[c4])(;B[c5];W[b4]))", [FIVE]),
    "comments": ("; of a club\nf5 d6 ; usual\nc3; d3; c4 ; and so on", [FIVE]),
    "full-width digits": ("ｆ５ｄ６ｃ３　Ｄ３　Ｃ４", [FIVE]),
    "soft hyphens": ("f5d6\u00adc3d3\u00ad\nc4", [FIVE]),
    "numbers and capitals": ("1. F5 D6\n2. C3 D3\n3. C4", [FIVE]),
    "numbers before every move": ("1.f5 2.d6 3.c3 4.d3 5.c4", [FIVE]),
    "a column": ("f5\nd6\nc3\nd3\nc4\n", [FIVE]),
    "two lines, two games": ("f5d6c3d3c4\nf5f6e6f4\n", [FIVE, ["f5", "f6", "e6", "f4"]]),
    "PGN of two games": (
        '[White "Ben"]\n[Black "Anna"]\n[Result "35-29"]\n\n1. f5 d6 2. c3 d3 3. c4 35-29\n\n'
        '[White "Anna"]\n[Black "Ben"]\n\n1. f5 f6 2. e6 {a line: e6} *\n',
        [FIVE, ["f5", "f6", "e6"]],
    ),
    "OBF": (f"{SQUARES} X;\n{SQUARES} X; f5:+0;\n", [[], []]),
    "64 squares and a word": (f"{SQUARES} Black % 20", [[]]),
    "64 squares, the side on the next line": (f"{SQUARES}\nX\n", [[]]),
    "65 signs": (f"{SQUARES}X", [[]]),
}


def understood(page: Any) -> list[list[str]]:
    assert page.status_code == 200
    return [[move for _, move in preview.game.record.moves] for preview in page.context["previews"]]


@pytest.mark.parametrize("name", TEXTS)
def test_a_pasted_text_is_understood(name: str) -> None:
    written, games = TEXTS[name]
    assert understood(Client().post("/import/", {"text": written})) == games


@pytest.mark.parametrize("name", TEXTS)
def test_an_uploaded_text_is_understood(name: str) -> None:
    written, games = TEXTS[name]
    file = SimpleUploadedFile("game.txt", written.replace("\n", "\r\n").encode())
    assert understood(Client().post("/import/", {"file": file})) == games


def test_the_names_in_pgn_belong_to_the_seats() -> None:
    first, second = read_games(TEXTS["PGN of two games"][0])
    assert first.record.names == {"black": "Anna", "white": "Ben"}
    assert second.record.names == {"black": "Ben", "white": "Anna"}


@pytest.mark.parametrize(("side", "seat"), [("X", "black"), ("o", "white"), ("White", "white")])
def test_a_game_begins_at_a_pasted_position_with_its_side_to_move(side: str, seat: str) -> None:
    client = Client()
    squares = SQUARES.replace("OX", "OO", 1)
    page = client.post("/import/", {"text": f"{squares} {side}"})
    sent = {"text": page.context["written"], "seen": page.context["seen"], "create": "0-device"}
    client.post("/import/", sent)
    game = Game.objects.get()
    assert game.setup["discs"].count("B") == 3
    assert game.to_move == [seat]


PUBLISHED = {
    # World Championship, Athens 2007, first game of the final, Nicolet 35-29 Tominaga: printed in
    # Roberto Corradini's book, https://github.com/rcrr/reversi, book/120_game-representation.md.
    "F5D6C5F4E3C6D3F6E6D7G4G3G6H3G5H4E7F7H5H6E8F3C4C7D8C8B8B4B6B5A4A5A6E2A3D2D1C1B1C2C3B2F2F1A1B3E1"
    "A2G1G2H1H2H7G7H8B7A8A7F8G8": (35, 29),
    # World Championship, Rome 2010, round 1, Takizawa 64-0 Terkelsen (two squares stay empty), and
    # round 11, Van den Biggelaar 32-32 Takanashi: in the database WTHOR of the French federation.
    "F5F6E6F4G5G6G4C6F3F7E7D6D7F8E8F2G3C7G8H5H6H3D8G7H4H7H8E3H2C5B6C8C4B3C3B8A3A6A7A8B7B5B4D3C2D1G2"
    "F1G1H1D2E2E1B1A4A5A2C1": (64, 0),
    "F5D6C3D3C4F4F6F3E6E7D7G6F8F7H6C5C6D8E3B6G4B4B5H3H4E2D2G3F1F2G5E8C8C7A3E1D1C1B1C2A6G2B8A5G8H5H1"
    "A7B2G1A4B7H2A2A8A1B3H7G7H8": (32, 32),
}


@pytest.mark.parametrize("written", PUBLISHED)
def test_a_published_game_has_its_known_result(written: str) -> None:
    (game,) = read_games(written)
    assert game.standing.position.board.score() == PUBLISHED[written]  # type: ignore[attr-defined]


def test_a_file_of_another_game_is_refused_where_it_says_so() -> None:
    page = Client().post("/import/", {"text": "(;FF[4]\nGM[1]SZ[19];B[pd];W[dp])"})
    unread = page.context["unread"]
    assert str(unread.text) == "This SGF file holds another game than Othello."
    assert (unread.line, unread.column) == (2, 4)


@pytest.mark.parametrize(
    "written",
    [
        f"(;GM[Othello]PB[a]PW[b]\nTY[8a]BO[{FIRST}]B[d3];)",
        "(;FF[4]GM[2]\nRU[Anti-Othello];B[f5])",
    ],
)
def test_a_game_in_which_fewer_discs_win_is_refused_by_its_name(written: str) -> None:
    with pytest.raises(Unread, match="This is anti-Othello") as refusal:
        read_games(written)
    assert (refusal.value.line, refusal.value.column) == (2, 4)
