"""The themes of the puzzles of Santorini, each with its idea on a board."""

from __future__ import annotations

from itertools import cycle
from typing import Final

from games.contract import Text, Theme, text


def _theme(name: Text, caption: Text, played: str, cells: str, *arrows: tuple[str, str]) -> Theme:
    moves = tuple(zip(cycle(("p1", "p2")), played.split(", "), strict=False))
    return Theme(
        name=name,
        caption=caption,
        setup={"players": 2},
        moves=moves,
        cells=tuple(cells.split()),
        arrows=arrows,
    )


THEMES: Final = {
    "climb": _theme(
        text("Climb"),
        text(
            "Worker C has climbed to level 2 and raised b5 to level 3. From up there it wins next."
        ),
        "b1 a4, b4 d5, B N S, C E NE, B N N, C S W, B SE SE, D NW SW, A E S, C NE E, A SW NE, "
        "D W E, A N SE, C SE NW, B N W, C NW E, B SE NE, C W SW",
        "b5",
        ("c4", "b5"),
    ),
    "step-down": _theme(
        text("Stepping down"),
        text(
            "Worker A has stepped down from a3 and raised it to level 3. Worker B climbs there "
            "next."
        ),
        "c4 e5, d1 b4, B NW SE, C SW S, A NW SW, D NW SE, B NW NW, D N S, A N SW, C SE NW, "
        "A SW SE, D SE NW, B SW SE, D SE S, A E W",
        "a3",
        ("b4", "a3"),
    ),
    "double-threat": _theme(
        text("Two threats at once"),
        text("Worker A can climb to c2 and to c4. One dome can’t close both."),
        "b1 e2, c3 a5, B N W, C NE E, A SE NW, D E N, A W NE, C NW E, A E SE, D N W, A S S, "
        "C E SW, A E SW, D N SW, A SW SE, C W S, A NE E, C SW NW, A E SW, C NE S, B SW S, "
        "C SW SW, A W SW",
        "c2 c4",
        ("d3", "c2"),
        ("d3", "c4"),
    ),
    "force": _theme(
        text("Forced reply"),
        text(
            "Worker A threatens to climb to a1. The reply has to stop that, so you know where it "
            "will be built."
        ),
        "d1 d3, e3 b4, B N NW, D N NW, A SW NW, D SE SW, A W W, D N SW, B W N, D SW N, A N W, "
        "C SW NE, A SW N, D N E, B W NW",
        "a1",
        ("a2", "a1"),
    ),
    "block": _theme(
        text("Block"),
        text("Worker C could climb from d1 to e2. Worker A has closed e2 with a dome."),
        "a1 d2, d1 a5, B SE S, C W E, B S S, D NE N, B W E, C E S, B NW SE, D E SE, B N N, "
        "D S W, A SE NW, D E NW, B E E, D W NE, A S S, D N W, B E SW, D E SE, A SE NW, "
        "C SW NE, B SW NE, C N W, A NW S, D W W, B SE W, D NE S, B S N, D E S, A SE SE, "
        "C E SE, A NE NE",
        "e2",
        ("d1", "e2"),
    ),
    "save": _theme(
        text("Save yourself"),
        text(
            "Worker C was about to climb from d2 to e2. Worker B has closed e2 with a dome: every "
            "other move loses within two turns."
        ),
        "c3 d3, a1 d4, B N NW, D N NE, B E S, C SE NW, B S SW, C S NE, A N W, D SW SW, B NW NW, "
        "C N SW, A N S, C E SW, B E W, D W N, B SW N, C E NE, A S SW, D NE W, B E S, D E NE, "
        "B S W, D E N, B NW NE",
        "e2",
        ("d2", "e2"),
    ),
}
