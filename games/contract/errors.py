"""What rules and computers raise when they refuse; each has a sentence for people."""

from __future__ import annotations

from games.contract.texts import Text, text
from games.contract.unicode_text import display_excerpt


class MoveError(Exception):
    """A move that was refused; ``text`` is the sentence for the player."""

    def __init__(self, reason: Text | str) -> None:
        self.text = reason if isinstance(reason, Text) else Text(reason)
        super().__init__(str(self.text))


class BadNotation(MoveError):
    """The string is no move in the notation of this game."""


class BadTranscript(BadNotation):
    """The record of a game goes wrong at its move ``number``."""

    def __init__(self, number: int, move: str, reason: Text) -> None:
        super().__init__(
            text(
                "Move %(number)s, “%(move)s”: %(reason)s",
                number=number,
                move=display_excerpt(move, 40),
                reason=reason,
            )
        )


class IllegalMove(MoveError, AssertionError):
    """The rules forbid the move. An AssertionError too: so the games' documents ask it."""


class GameOver(IllegalMove):
    """The game has ended; nothing can be played any more."""


class NotYourTurn(MoveError):
    """The seat is not the one, or not one of those, to move."""


class CannotPlay(Exception):
    """A computer player that cannot play this; ``text`` says so to people."""

    def __init__(self, reason: Text) -> None:
        self.text = reason
        super().__init__(str(reason))
