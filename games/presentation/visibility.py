"""What a viewer may see: the one gate from a position to anything that leaves the server.

Pure: no database, no request. The least is the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import Position, SeatKey, SeatSpec


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: the seats held by this browser, and the seat it asks to look through."""

    seats: frozenset[SeatKey] = frozenset()
    asked: SeatKey | None = None


def viewpoint(
    specs: Sequence[SeatSpec], viewer: Viewer, to_move: Iterable[SeatKey]
) -> SeatKey | None:
    """The seat through whose eyes ``viewer`` sees the game; None for a spectator.

    A seat that sees secrets is looked through when it is the only one held, or when it is asked
    for: on a shared device the screen shows what everybody may see until somebody opens it.
    Of open seats the one to move comes first.
    """
    held = [spec for spec in specs if spec.key in viewer.seats]
    if viewer.asked in {spec.key for spec in held}:
        return viewer.asked
    if len(held) == 1:
        return held[0].key
    waiting = set(to_move)
    open_seats = [spec.key for spec in held if not spec.secret]
    ready = [key for key in open_seats if key in waiting]
    return next(iter(ready + open_seats), None)


def secret_seats(specs: Sequence[SeatSpec], viewer: Viewer) -> list[SeatKey]:
    """The seats with a view of their own that a shared device can open on demand."""
    held = [spec for spec in specs if spec.key in viewer.seats]
    return [spec.key for spec in held if spec.secret] if len(held) > 1 else []


def view_for(position: Position, seat: SeatKey | None) -> Mapping[str, Any]:
    """All that a template gets of ``position``, seen through ``seat`` (see `viewpoint`)."""
    return position.view(seat)
