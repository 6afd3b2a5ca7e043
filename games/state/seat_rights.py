"""The law of seats: the rights of a visitor about the seats of a game that has begun.

Nothing else decides on the seats of a begun game; docs/architecture.md has the rules in words. A
*claim* is the right of a person to the seat from which others have taken that person: a stand-in
sits there meanwhile, a computer or a newcomer. A *voice* has everybody who has held a seat since
the game began and is no stand-in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.utils import timezone

from games.contract import SeatKey
from games.models import Bot, Game, Holder, Move
from games.state.absence import away_people
from games.state.seat_claims import Claim, claims, people_on, stands_in
from games.state.snapshot import GameSnapshot

Voices = Mapping[UUID, Collection[str]]
"""The sides of people with a voice."""
LEAST_SEATS = 3
"""In a game of two nobody but the opponent could agree."""


def is_closed(snapshot: GameSnapshot, seat: SeatKey) -> bool:
    """Return whether an empty seat is taken only with the consent of both sides, because it sees
    what others must not. A game without a lobby gathers its players until its first move."""
    game = snapshot.game
    gathered = game.began or game.ply or game.lobby_hash
    return game.begun and bool(gathered) and snapshot.spec(seat).secret


def seats_of_people(snapshot: GameSnapshot, seat: SeatKey) -> list[SeatKey]:
    """Return all seats that the people of a seat hold without others, this one first."""
    people, places = people_on(snapshot, seat), snapshot.seating.places.items()
    others = [(key, {*place.players}) for key, place in places if key != seat]
    return [seat, *(key for key, held in others if held and held <= people)]


def is_enough(snapshot: GameSnapshot, seat: SeatKey, agreed: Voices) -> bool:
    """Return whether the consent of some people is enough to take the people of a seat off it: of
    two people and two sides, or of one partner if computers have all seats of the other sides."""
    sides = {side for theirs in agreed.values() for side in theirs}
    own = {snapshot.spec(key).side for key in seats_of_people(snapshot, seat)}
    places = snapshot.seating.places
    others = [places[spec.key] for spec in snapshot.specs if spec.side not in own]
    alone = bool(others) and all(place.computer is not None for place in others)
    return (len(agreed) > 1 and len(sides) > 1) or (bool(sides) and alone and sides <= own)


def askable(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    """Return the seats of others for whose people the holder of ``held`` may ask for a stand-in, as
    far as the seating tells. Pure."""
    game, places = snapshot.game, snapshot.seating.places
    if game.over or not game.begun or len(places) < LEAST_SEATS:
        return []
    found = [key for key, place in places.items() if place.players and key not in held]
    everybody = {
        player: {snapshot.spec(key).side for key in snapshot.seats_of(player)}
        for player in snapshot.seating.players()
    }
    return [key for key in found if is_enough(snapshot, key, _others(snapshot, key, everybody))]


def _others(snapshot: GameSnapshot, seat: SeatKey, people: Voices) -> Voices:
    on_it = people_on(snapshot, seat)
    return {player: sides for player, sides in people.items() if player not in on_it}


@dataclass(frozen=True)
class SeatRights:
    """The rights of one visitor, worked out when they are asked for."""

    snapshot: GameSnapshot
    visitor: UUID | None
    now: datetime

    @property
    def held(self) -> frozenset[SeatKey]:
        return self.snapshot.seats_of(self.visitor)

    @property
    def returns(self) -> list[Claim]:
        found = claims(self.snapshot, self.now)
        return [claim for claim in found if claim.player == self.visitor]

    @property
    def stands_in(self) -> bool:
        """Whether the visitor is a stand-in, who only moves and answers undo."""
        return stands_in(self.snapshot, self.visitor)

    @cached_property
    def away(self) -> set[UUID]:
        """The absent people; the visitor is here."""
        return away_people(self.snapshot, self.now) - {self.visitor}

    @cached_property
    def voices(self) -> Voices:
        """The people with a voice, present or not. A bot has none, since it answers nothing. A side
        that a person has joined later does not count."""
        game = self.snapshot.game
        held = Holder.objects.filter(seat__game=game.pk)
        if began := game.began or _first_move(game):
            held = held.filter(joined__lte=began)
        seats = list(held.values_list("player", "seat__key"))
        people = {player for player, _ in seats}
        bots = set(Bot.objects.filter(player__in=people).values_list("player", flat=True))
        return {
            player: {self.snapshot.spec(key).side for holder, key in seats if holder == player}
            for player in people - bots
            if self.snapshot.seats_of(player) and not stands_in(self.snapshot, player)
        }

    def asked_about(self, seat: SeatKey) -> Voices:
        """Return the people with a voice on a seat: all except those on it."""
        return _others(self.snapshot, seat, self.voices)

    def present(self, seat: SeatKey) -> set[UUID]:
        """Return the people whose consent is needed now."""
        return self.asked_about(seat).keys() - self.away

    def is_away(self, seat: SeatKey) -> bool:
        return people_on(self.snapshot, seat) <= self.away

    @cached_property
    def open_to_newcomers(self) -> list[SeatKey]:
        """The seats for which a visitor without one may ask: of absent people, and those that are
        closed though nobody has them."""
        snapshot = self.snapshot
        if self.held or self.returns or snapshot.game.over or not snapshot.game.begun:
            return []
        places = snapshot.seating.places
        closed = [key for key, place in places.items() if place.empty and is_closed(snapshot, key)]
        wanted = [*closed, *askable(snapshot, ())]
        found = [key for key in wanted if self.is_away(key)] if wanted else []
        return [key for key in found if is_enough(snapshot, key, self.asked_about(key))]


def _first_move(game: Game) -> datetime | None:
    first = Move.objects.filter(game=game.pk, ply=1)
    return first.values_list("played", flat=True).first()


def seat_rights(
    snapshot: GameSnapshot, visitor: UUID | None, now: datetime | None = None
) -> SeatRights:
    """Return the rights of a visitor about the seats of a game that has begun."""
    return SeatRights(snapshot, visitor, now or timezone.now())
