"""The choices beside an absent player, and of a player with a seat to give up."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from games.absence import computer_fits, opposed, waited_for_by, was_reminded
from games.contract import Text, ntext
from games.presentation.visibility import Perspective
from games.snapshot import GameSnapshot


@dataclass(frozen=True)
class Absence:
    """An absent player: ``told`` in a sentence, whether the viewer may claim the win, or let a
    ``computer`` play on, and whether the player was ``reminded`` today."""

    told: Text
    claims: bool
    computer: bool
    reminded: bool


def absence(snapshot: GameSnapshot, seen_by: Perspective) -> Absence | None:
    """Return the absence that the viewer may end; None where nobody is absent."""
    seats = waited_for_by(snapshot, seen_by.seats) if seen_by.seats else []
    if not seats:
        return None
    name = next(iter(snapshot.seating.places[seats[0]].players.values()))
    days = max(1, (timezone.now() - snapshot.game.updated).days)
    told = ntext(
        "%(name)s hasn’t moved for %(n)s day.",
        "%(name)s hasn’t moved for %(n)s days.",
        n=days,
        # Isolated: a name from the right to the left turns nothing else around.
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
