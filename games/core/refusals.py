"""Refusals by the site, each with a sentence and an HTTP status."""

from __future__ import annotations

from games.contract import Explained, Text, text


class Refusal(Explained):
    """Raised by a service that refuses a request before anything is written."""

    status = 422
    reason = text("That’s not possible.")

    def __init__(self, reason: Text | None = None) -> None:
        super().__init__(reason or self.reason)


class StalePly(Refusal):
    status = 409
    reason = text("The board has changed in the meantime. This is the latest position.")


class MarkGone(Refusal):
    """Raised for a move that the player has to mark first, if its form names another mark."""

    status = 409
    reason = text("Your choice is no longer marked. Choose again.")


class NotYourSeat(Refusal):
    status = 403
    reason = text("That’s not your seat.")


def _suspended(why: str) -> Text:
    return text(
        "You’ve been suspended by the staff of this site. You can watch, but not play. "
        "Reason: %(reason)s",
        reason=why,
    )


class StandsIn(Refusal):
    """Raised for a stand-in who would end the game or pass on the seat of the absent person."""

    status = 403
    reason = text("You sit in for somebody who may come back, so you can’t do that.")


class SecretSeat(Refusal):
    """Raised for an empty seat that sees secrets, in a game that has begun."""

    reason = text(
        "This seat sees what others must not see. Ask for it on the game’s page: players of both "
        "sides have to agree."
    )


class Suspended(Refusal):
    """Raised for a suspended player, free to watch but not to play."""

    status = 403
    reason = text("You’ve been suspended by the staff of this site. You can watch, but not play.")

    def __init__(self, why: str = "") -> None:
        super().__init__(_suspended(why) if why else None)


class TimeUp(Refusal):
    status = 409
    reason = text("The time ran out before that arrived.")


class SeatTaken(Refusal):
    status = 409
    reason = text("That seat is already taken.")


class NotForBots(Refusal):
    """Raised for a bot at an open seat that is for people alone."""

    status = 403
    reason = text("This seat isn’t open to bots.")


class SeatLeft(Refusal):
    status = 409
    reason = text("That seat is free already.")


class GameEnded(Refusal):
    status = 409
    reason = text("The game is over.")


class NotBegun(Refusal):
    status = 409
    reason = text("The game hasn’t started yet.")


class Begun(Refusal):
    status = 409
    reason = text("The game has already started.")


class NotHost(Refusal):
    status = 403
    reason = text("Only the host can do that.")


class BadName(Refusal):
    """Raised for a name that cannot be shown to others."""


class UndoAsked(Refusal):
    status = 409
    reason = text("There is already a takeback request. It has to be answered first.")


class NoUndo(Refusal):
    reason = text("This move can’t be undone.")
