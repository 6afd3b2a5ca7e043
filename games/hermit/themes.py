"""The themes of the puzzles of Hermit, each with its idea on a board."""

from __future__ import annotations

from itertools import cycle
from typing import Final

from games.contract import Text, Theme, text
from games.hermit.messages import PLAYERS


def _theme(
    name: Text, caption: Text, size: int, played: str, cells: str, *arrows: tuple[str, str]
) -> Theme:
    moves = tuple(zip(cycle(PLAYERS), played.split(", "), strict=False))
    return Theme(
        name=name,
        caption=caption,
        setup={"size": size},
        moves=moves,
        cells=tuple(cells.split()),
        arrows=arrows,
    )


THEMES: Final = {
    "save": _theme(
        text("Save yourself"),
        text(
            "The red block on c2 leaves a block for each of the two players. After any other one, "
            "the opponent could have laid the last block at once."
        ),
        3,
        "R a2 U, B a3 H, Y a1 H, R c2 U",
        "c1 c3",
    ),
    "mirror": _theme(
        text("Mirror"),
        text(
            "The first block stands in the middle. Since then each block gets its image on the "
            "other side of it, so an answer is always left."
        ),
        5,
        "B c3 U, R b1 H, R c5 H",
        "c3",
        ("b1", "d5"),
    ),
    "cut": _theme(
        text("Cutting a region"),
        text(
            "The last block has cut what was open in two. The halves are equal: whatever is laid "
            "in one of them has an answer in the other."
        ),
        4,
        "R c2 V, B b2 V, Y b1 H, Y b4 H",
        "a1 a2 a3 a4 d1 d2 d3 d4",
    ),
    "region": _theme(
        text("Several regions"),
        text(
            "A block in one region changes nothing in another. Count each for itself: here 1, 1 "
            "and 2 more blocks fit, four in all."
        ),
        4,
        "B a2 U, Y b3 H, B a4 H, R c2 H, Y c1 H",
        "a1 a3 c4 d3 d4",
    ),
    "parity": _theme(
        text("Counting squares"),
        text(
            "Only single squares are left, four of them: an even number, so the player to move "
            "doesn’t lay the last block."
        ),
        5,
        "R a2 V, Y a4 U, R c1 U, R d4 V, Y c3 U, B b5 H, Y e4 U, B a1 H, B e1 V",
        "d1 b3 a5 e5",
    ),
    "upright": _theme(
        text("Upright"),
        text(
            "An upright block covers one square, a lying one two. With a2 covered, the six marked "
            "squares are left in two regions, and each block there has an answer."
        ),
        4,
        "Y c1 H, Y b3 V, R a1 H, R d3 V, B a2 U",
        "a3 a4 c2 c3 c4 d2",
    ),
}
