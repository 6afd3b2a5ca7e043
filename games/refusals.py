"""Refusals of the site besides those of the rules: each with a sentence and an HTTP status."""

from __future__ import annotations

from games.contract import Text, text


class Refusal(Exception):
    """Something the services will not do. ``text`` is for the player; nothing was written."""

    status = 422
    reason = text("That’s not possible.")

    def __init__(self, reason: Text | None = None) -> None:
        self.text = reason or self.reason
        super().__init__(str(self.text))


class StalePly(Refusal):
    """The move was made on an older board."""

    status = 409
    reason = text("The board has changed in the meantime. This is the latest position.")


class NotYourSeat(Refusal):
    """The player does not hold the seat."""

    status = 403
    reason = text("That’s not your seat.")


class Suspended(Refusal):
    """The staff of the site let the player watch, but not play."""

    status = 403
    reason = text("You’ve been suspended by the staff of this site. You can watch, but not play.")


class TimeUp(Refusal):
    """A flag fell before the request came."""

    status = 409
    reason = text("The time ran out before that arrived.")


class SeatTaken(Refusal):
    """Somebody else was first."""

    status = 409
    reason = text("That seat is already taken.")


class GameEnded(Refusal):
    """Nobody sits down any more."""

    status = 409
    reason = text("The game is over.")


class NotBegun(Refusal):
    """The players of the game still gather."""

    status = 409
    reason = text("The game hasn’t started yet.")


class Begun(Refusal):
    """The lobby of the game is closed."""

    status = 409
    reason = text("The game has already started.")


class NotHost(Refusal):
    """Only the host of a lobby may do that."""

    status = 403
    reason = text("Only the host can do that.")


class BadName(Refusal):
    """A name that cannot be shown to others."""


class UndoAsked(Refusal):
    """Somebody else asks to take a move back."""

    status = 409
    reason = text("There is already a takeback request. It has to be answered first.")


class NoUndo(Refusal):
    """A move cannot be taken back now."""

    reason = text("This move can’t be undone.")
