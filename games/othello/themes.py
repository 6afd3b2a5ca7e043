"""The themes of the puzzles of Othello, each with its idea on a board."""

from __future__ import annotations

from itertools import cycle
from typing import Final

from games.contract import Text, Theme, text
from games.othello.messages import PLAYERS


def _theme(name: Text, caption: Text, played: str, *cells: str) -> Theme:
    moves = tuple(zip(cycle(PLAYERS), played.split(), strict=False))
    return Theme(name=name, caption=caption, setup={"size": 8}, moves=moves, cells=cells)


THEMES: Final = {
    "corner": _theme(
        text("Corner"),
        text(
            "White has taken the corner h8. It can’t be turned any more, nor can the marked discs "
            "that it holds."
        ),
        "f5 f4 c3 g6 g5 f6 g4 h5 e6 g3 f7 e3 f3 d3 e2 d7 c4 c5 h3 b3 e7 d2 b4 e1 b6 d6 f2 d8 c6 f1 "
        "c2 a5 b2 h4 f8 a1 d1 b1 c1 h2 h6 h7 g7 a7 e8 b5 c8 b7 c7 h8",
        *("h2", "h3", "h4", "h5", "h6", "h7", "h8"),
    ),
    "sacrifice": _theme(
        text("Giving a corner"),
        text(
            "White plays h2 and leaves the corner a1 to Black: every other move loses. At the end, "
            "count before you save a corner."
        ),
        "f5 d6 c3 f4 e6 d3 c4 f6 e3 c5 c6 b6 d7 f3 b5 c8 e7 d8 f8 a4 g3 d2 d1 e2 b3 g4 e1 b4 c7 f7 "
        "h5 a3 c2 h4 g6 g5 h6 h3 f2 g1 a6 g7 a5 b1 h8 g8 e8 h7 a2 g2 f1 c1 h1 h2",
        "a1",
    ),
    "defence": _theme(
        text("Keeping a corner"),
        text("Black was about to take the corner a8. White’s move on a2 has closed the way there."),
        "f5 d6 c5 f4 e3 d3 f3 g3 c2 b5 c6 c3 d7 e7 e6 f6 b4 a5 f8 c8 e2 f2 f7 d8 c4 e1 a6 c7 e8 g8 "
        "g4 d2 g5 b3 a3 h6 g6 a7 c1 d1 f1 h4 h3 h5 h7 g7 b1 h2 h1 g1 g2 a1 a4 a2",
        "a8",
    ),
    "parity": _theme(
        text("Parity"),
        text(
            "Black has begun a region of three squares, an odd number. Two are left: White plays "
            "first there, and Black last."
        ),
        "d3 e3 f3 c5 d6 c7 f5 f4 g4 e2 d2 c4 e6 d1 c2 g3 h3 f2 c6 c3 b5 f7 b4 c1 d7 b6 b3 f6 c8 a6 "
        "a4 a2 g5 h5 g6 h4 h6 e7 h2 b2 d8 e8 f8 g8 h8 h7 a5 a3 g7 h1 a1 b1 g1 b7 e1",
        *("f1", "g2"),
    ),
    "pass": _theme(
        text("Passing the opponent"),
        text("After h3 White has no move on any square. Black plays again."),
        "c4 e3 f5 b4 f3 d6 d3 e2 c6 f2 e6 g3 e1 f4 c5 g6 c3 c2 d2 b3 g4 c1 f1 b6 d1 g1 b5 h5 a4 f7 "
        "e7 a6 a5 a3 a2 a1 b1 b2 b7 a8 d7 a7 h1 g5 b8 c7 d8 f6 c8 e8 h4 h2 h6 g2 h3",
    ),
}
