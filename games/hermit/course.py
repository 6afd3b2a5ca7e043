"""The course of Hermit: ten positions with one winning move each, from counting to nimbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.contract import Lesson, Puzzle, Text, Turn, text

_STEPS: Final = (
    (
        text("The last block"),
        text("Whoever lays the last block wins. Lay one after which no other fits."),
        "3: B c1 V, B a1 V, R a3 H",
        "Y b1 V",
    ),
    (
        text("Count to two"),
        text(
            "Count the blocks that fit after yours. Two is good: your opponent lays one, and the "
            "last one is yours."
        ),
        "3: B c1 U, Y b3 U, R a3 U, B a1 U",
        "R c2 U",
    ),
    (
        text("Lying or upright"),
        text(
            "A lying block takes two squares, an upright one takes one. So you choose whether an "
            "odd or an even number of blocks is left."
        ),
        "4: R b3 H, B a1 V, B d3 V, Y d1 V, Y a3 V",
        "R b1 H",
    ),
    (
        text("Three colours"),
        text(
            "A block keeps its colour off the squares around it. One corner takes every colour, "
            "but only one of them leaves two blocks."
        ),
        "3: R a1 U, R c3 U, Y b1 U, B c1 V",
        "R a3 U",
    ),
    (
        text("Take the centre"),
        text(
            "Upside down, this board looks the same. Take the only square without a partner, and "
            "from then on copy each block on the opposite side."
        ),
        "5: Y b5 H, Y c1 H, B a3 H, B d3 H, R b1 V, R d4 V",
        "Y c3 U",
    ),
    (
        text("Copy each block"),
        text(
            "Until the yellow block on e2, this board looked the same upside down. Copy that "
            "block on the opposite side, in its colour, and the next one too."
        ),
        "5: R c3 U, B d3 H, B a3 H, Y c5 U, Y c1 U, B e5 U, B a1 U, R d1 H, R a5 H, Y e2 U",
        "Y a4 U, R a2 U, R e4 U",
    ),
    (
        text("Cut a row"),
        text(
            "Only red still fits, in one row. Cut it into regions that are too far apart to "
            "affect each other, and count each by itself."
        ),
        "5: R c1 H, R b5 H, Y b1 V, Y d4 V, Y a4 V, Y e1 V, B b4 H, B c2 H, B a1 V, B e4 V",
        "R c3 U",
    ),
    (
        text("Equal halves"),
        text(
            "Cut what is open into two equal regions, then answer each block in the other one. "
            "One may be turned, or have two colours exchanged."
        ),
        "4: B d2 V, Y c1 H, Y a4 H, B b2 V, R a3 U",
        "R c2 U",
    ),
    (
        text("Regions have numbers"),
        text(
            "The nimber of a region is the smallest that no block there leaves: 0 where none "
            "fits, 1 if all leave 0, 2 if they leave 0 or 1. Leave two equal ones."
        ),
        "4: B d1 U, Y d4 U, Y a3 H, B c3 H, R b4 U, R b1 U",
        "B a4 U",
    ),
    (
        text("One, two, three"),
        text(
            "Nimbers work like piles in the game of Nim: 1, 2 and 3 balance too, since you can "
            "make the other two match any change. Leave three such regions."
        ),
        "5: B a1 V, R b3 U, R d3 U, Y a5 H, Y d1 H, Y d5 U, B c1 V, B c4 V",
        "B e5 U",
    ),
)
_NIMBERS: Final = (9, 10)
_THEMES: Final = {5: "mirror", 6: "mirror", 7: "cut", 8: "cut", 9: "region", 10: "region"}


def _lesson(number: int, title: Text, said: Text, played: str, solution: str) -> Lesson:
    size, moves = played.split(": ")
    puzzle = Puzzle(
        key=f"{number:08}",
        task="nimbers" if number in _NIMBERS else "win",
        setup={"size": int(size)},
        moves=tuple(moves.split(", ")),
        turns=tuple(_turns(*solution.split(", "))),
        themes=(_THEMES.get(number, "parity"),),
    )
    return Lesson(number, puzzle, title, said)


def _turns(right: str, *later: str) -> Iterator[Turn]:
    yield Turn(right=(right,), replies=later[:1])
    if later:
        yield from _turns(*later[1:])


COURSE: Final = tuple(_lesson(number, *step) for number, step in enumerate(_STEPS, start=1))
