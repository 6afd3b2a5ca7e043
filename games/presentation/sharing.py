"""The titles of link previews in messengers."""

from __future__ import annotations

from django.utils.translation import gettext

from games.core.levels import level_name
from games.core.seating import Occupancy
from games.core.translation import translate
from games.state.snapshot import GameSnapshot


def sharing_title(snapshot: GameSnapshot) -> str:
    """Return the name of a game, and its sides if a player has a name: 'Chess: Anna – Ben'."""
    game = translate(snapshot.rules.name)
    sides: dict[str, list[str]] = {}
    for spec in snapshot.specs:
        names = _names(snapshot.seating.places[spec.key], snapshot.rules.levels)
        listed = sides.setdefault(spec.side, [])
        listed += [name for name in names if name not in listed]
    known = any(
        name for place in snapshot.seating.places.values() for name in place.players.values()
    )
    if not known:
        return game
    return f"{game}: {' – '.join(', '.join(side) or '…' for side in sides.values())}"


def _names(place: Occupancy, levels: int) -> list[str]:
    if place.computer is not None:
        strength = translate(level_name(place.computer, levels))
        return [gettext("computer (%(level)s)") % {"level": strength}]
    return [name or gettext("Guest") for name in place.players.values()]
