"""The rules of Hermit: its options, and the pictures of its rules page."""

from __future__ import annotations

import re

from games.contract import (
    BadTranscript,
    Example,
    IllegalMove,
    Option,
    Position,
    Rules,
    Setup,
    Transcript,
    read_lines,
    text,
)
from games.hermit.exercises import EXERCISES
from games.hermit.levels import LEVELS
from games.hermit.messages import display_move
from games.hermit.position import SEATS, HermitPosition
from games.hermit.puzzles import PUZZLES

_HEADING = re.compile(r"\s*\{\s*([0-9]{1,2}) ?[xX×] ?\1\s*\}")
_SIZE = Option(
    name="size",
    label=text("Board size"),
    # The first player wins with best play, but on 4 x 4 every first move loses.
    default=5,
    low=2,
    high=12,
    picture="board",
    help=text("A 4 × 4 game takes about nine blocks, 6 × 6 about nineteen."),
)


_TOUCHING = (("first", "R a1 H"), ("second", "B c1 U"), ("first", "Y c2 U"))
_NEARLY_OVER = (
    *_TOUCHING,
    ("second", "R b4 U"),
    ("first", "Y c4 H"),
    ("second", "R d2 V"),
    ("first", "B a3 H"),
)
_OVER = (*_NEARLY_OVER, ("second", "Y a4 U"), ("first", "Y a2 U"))
_BOARD = {"size": 4}


def _heading(setup: Setup) -> str:
    """Return the size as a comment: the moves of a small board fit on a larger one."""
    return f"{{{setup['size']} x {setup['size']}}} "


def _read(position: Position, written: str) -> list[str]:
    """Return the moves of a transcript, whose board has the size of its heading. Raises
    BadTranscript."""
    size, heading = position.view(None)["size"], _HEADING.match(written)
    if heading and int(heading[1]) != size:
        reason = text("This transcript is of a %(size)s × %(size)s board.", size=int(heading[1]))
        raise BadTranscript(1, heading[0].strip(), reason) from IllegalMove(reason)
    return read_lines(position, written)


_EXAMPLES = {
    "upright": Example(
        caption=text("Upright, a block covers one square."),
        setup=_BOARD,
        moves=(("first", "R b2 U"),),
    ),
    "horizontal": Example(
        caption=text("Lying across, it covers a square and the one to its right."),
        setup=_BOARD,
        moves=(("first", "Y b2 H"),),
    ),
    "vertical": Example(
        caption=text("Lying lengthwise, it covers a square and the one below it."),
        setup=_BOARD,
        moves=(("first", "B b2 V"),),
    ),
    "halo": Example(
        caption=text("A red block on b2 keeps other red blocks off every square around it."),
        setup=_BOARD,
        mover="first",
        chosen=("R", "b2", "U"),
    ),
    "touching": Example(
        caption=text(
            "Red can’t touch the block on a1 and b1, not even at a corner. Only the marked "
            "squares are left for red."
        ),
        setup=_BOARD,
        moves=_TOUCHING,
        mover="second",
        chosen=("R",),
    ),
    "ending": Example(
        caption=text("Two moves are left: yellow upright on a2 or on a4."),
        setup=_BOARD,
        moves=_NEARLY_OVER,
        mover="second",
        chosen=("Y",),
    ),
    "over": Example(
        caption=text("No block fits any more. Whoever placed the last one wins."),
        setup=_BOARD,
        moves=_OVER,
    ),
}

RULES = Rules(
    slug="hermit",
    name=text("Hermit"),
    tagline=text("Keep equal colours apart. Whoever places the last block wins."),
    place=40,
    seats=lambda _options: SEATS,
    start=lambda setup: HermitPosition(setup["size"]),
    options=(_SIZE,),
    examples=_EXAMPLES,
    levels=LEVELS,
    analysis=True,
    puzzles=PUZZLES,
    display_move=display_move,
    transcript=Transcript(example="R a1 U, Y c3 H", read=_read, heading=_heading),
    exercises=EXERCISES,
)
