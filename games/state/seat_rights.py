"""The law of seats: the rights of visitors in a game, and whose absence gives rights to others.

Nothing else decides on the seats of a begun game; docs/architecture.md has the rules in words. A
*claim* is the right of a person to the seat from which others have taken that person: a stand-in
sits there meanwhile, a computer or a newcomer. A *voice* has everybody who has held a seat since
the game began and is no stand-in.

Absence is two values that are never merged: a person is *unseen* at a game, without an open page, a
move, a mark or a call of the API (`games.services.absence` stores these), or a game *awaits* the
move of a seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from games.contract import Explained, Rules, SeatKey, text
from games.core.refusals import Refusal, StandsIn
from games.core.seating import Seating
from games.models import Bot, Game, Holder, Insight, Move, Seat, Sighting
from games.state.identity import same_person
from games.state.seat_claims import Claim, claims, is_slow, is_timed_by_turns, stands_in
from games.state.snapshot import GameSnapshot

AWAY_FROM_LOBBY = timedelta(minutes=1)
AWAY, AWAY_SLOWLY = timedelta(minutes=2), timedelta(days=1)
"""How long away people are unseen, in a lively game and in a slow one."""
LIVELY = timedelta(hours=2)
"""A game is slow so long after its last move."""
BETWEEN_REMINDERS = timedelta(days=1)
Sides = tuple[tuple[SeatKey, str], ...]
"""The side of each seat."""
Voices = Mapping[UUID, Collection[str]]
"""The sides of people with a voice."""


# --- unseen ---


def away_people(snapshot: GameSnapshot, now: datetime | None = None) -> set[UUID]:
    """Return the host and the holders of seats that are unseen for so long that they are away.
    Taking a seat and opening the lobby count as being seen."""
    game, now = snapshot.game, now or timezone.now()
    recently = now - _unseen_after(game, now)
    people = set(people_of(snapshot))
    seen = Sighting.objects.filter(game=game.pk, seen__gt=recently)
    joined = Holder.objects.filter(seat__game=game.pk, joined__gt=recently)
    moved = Move.objects.filter(game=game.pk, played__gt=recently)
    for rows in (seen, joined, moved):
        people -= set(rows.values_list("player", flat=True))
    return people - {game.created_by_id} if game.created > recently else people


def _unseen_after(game: Game, now: datetime) -> timedelta:
    if not game.begun:
        return AWAY_FROM_LOBBY
    return AWAY_SLOWLY if is_slow(game) or now - game.updated > LIVELY else AWAY


def people_of(snapshot: GameSnapshot) -> Iterable[UUID]:
    """Return the host, if there still is one, and the holders of seats, suspended or not."""
    host = snapshot.game.created_by_id
    held = [player for place in snapshot.seating.places.values() for player in place.players]
    return dict.fromkeys([host, *held] if host else held)


# --- awaited ---


def absent_seats(snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the seats of people whose move a game without a running clock has awaited for
    ``settings.ABSENT_AFTER``, or at all if they are suspended."""
    game = snapshot.game
    if game.over or not game.begun or game.flag_at is not None or snapshot.fault:
        return []
    awaited, places = snapshot.seating.people() & set(game.to_move), snapshot.seating.places
    late = timezone.now() - game.updated >= settings.ABSENT_AFTER
    return sorted(seat for seat in awaited if late or places[seat].barred)


