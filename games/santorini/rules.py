"""The rules of Santorini: its options, and the pictures of its rules page."""

from __future__ import annotations

from games.contract import Example, Option, Rules, Transcript, text
from games.santorini.exercises import EXERCISES
from games.santorini.levels import LEVELS
from games.santorini.messages import display_move
from games.santorini.position import SEATS, SantoriniPosition
from games.santorini.puzzles import PUZZLES

_PLAYERS = Option(
    name="players",
    label=text("Players"),
    default=2,
    low=2,
    high=4,
    help=text("Each player has two workers."),
)

_LOOK = Option(
    name="towers",
    label=text("Towers"),
    kind="choice",
    default="height",
    choices=(("height", text("With height")), ("plan", text("From above"))),
)


_GAME = (
    ("p1", "b3 d2"),
    ("p2", "c4 d4"),
    ("p1", "A W N"),
    ("p2", "D NW SW"),
    ("p1", "B W SW"),
    ("p2", "D E W"),
    ("p1", "A E S"),
    ("p2", "D S NW"),
    ("p1", "A E SW"),
    ("p2", "C SW NE"),
)
"""A game in which A climbs step by step, until only the last turn could have stopped it."""

_EXAMPLES = {
    "placing": Example(
        caption=text(
            "First, players take turns to place both their workers. Player 2 has placed C and is "
            "choosing a space for D."
        ),
        setup={"players": 2},
        moves=_GAME[:1],
        mover="p2",
        chosen=("c4",),
    ),
    "moving": Example(
        caption=text(
            "Move a worker to a neighbouring space: up one level at most, or down as far as you "
            "like. A can climb to the first level on b3."
        ),
        setup={"players": 2},
        moves=_GAME[:6],
        mover="p1",
        chosen=("A",),
    ),
    "building": Example(
        caption=text(
            "The same worker then builds on a neighbouring space, however high it is. A, now on "
            "b3, can raise the tower on b4 to two levels."
        ),
        setup={"players": 2},
        moves=_GAME[:6],
        mover="p1",
        chosen=("A", "E"),
    ),
    "dome": Example(
        caption=text(
            "On top of three levels goes a dome, which closes the tower. A dome on b4 stops A "
            "from climbing to the third level."
        ),
        setup={"players": 2},
        moves=_GAME[:9],
        mover="p2",
        chosen=("C", "SW"),
    ),
    "winning": Example(
        caption=text(
            "Climb to a third level and you win immediately. A is on a second level and climbs to "
            "b4."
        ),
        setup={"players": 2},
        moves=_GAME,
        mover="p1",
        chosen=("A",),
    ),
    "out": Example(
        caption=text(
            "With no legal move you’re out, and your workers leave the board. Player 1’s workers "
            "stood on a1 and b1, shut in by the other four."
        ),
        setup={"players": 3},
        moves=(("p1", "a1 b1"), ("p2", "a2 b2"), ("p3", "c1 c2")),
    ),
}


RULES = Rules(
    slug="santorini",
    name=text("Santorini"),
    tagline=text("Build towers and be the first to reach the third level."),
    place=30,
    seats=lambda options: SEATS[: options["players"]],
    start=lambda setup: SantoriniPosition(setup["players"]),
    options=(_PLAYERS,),
    examples=_EXAMPLES,
    levels=LEVELS,
    analysis=True,
    puzzles=PUZZLES,
    look=_LOOK,
    display_move=display_move,
    transcript=Transcript(example="c3 d4, b2 b4, B E W"),
    exercises=EXERCISES,
)
