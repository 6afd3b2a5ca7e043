"""Refusals of the site besides those of the rules: each with a sentence and an HTTP status."""

from __future__ import annotations

from games.contract import Text, text


class Refusal(Exception):
    """Raised by a service that refuses a request, with nothing written; ``text`` is its reason."""

    status = 422
    reason = text("That’s not possible.")

    def __init__(self, reason: Text | None = None) -> None:
        self.text = reason or self.reason
        super().__init__(str(self.text))


class StalePly(Refusal):
    """Raised for a move that was made on an older board."""

    status = 409
    reason = text("The board has changed in the meantime. This is the latest position.")


class NotYourSeat(Refusal):
    """Raised for a request for a seat that another player holds."""

    status = 403
    reason = text("That’s not your seat.")


class Suspended(Refusal):
    """Raised for a player whom the staff suspended: watching is allowed, playing is not."""

    status = 403
    reason = text("You’ve been suspended by the staff of this site. You can watch, but not play.")


class TimeUp(Refusal):
    """Raised for a request that came after a flag had fallen."""

    status = 409
    reason = text("The time ran out before that arrived.")


class SeatTaken(Refusal):
    """Raised for a seat that another player took first."""

    status = 409
    reason = text("That seat is already taken.")


class GameEnded(Refusal):
    """Raised for a seat of a game that is over."""

    status = 409
    reason = text("The game is over.")


class NotBegun(Refusal):
    """Raised for a move of a game whose lobby is still open."""

    status = 409
    reason = text("The game hasn’t started yet.")


class Begun(Refusal):
    """Raised for a change of a lobby that is closed: its game has begun."""

    status = 409
    reason = text("The game has already started.")


class NotHost(Refusal):
    """Raised for a request that only the host of a lobby may make."""

    status = 403
    reason = text("Only the host can do that.")


class BadName(Refusal):
    """Raised for a name that cannot be shown to others."""


class UndoAsked(Refusal):
    """Raised while another player’s request to take a move back is open."""

    status = 409
    reason = text("There is already a takeback request. It has to be answered first.")


class NoUndo(Refusal):
    """Raised for a move that cannot be taken back now."""

    reason = text("This move can’t be undone.")
