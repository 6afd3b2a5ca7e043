"""Draw offers: the seat that has offered a draw, and the seats that may answer. Pure.

An offer is stored in the game's banner, which names the seat as ``draw``. Every move ends it."""

from __future__ import annotations

from collections.abc import Collection

from games.contract import SeatKey
from games.state.snapshot import GameSnapshot


def pending_offer(snapshot: GameSnapshot) -> SeatKey | None:
    seat: SeatKey | None = (snapshot.game.banner or {}).get("draw")
    return None if snapshot.game.over else seat


def can_offer(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may offer a draw: the game must allow draws
    by agreement and have one other side, held by people."""
    game, specs = snapshot.game, snapshot.specs
    if not held or not snapshot.rules.draws or game.over or not game.begun:
        return False
    others = opponents(snapshot, held)
    people = snapshot.seating.people()
    return len({spec.side for spec in specs}) == 2 and bool(others) and people.issuperset(others)


def opponents(snapshot: GameSnapshot, held: Collection[SeatKey]) -> set[SeatKey]:
    sides = {snapshot.spec(key).side for key in held}
    return {spec.key for spec in snapshot.specs if spec.side not in sides}
