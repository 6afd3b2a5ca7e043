"""Claims to seats, and requests for them, as a game stores them: a *claim* is the right of a person
to the seat from which others have taken that person. Pure.

A game stores its claims in ``claims``, and requests as `games.state.questions` says: that of its
players and that of a newcomer do not block each other. `games.state.seat_rights` has the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from games.contract import SeatKey
from games.state import questions

if TYPE_CHECKING:
    from games.models import Game
    from games.state.snapshot import GameSnapshot

RETURNS = timedelta(days=1)
"""How long a person may come back to a seat on which another person sits."""
LAPSES, LAPSES_SLOWLY = timedelta(minutes=10), timedelta(days=3)
"""When a newcomer's request ends without an answer, in a slow game later."""
DECLINED = timedelta(minutes=10)
"""How long players cannot ask again after a refusal."""
BARRED = timedelta(days=1)
"""How long a newcomer whom the players have refused cannot ask again."""

Asker = Literal["player", "newcomer"]
Stored = Mapping[str, Any]


@dataclass(frozen=True)
class Claim:
    """The right of ``player`` to return to ``seat``, which ``by`` has since, or a computer, or
    nobody. ``joined`` is when the player once took it."""

    seat: SeatKey
    player: UUID
    joined: datetime
    since: datetime
    by: UUID | None

    @classmethod
    def of_json(cls, stored: Stored) -> Claim:
        joined, since = (datetime.fromisoformat(stored[name]) for name in ("joined", "since"))
        by = UUID(stored["by"]) if stored["by"] else None
        return cls(stored["seat"], UUID(stored["player"]), joined, since, by)

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "player": str(self.player),
            "joined": self.joined.isoformat(),
            "since": self.since.isoformat(),
            "by": str(self.by) if self.by else None,
        }


@dataclass(frozen=True)
class SeatRequest:
    """A request to take an absent person off ``seat``: for a computer or anybody, by the holder of
    ``asker``, or for ``newcomer``, who asks alone. The people ``asked`` have a voice; those who
    have ``agreed`` are no longer among them. The seats ``waiting`` are theirs."""

    seat: SeatKey
    asker: SeatKey
    waiting: Collection[SeatKey]
    asked: Collection[UUID]
    agreed: Collection[UUID]
    newcomer: UUID | None
    computer: bool


def pending_request(snapshot: GameSnapshot, of: Asker) -> SeatRequest | None:
    """Return the request that waits for answers. It ends when the absent person moves."""
    game = snapshot.game
    stored = questions.stored(game, questions.SEAT if of == "player" else questions.NEWCOMER)
    if not stored or stored.get("seat") not in snapshot.seating.places or game.over:
        return None
    if of == "player" and stored.get("newcomer"):
        # Before 1.0 one opponent could agree to it. The newcomer may ask again.
        return None
    seat, lapses = str(stored["seat"]), LAPSES_SLOWLY if is_slow(game) else LAPSES
    if of == "newcomer" and datetime.fromisoformat(stored["since"]) + lapses < datetime.now(UTC):
        return None
    moved = any(move.seat == seat for move in snapshot.moves[stored.get("ply", game.ply) :])
    if moved or not (people_on(snapshot, seat) or snapshot.spec(seat).secret):
        return None
    waiting = stored.get("waiting", ())
    # Before 1.0 a request named only the seats that had to agree.
    holders = {player for key in waiting for player in people_on(snapshot, key)}
    return SeatRequest(
        seat=seat,
        asker=stored["asker"],
        waiting=waiting,
        asked=[UUID(player) for player in stored["asked"]] if "asked" in stored else [*holders],
        agreed=[UUID(player) for player in stored.get("agreed", ())],
        newcomer=UUID(stored["newcomer"]) if stored["newcomer"] else None,
        computer=bool(stored.get("computer")),
    )


def pending_requests(snapshot: GameSnapshot) -> dict[Asker, SeatRequest]:
    kinds: tuple[Asker, Asker] = ("player", "newcomer")
    found = {kind: pending_request(snapshot, kind) for kind in kinds}
    return {kind: request for kind, request in found.items() if request}


def claims(snapshot: GameSnapshot, now: datetime | None = None) -> list[Claim]:
    """Return the claims that stand: beside a computer always, beside a person for a day."""
    game = snapshot.game
    if not game.claims or game.over:
        return []
    now, found = now or datetime.now(UTC), map(Claim.of_json, game.claims)
    return [claim for claim in found if claim.by is None or now - claim.since < RETURNS]


def claims_beside(
    snapshot: GameSnapshot,
    seats: Collection[SeatKey],
    by: UUID | None,
    new: Iterable[Claim] = (),
) -> list[dict[str, Any]] | None:
    """Return the claims of a game as it stores them, after ``by`` has taken some seats on which
    only claims stood, and with ``new`` ones."""
    now = datetime.now(UTC)
    kept = [replace(c, by=by, since=now) if c.seat in seats else c for c in claims(snapshot, now)]
    return [claim.to_json() for claim in [*kept, *new]] or None


def stands_in(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a player sits in for a person that may still come back."""
    return any(claim.by == player_id for claim in claims(snapshot) if claim.by)


def is_slow(game: Game) -> bool:
    return game.time is not None and game.time.days > 0


def people_on(snapshot: GameSnapshot, seat: SeatKey) -> set[UUID]:
    place = snapshot.seating.places.get(seat)
    return set(place.players) if place else set()
