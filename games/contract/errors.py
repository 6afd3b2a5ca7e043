"""Errors with a sentence for the player: the base of all, and those of rules."""

from __future__ import annotations

from games.contract.texts import Text, text
from games.contract.unicode_text import display_excerpt


class Explained(Exception):
    """Base class of errors with a sentence for the player, ``text``."""

    def __init__(self, reason: Text | str) -> None:
        self.text = reason if isinstance(reason, Text) else Text(reason)
        super().__init__(str(self.text))


class MoveError(Explained):
    """Base class of refused moves."""


class BadNotation(MoveError):
    """Raised for a string that is no move in the notation of the game."""


class BadTranscript(BadNotation):
    """Raised for a transcript; ``number`` is its first wrong move, after ``at`` characters."""

    def __init__(self, number: int, move: str, reason: Text, at: int = 0) -> None:
        self.number, self.at = number, at
        super().__init__(
            text(
                "Move %(number)s, “%(move)s”: %(reason)s",
                number=number,
                move=display_excerpt(move, 40),
                reason=reason,
            )
        )


class IllegalMove(MoveError, AssertionError):
    """Raised for a forbidden move: an AssertionError, as the games' documents demand."""


class GameOver(IllegalMove):
    """Raised for a move after the end of the game."""


class NotYourTurn(MoveError):
    """Raised for a move of a seat that is not to move."""


class CannotPlay(Explained):
    """Raised by a computer player for a level or position it does not support."""
