"""The rules of Othello: its option, and the pictures of its rules page."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract import (
    BadSetup,
    Example,
    Option,
    Options,
    Position,
    Rules,
    SeatKey,
    Setup,
    Transcript,
    text,
)
from games.othello.exercises import EXERCISES
from games.othello.formats import ARCHIVES, FORMATS
from games.othello.formats.parts import first_setup
from games.othello.levels import LEVELS
from games.othello.position import COLOURS, SEATS, OthelloPosition
from games.othello.puzzles import PUZZLES
from games.othello.transcript import format_transcript, parse_transcript

_SIZE = Option(
    name="size",
    label=text("Board size"),
    default=8,
    low=4,
    high=26,
    step=2,
    picture="board",
    help=text("Standard is 8 × 8."),
)


def _admit_setup(options: Options, setup: Setup) -> Setup:
    """Return the setup of a game from elsewhere. Raises BadSetup."""
    size: int = options["size"]
    if setup.get("size") != size:
        raise BadSetup("setup", text("That’s no position of Othello."))
    if "discs" not in setup:
        return {"size": size}
    discs, turn = setup["discs"], str(setup.get("turn"))
    fits = isinstance(discs, str) and len(discs) == size * size and not discs.strip("NB.")
    if not fits or turn not in COLOURS:
        raise BadSetup("setup", text("That’s no position of Othello."))
    return first_setup(size, discs, turn)


_BEFORE_FLIP: tuple[tuple[SeatKey, str], ...] = (
    ("black", "c4"),
    ("white", "e3"),
    ("black", "f6"),
    ("white", "c6"),
    ("black", "e2"),
    ("white", "f3"),
    ("black", "g4"),
    ("white", "f5"),
)
_BLACK_IS_PASSED: tuple[tuple[SeatKey, str], ...] = (
    ("black", "c4"),
    ("white", "d4"),
    ("black", "b1"),
    ("white", "b4"),
    ("black", "d3"),
    ("white", "d2"),
)

_EXAMPLES: Mapping[str, Example] = {
    "start": Example(
        caption=text("The start: Black moves first and has four legal moves."),
        setup={"size": 8},
        mover="black",
    ),
    "before-flip": Example(
        caption=text("Black is about to play e6, trapping white discs in three directions."),
        setup={"size": 8},
        moves=_BEFORE_FLIP,
        mover="black",
        chosen=("e6",),
    ),
    "after-flip": Example(
        caption=text("All four trapped discs have flipped."),
        setup={"size": 8},
        moves=(*_BEFORE_FLIP, ("black", "e6")),
    ),
    "pass": Example(
        caption=text("White has just moved. Black has no legal move, so it’s White’s turn again."),
        setup={"size": 4},
        moves=_BLACK_IS_PASSED,
        mover="white",
    ),
    "end": Example(
        caption=text(
            "White’s next move ends the game: neither player can move any more. The five empty "
            "squares go to the winner, so 10–1 becomes 15–1."
        ),
        setup={"size": 4},
        moves=(*_BLACK_IS_PASSED, ("white", "a2")),
    ),
}


def _read_record(position: Position, written: str) -> list[str]:
    return parse_transcript(written, position.view(None)["size"])


RULES = Rules(
    slug="othello",
    name=text("Othello"),
    tagline=text("Trap your opponent’s discs and flip them to your colour."),
    place=10,
    seats=lambda _options: SEATS,
    start=OthelloPosition.of_setup,
    options=(_SIZE,),
    examples=_EXAMPLES,
    levels=LEVELS,
    draws=True,
    analysis=True,
    puzzles=PUZZLES,
    transcript=Transcript(example="f5 d6 c3 d3 c4", read=_read_record, write=format_transcript),
    formats=FORMATS,
    archives=ARCHIVES,
    admit_setup=_admit_setup,
    exercises=EXERCISES,
)