def waited_for_by(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    absent = absent_seats(snapshot)
    active = any(snapshot.position.is_active(seat) for seat in held) if absent else False
    return absent if active and not set(held) & set(absent) else []


def awaits(snapshot: GameSnapshot, seats: Collection[SeatKey]) -> bool:
    """Return whether a game awaits the move of some seats; where the site passes turns, at any
    time, since only their own moves would end it."""
    return is_timed_by_turns(snapshot.game) or not set(seats).isdisjoint(snapshot.game.to_move)


def was_reminded(snapshot: GameSnapshot) -> bool:
    """Return whether an absent player was reminded too recently to be reminded again."""
    reminded = snapshot.game.reminded
    return reminded is not None and timezone.now() - reminded < BETWEEN_REMINDERS


def opposed(snapshot: GameSnapshot, seats: Collection[SeatKey], held: Collection[SeatKey]) -> bool:
    sides = {snapshot.spec(seat).side for seat in seats}
    return not any(snapshot.spec(seat).side in sides for seat in held)


def computer_fits(snapshot: GameSnapshot) -> bool:
    """Return whether a computer can play the game, because its options suit one."""
    options, suited = snapshot.game.options, snapshot.rules.computer_options
    return bool(snapshot.rules.levels) and {**options, **suited} == {**suited, **options}


# --- seats ---


def is_closed(snapshot: GameSnapshot, seat: SeatKey) -> bool:
    """Return whether an empty seat is taken only with the consent of both sides, because it sees
    what others must not. A game without a lobby gathers its players until its first move."""
    game = snapshot.game
    gathered = game.began or game.ply or game.lobby_hash
    return game.begun and bool(gathered) and snapshot.spec(seat).secret


def is_enough(snapshot: GameSnapshot, seat: SeatKey, agreed: Voices) -> bool:
    """Return whether the consent of some people is enough to take the people of a seat off it: of
    two people and two sides, or of one partner if computers have all seats of the other sides."""
    return _is_enough(snapshot.seating, _sides(snapshot), seat, agreed)


def _is_enough(seating: Seating, side_of: Sides, seat: SeatKey, agreed: Voices) -> bool:
    sides, theirs = (
        {side for held in agreed.values() for side in held},
        seating.seats_of_people(seat),
    )
    own = {side for key, side in side_of if key in theirs}
    others = [seating.places[key] for key, side in side_of if side not in own]
    alone = bool(others) and all(place.computer is not None for place in others)
    return (len(agreed) > 1 and len(sides) > 1) or (bool(sides) and alone and sides <= own)


def askable(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[SeatKey]:
    """Return the seats for whose people the holder of ``held`` may ask for a stand-in, and the
    empty ones, for a computer, as far as the seating tells. Pure."""
    if snapshot.game.over or not snapshot.game.begun:
        return []
    return [key for key in _askable(snapshot.seating, _sides(snapshot)) if key not in held]


def _sides(snapshot: GameSnapshot) -> Sides:
    return tuple([(spec.key, spec.side) for spec in snapshot.specs])


# Cached, since each board shows them and moves leave the seating as it is.
@lru_cache(2_000)
def _askable(seating: Seating, side_of: Sides) -> list[SeatKey]:
    everybody = {
        player: {side for key, side in side_of if key in seating.held_by(player)}
        for player in seating.players()
    }
    return [
        key
        for key, _ in side_of
        if seating.places[key].computer is None
        and _is_enough(seating, side_of, key, _others(seating, key, everybody))
    ]


def _others(seating: Seating, seat: SeatKey, people: Voices) -> Voices:
    on_it = seating.people_on(seat)
    return {player: sides for player, sides in people.items() if player not in on_it}


def seats_to_take(snapshot: GameSnapshot, *, listed: bool = False) -> list[SeatKey]:
    """Return the seats that a newcomer with the lobby's link may take at once, the empty ones and
    those of teams, or those ``listed`` for everybody, never in a closed game. Pure."""
    game, places = snapshot.game, snapshot.seating.places
    found = [spec.key for spec in snapshot.specs if places[spec.key].empty or spec.shared]
    if listed:
        found = [key for key in found if places[key].empty and places[key].listed]
    shut = game.over or (listed and game.closed)
    return [] if shut else [key for key in found if not is_closed(snapshot, key)]


def sitters(snapshot: GameSnapshot) -> dict[SeatKey, SeatKey]:
    """Return for each seat of a rematch the seat of its player in the previous game: if all are
    alike, everybody moves up one, so that another player begins."""
    keys = [spec.key for spec in snapshot.specs]
    alike = not any(spec.secret or spec.shared for spec in snapshot.specs)
    return dict(zip(keys, keys[1:] + keys[:1] if alike else keys, strict=True))


OWN, LOST, REMATCH, FREED, INVITED, OPEN = "own", "lost", "rematch", "freed", "invited", "open"
"""The rights by which a visitor may have a seat, the first before the others: the visitor holds it;
has a claim to it; played the previous game; held a seat of this game that is empty now; has the
lobby's link; or everybody may take it."""


@dataclass(frozen=True)
class SeatOffer:
    """The seats that a visitor has or may take in a game, by the right ``way``; '' for none."""

    way: str = ""
    seats: Sequence[SeatKey] = ()


@dataclass(frozen=True)
class SeatRights:
    """The rights of one visitor, who may be ``invited`` by the lobby's link, worked out when they
    are asked for."""

    snapshot: GameSnapshot
    visitor: UUID | None
    now: datetime
    invited: bool = False

    @cached_property
    def offer(self) -> SeatOffer:
        """The answer to the question which seats the visitor may have here."""
        if self.held:
            return SeatOffer(OWN, sorted(self.held))
        if self.returns:
            return SeatOffer(LOST, [claim.seat for claim in self.returns])
        fitting = ((way, self._fitting(seats)) for way, seats in self._free())
        return next((SeatOffer(way, seats) for way, seats in fitting if seats), SeatOffer())

    def _free(self) -> Iterator[tuple[str, list[SeatKey]]]:
        snapshot, free = self.snapshot, seats_to_take(self.snapshot)
        if before := self.previous if free else ():
            meant = [key for key, sitter in sitters(snapshot).items() if sitter in before]
            yield REMATCH, [key for key in meant if key in free] or free
        empty = [key for key in free if snapshot.seating.places[key].empty]
        yield FREED, empty if empty and self.is_former else []
        yield INVITED, free if self.invited or snapshot.is_host(self.visitor) else []
        yield OPEN, seats_to_take(snapshot, listed=True)

    def _fitting(self, seats: list[SeatKey]) -> list[SeatKey]:
        """Return the seats that do not see what the visitor must not have seen before."""
        known = self._known if seats and self.visitor else set[str]()
        return [key for key in seats if known <= {self.snapshot.spec(key).information_set}]

    @cached_property
    def previous(self) -> frozenset[SeatKey]:
        """The seats of the visitor in the game of which this one is the rematch."""
        if self.visitor is None or self.snapshot.game.rematch_of_id is None:
            return frozenset()
        held = Seat.objects.filter(game=self.snapshot.game.rematch_of_id, players=self.visitor)
        return frozenset(held.values_list("key", flat=True))

    @property
    def gathers(self) -> bool:
        """Whether the visitor sees the lobby's link: the host, the holders of seats, and the people
        of the previous game."""
        return self.snapshot.is_host(self.visitor) or bool(self.held or self.previous)

    @cached_property
    def is_former(self) -> bool:
        """Whether the visitor has held a seat of the begun game, and holds none now. A host who has
        typed the secrets knows several information sets without one."""
        if self.visitor is None or self.held or not self.snapshot.game.begun:
            return False
        noted = Insight.objects.filter(game=self.snapshot.game.pk, player=self.visitor).count()
        if noted == 0 or (noted > 1 and self.snapshot.is_host(self.visitor)):
            return False
        return not any(map(self.snapshot.seats_of, same_person(self.visitor)))

    @cached_property
    def _known(self) -> set[str]:
        """The information sets that the visitor has seen, as owner or bot too."""
        persons = same_person(self.visitor) if self.visitor else set()
        noted = Insight.objects.filter(game=self.snapshot.game.pk, player__in=persons)
        held = {
            spec.information_set
            for spec in self.snapshot.specs
            if not persons.isdisjoint(self.snapshot.seating.people_on(spec.key))
        }
        return held.union(noted.values_list("information_set", flat=True))

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

    def speaks_for(self, seat: SeatKey) -> bool:
        """Return whether the visitor may end the game for the side of a seat: with a voice there,
        or where nobody has one, since latecomers may be the other side in a private window."""
        side, others = self.snapshot.spec(seat).side, {**self.voices}
        own = others.pop(self.visitor, ()) if self.visitor else ()
        return side in own or not any(side in sides for sides in others.values())

    def asked_about(self, seat: SeatKey) -> Voices:
        """Return the people with a voice on a seat: all except those on it."""
        return _others(self.snapshot.seating, seat, self.voices)

    def present(self, seat: SeatKey) -> set[UUID]:
        """Return the people whose consent is needed now."""
        return self.asked_about(seat).keys() - self.away

    def is_away(self, seat: SeatKey) -> bool:
        return self.snapshot.seating.people_on(seat) <= self.away

    @cached_property
    def open_to_newcomers(self) -> list[SeatKey]:
        """The seats, of absent people or closed, for which a visitor without one may ask."""
        snapshot = self.snapshot
        if self.held or self.returns or snapshot.game.over or not snapshot.game.begun:
            return []
        places = snapshot.seating.places
        closed = [key for key, place in places.items() if place.empty and is_closed(snapshot, key)]
        wanted = [*closed, *(key for key in askable(snapshot, ()) if places[key].players)]
        found = [key for key in wanted if self.is_away(key)] if wanted else []
        return [key for key in found if is_enough(snapshot, key, self.asked_about(key))]


def _first_move(game: Game) -> datetime | None:
    first = Move.objects.filter(game=game.pk, ply=1)
    return first.values_list("played", flat=True).first()


def seat_rights(
    snapshot: GameSnapshot, visitor: UUID | None, *, invited: bool = False
) -> SeatRights:
    """Return the rights of a visitor about the seats of a game."""
    return SeatRights(snapshot, visitor, timezone.now(), invited)


LATECOMER = text("Only those who have been there since the start can end the game for a side.")


def check_may_end(snapshot: GameSnapshot, player_id: UUID, seats: Collection[SeatKey]) -> None:
    """Raise StandsIn or Refusal for a player that may end a game for none of some seats."""
    rights = seat_rights(snapshot, player_id)
    if rights.stands_in:
        raise StandsIn
    if seats and not any(map(rights.speaks_for, seats)):
        raise Refusal(LATECOMER)


# --- watchers ---


class ClosedToWatchers(Explained):
    """Raised when a viewer without a seat requests a closed game, of these ``rules``."""

    status = 403

    def __init__(self, rules: Rules) -> None:
        super().__init__(text("This game is private. Only its players can see it."))
        self.rules = rules


def is_shut_out(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a closed game shuts out a viewer: no host, owner of a bot, or person with a
    seat, or with the right to one that a stand-in has or that is meant for that person."""
    if not snapshot.game.closed or snapshot.is_host(player_id) or snapshot.seats_of(player_id):
        return False
    if player_id is None or any(map(snapshot.seats_of, same_person(player_id))):
        return player_id is None
    return seat_rights(snapshot, player_id).offer.way not in {LOST, REMATCH}


def check_watching(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    """Raise ClosedToWatchers if a game is closed to a viewer."""
    if is_shut_out(snapshot, player_id):
        raise ClosedToWatchers(snapshot.rules)
