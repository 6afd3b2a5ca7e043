"""The choices of players who wait for an absent one, and of a player who may give up a seat."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from games.contract import Text, ntext
from games.presentation.visibility import Perspective
from games.state.absence import computer_fits, opposed, waited_for_by, was_reminded
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True)
class Absence:
    """An absent player: the sentence about it, ``told``; whether the viewer may claim the win, or
    let a ``computer`` play on; and whether the player was ``reminded`` today."""

    told: Text
    claims: bool
    computer: bool
    reminded: bool


def absence(snapshot: GameSnapshot, seen_by: Perspective) -> Absence | None:
    """Return the absence that the viewer may end; None if there is none."""
    seats = waited_for_by(snapshot, seen_by.seats) if seen_by.seats else []
    if not seats:
        return None
    name = next(iter(snapshot.seating.places[seats[0]].players.values()))
    days = max(1, (timezone.now() - snapshot.game.updated).days)
    told = ntext(
        "%(name)s hasn’t moved for %(n)s day.",
        "%(name)s hasn’t moved for %(n)s days.",
        n=days,
        # Isolated, so that a right-to-left name does not reorder the text around it.
        name=f"\u2068{name or gettext('Guest')}\u2069",
    )
    return Absence(
        told,
        claims=opposed(snapshot, seats, seen_by.seats),
        computer=computer_fits(snapshot),
        reminded=was_reminded(snapshot),
    )


def can_give_up(snapshot: GameSnapshot, seen_by: Perspective) -> bool:
    """Return whether the viewer may leave a seat to others."""
    return bool(seen_by.seats) and not seen_by.is_solo and not snapshot.game.over
