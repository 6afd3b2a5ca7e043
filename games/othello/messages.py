"""The sentences of Othello: labels, prompts, refusals, events and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.contract import SeatKey, Text, ntext, text
from games.othello.engine import BLACK, WHITE

PLAYERS: Final[Mapping[SeatKey, Text]] = {"black": text("Black"), "white": text("White")}

DISCS: Final[Mapping[str, Text]] = {
    BLACK: text("black disc"),
    WHITE: text("white disc"),
    ".": text("empty"),
}
"""Labels of squares, by their signs in ``str(board)``."""


def squares_left(empty: int) -> Text:
    """Return the number of empty squares in words."""
    return ntext("%(n)s empty square", "%(n)s empty squares", n=empty)


def discs(number: int) -> Text:
    """Return the unit of a player's score."""
    return ntext("disc", "discs", n=number)


def choose_square() -> Text:
    """Return the prompt of the seat to move."""
    return text("Choose a marked square.")


def placement_label(square: str, flips: int) -> Text:
    """Return the label of a step: a disc placed on ``square``."""
    return ntext(
        "Play %(square)s and flip %(n)s disc",
        "Play %(square)s and flip %(n)s discs",
        n=flips,
        square=square,
    )


def flips_label(flips: int) -> Text:
    """Return the label of that step to follow the name of its square."""
    return ntext("Flip %(n)s disc", "Flip %(n)s discs", n=flips)


# --- refusals ----------------------------------------------------------------------------


def passes_are_automatic() -> Text:
    """Return the refusal of a pass that was typed as a move."""
    return text("You never need to pass: if you can’t move, your turn is skipped.")


def off_the_board(square: str) -> Text:
    """Return the refusal of a square that the board does not have."""
    return text("%(square)s is off the board.", square=square)


def taken(square: str) -> Text:
    """Return the refusal of a square that has a disc."""
    return text("There’s already a disc on %(square)s.", square=square)


def flips_nothing(square: str) -> Text:
    """Return the refusal of a square where a disc would enclose no other."""
    return text("%(square)s is not a legal move: it flips nothing.", square=square)


# --- events ------------------------------------------------------------------------------


def placed(seat: SeatKey, square: str, flips: int) -> Text:
    """Return the event of a move."""
    return ntext(
        "%(player)s plays %(square)s and flips %(n)s disc.",
        "%(player)s plays %(square)s and flips %(n)s discs.",
        n=flips,
        player=PLAYERS[seat],
        square=square,
    )


def passed(seat: SeatKey) -> Text:
    """Return the event of a seat that is passed over because it has no move."""
    return text("%(player)s has no legal move and passes.", player=PLAYERS[seat])


def board_is_full() -> Text:
    """Return the event of the last square being taken."""
    return text("The board is full.")


def nobody_can_move() -> Text:
    """Return the event of a game that ends with empty squares."""
    return text("Neither player can move.")


# --- results -----------------------------------------------------------------------------


def won(winner: SeatKey, more: int, fewer: int, empty: int) -> Text:
    """Return the reason of a win on discs; the winner gets the empty squares."""
    words = {"winner": PLAYERS[winner], "more": more, "fewer": fewer}
    if not empty:
        return text("%(winner)s wins %(more)s–%(fewer)s.", **words)
    return ntext(
        "%(winner)s wins %(more)s–%(fewer)s. The empty square goes to the winner: official score "
        "%(score)s–%(fewer)s.",
        "%(winner)s wins %(more)s–%(fewer)s. The %(n)s empty squares go to the winner: official "
        "score %(score)s–%(fewer)s.",
        n=empty,
        score=more + empty,
        **words,
    )


def drawn(discs: int, score: int) -> Text:
    """Return the reason of a draw; the empty squares are shared."""
    if discs == score:
        return text("Draw: %(discs)s discs each.", discs=discs)
    return text(
        "Draw: %(discs)s discs each. The empty squares are shared: official score "
        "%(score)s–%(score)s.",
        discs=discs,
        score=score,
    )
