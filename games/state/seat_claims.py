"""Claims to seats, as a game stores them in ``claims``, and the absent people of a lobby. Pure.

A *claim* is the right of a person to the seat from which others have taken that person;
`games.state.seat_rights` has the rules. A lobby stores in ``attendance`` who is ``away``, and the
host's ``stand_in``, so that its pages follow; see `games.services.absence`."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from games.contract import SeatKey

if TYPE_CHECKING:
    from games.models import Game
    from games.state.snapshot import GameSnapshot

RETURNS = timedelta(days=1)
"""How long a person may come back to a seat on which another person sits."""


@dataclass(frozen=True)
class Claim:
    """The right of ``player`` to return to ``seat``, which ``by`` has since, or a computer, or
    nobody. ``joined`` is when the player once took it, and ``name`` the player's own at it."""

    seat: SeatKey
    player: UUID
    joined: datetime
    since: datetime
    by: UUID | None
    name: str = ""

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Claim:
        joined, since = (datetime.fromisoformat(stored[name]) for name in ("joined", "since"))
        by = UUID(stored["by"]) if stored["by"] else None
        name = stored.get("name", "")
        return cls(stored["seat"], UUID(stored["player"]), joined, since, by, name)

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "player": str(self.player),
            "joined": self.joined.isoformat(),
            "since": self.since.isoformat(),
            "by": str(self.by) if self.by else None,
            "name": self.name,
        }


def claims(snapshot: GameSnapshot, now: datetime | None = None) -> list[Claim]:
    """Return the claims that stand: beside a computer always, beside a person for a day."""
    game = snapshot.game
    if not game.claims or game.over:
        return []
    now, found = now or datetime.now(UTC), map(Claim.of_json, game.claims)
    return [claim for claim in found if claim.by is None or now - claim.since < RETURNS]


def claims_beside(
    snapshot: GameSnapshot, seats: Collection[SeatKey], by: UUID | None, new: Iterable[Claim] = ()
) -> list[dict[str, Any]] | None:
    """Return the claims of a game as it stores them, after ``by`` has taken some seats on which
    only claims stood, and with ``new`` ones."""
    now = datetime.now(UTC)
    kept = [replace(c, by=by, since=now) if c.seat in seats else c for c in claims(snapshot, now)]
    return [claim.to_json() for claim in [*kept, *new]] or None


def stands_in(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a player sits in for a person that may still come back."""
    return bool(snapshot.game.claims) and player_id in [
        claim.by for claim in claims(snapshot) if claim.by
    ]


def is_slow(game: Game) -> bool:
    return game.time is not None and game.time.days > 0


def is_timed_by_turns(game: Game) -> bool:
    """Return whether the site passes the turns of those whose time is up, which is no move of
    theirs."""
    return game.time is not None and game.time.turn > 0


def is_late(game: Game) -> bool:
    """Return whether the time of a turn is up that the site cannot pass."""
    running = (game.clock or {}).get("running")
    return bool(running) and is_timed_by_turns(game) and game.flag_at is None


def away_from_lobby(game: Game) -> frozenset[str]:
    """Return the ids of the people absent from an open lobby, as it has stored them."""
    return frozenset((game.attendance or {}).get("away", ()))


def acting_host(snapshot: GameSnapshot) -> UUID | None:
    stored = (snapshot.game.attendance or {}).get("stand_in")
    stand_in = UUID(stored) if stored else None
    return stand_in if snapshot.seats_of(stand_in) else snapshot.game.created_by_id


def is_host_away(game: Game) -> bool:
    return game.created_by_id is None or str(game.created_by_id) in away_from_lobby(game)


def may_begin(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a player may begin the game of a lobby: its host, or while the host is away
    and all seats are taken, everybody with one."""
    if player_id is None or player_id == acting_host(snapshot):
        return player_id is not None
    full = not any(place.empty for place in snapshot.seating.places.values())
    return full and is_host_away(snapshot.game) and bool(snapshot.seats_of(player_id))


def person_key(game_id: str, player_id: UUID) -> str:
    """Return a key of a person in the forms of a game, which hides the player's id."""
    return hashlib.sha256(f"{game_id} {player_id}".encode()).hexdigest()[:12]
