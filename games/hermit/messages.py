"""The sentences of Hermit: labels, events, refusals and results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from games.contract import SeatKey, Text, display_excerpt, display_steps, split_move, text

PLAYERS: Final[dict[SeatKey, Text]] = {
    "first": text("First player"),
    "second": text("Second player"),
}

YOU: Final[dict[SeatKey, Text]] = {
    "first": text("You are the first player."),
    "second": text("You are the second player."),
}

BUTTONS: Final = {
    "R": text("Red block"),
    "Y": text("Yellow block"),
    "B": text("Blue block"),
}

BLOCKS: Final = {
    "R": text("a red block"),
    "Y": text("a yellow block"),
    "B": text("a blue block"),
}

COLOUR_NAMES: Final = {"R": text("red"), "Y": text("yellow"), "B": text("blue")}


def display_move(move: str) -> Text | str:
    """Return a move with the letter of its colour in the reader's language, as board.css shows
    it."""
    steps = split_move(move)
    return display_steps(text("Y"), *steps[1:]) if steps[:1] == ("Y",) else move


@cache
def empty_label(colours: tuple[str, ...]) -> Text:
    """Return the label of an empty square where blocks of ``colours`` may be placed."""
    names = [COLOUR_NAMES[colour] for colour in colours]
    if not names:
        return text("empty, no colour fits")
    if len(names) == 1:
        return text("empty, only %(colour)s fits", colour=names[0])
    if len(names) == 2:
        return text("empty, %(colour)s or %(other)s fits", colour=names[0], other=names[1])
    return text("empty, any colour fits")


@cache
def block_label(colour: str, part: str) -> Text:
    """Return the label of a square under a part of a block."""
    block = BLOCKS[colour]
    return {
        "upright": text("%(block)s, upright", block=block),
        "left": text("%(block)s, lying, its left half", block=block),
        "right": text("%(block)s, lying, its right half", block=block),
        "top": text("%(block)s, lying, its upper half", block=block),
        "bottom": text("%(block)s, lying, its lower half", block=block),
    }[part]


def placed(seat: SeatKey, colour: str, names: Sequence[str]) -> Text:
    """Return the event of a block that ``seat`` placed on the squares ``names``."""
    player, block = PLAYERS[seat], BLOCKS[colour]
    if len(names) == 1:
        return text(
            "%(player)s puts %(block)s upright on %(cell)s.",
            player=player,
            block=block,
            cell=names[0],
        )
    return text(
        "%(player)s lays %(block)s on %(cell)s and %(other)s.",
        player=player,
        block=block,
        cell=names[0],
        other=names[1],
    )


def placement(colour: str, names: Sequence[str]) -> Text:
    """Return the instruction for a move that puts a block on the squares ``names``."""
    if len(names) == 1:
        return text("Stand %(block)s on %(cell)s", block=BLOCKS[colour], cell=names[0])
    return text(
        "Lay %(block)s on %(cell)s and %(other)s",
        block=BLOCKS[colour],
        cell=names[0],
        other=names[1],
    )


def placement_label(names: Sequence[str]) -> Text:
    """Return the label of the step that places a block on the squares ``names``."""
    if len(names) == 1:
        return text("Stand it up on %(cell)s", cell=names[0])
    return text("Lay it on %(cell)s and %(other)s", cell=names[0], other=names[1])


def placement_short(names: Sequence[str]) -> Text:
    """Return the label of that step to follow the name of the clicked square."""
    return text("Stand it up") if len(names) == 1 else placement_label(names)


def bad_notation(move: str) -> Text:
    """Return the refusal of a string in another notation."""
    return text(
        "“%(move)s” is not a move. Type a colour (R, Y or B), a square and U, H or V, e.g. “R b3 "
        "U”.",
        move=display_excerpt(move, 20),
    )


def colour_first() -> Text:
    """Return the refusal of a square that is chosen before a colour."""
    return text("Choose a colour first.")


def off_the_board() -> Text:
    """Return the refusal of a block that sticks out."""
    return text("That’s off the board.")


def covered_already(name: str) -> Text:
    """Return the refusal of a block that overlaps another."""
    return text("%(cell)s is already taken.", cell=name)


def would_touch(colour: str, name: str) -> Text:
    """Return the refusal of a block beside another of its colour."""
    return text(
        "On %(cell)s, %(block)s would touch another block of the same colour.",
        cell=name,
        block=BLOCKS[colour],
    )


def last_block(winner: SeatKey) -> Text:
    """Return the reason of the result when no block can be placed any more."""
    return text("No block fits any more: %(winner)s placed the last one.", winner=PLAYERS[winner])
