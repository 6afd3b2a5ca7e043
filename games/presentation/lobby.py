"""The lobby of a game: its seats with their players, and the sentence above them. Pure.

It does not use the position, so a lobby cannot reveal any secret of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.contract import Option, SeatSpec, Text, text
from games.core.registry import all_rules
from games.core.translation import isolated
from games.models import Game
from games.presentation.player_bars import addresses
from games.presentation.sight import computer_name
from games.presentation.visibility import Perspective
from games.state.seat_claims import acting_host, away_from_lobby, is_host_away, person_key
from games.state.seat_rights import seats_to_take
from games.state.snapshot import GameSnapshot


class LobbyPerson(NamedTuple):
    """A person on a seat; ``key`` names the person in forms, ``away`` says that nobody has seen
    the person for a minute, ``hosts`` that it is the host or the stand-in."""

    name: str
    key: str
    away: bool
    hosts: bool


@dataclass(frozen=True)
class LobbySeat:
    """A seat in the lobby; ``free`` says that the viewer may take it, at the address ``sit`` if it
    is open to everybody."""

    spec: SeatSpec
    people: Sequence[LobbyPerson]
    computer: Text | None
    mine: bool
    free: bool
    sit: str

    @property
    def empty(self) -> bool:
        """Whether neither a player nor a computer has the seat."""
        return not self.people and self.computer is None


class Team(NamedTuple):
    """The seats of one side; ``name`` is None if each seat is a side of its own."""

    side: str
    name: Text | None
    seats: Sequence[LobbySeat]


@dataclass(frozen=True, kw_only=True)
class LobbyPage:
    snapshot: GameSnapshot
    perspective: Perspective
    host: str
    seats: Sequence[LobbySeat]

    @property
    def game(self) -> Game:
        return self.snapshot.game

    @property
    def open(self) -> bool:
        """Whether the game waits for its start."""
        return not self.game.begun

    @property
    def teams(self) -> list[Team]:
        """The seats by side, in the order of the rules; one team if no two share a side."""
        sides = list(dict.fromkeys(seat.spec.side for seat in self.seats))
        if len(sides) == len(self.seats):
            return [Team("", None, self.seats)]
        ordered = sorted(self.seats, key=lambda seat: sides.index(seat.spec.side))
        found = [(side, list(seats)) for side, seats in groupby(ordered, _side)]
        return [Team(side, seats[0].spec.side_name, seats) for side, seats in found]

    @property
    def settings(self) -> list[tuple[Text, Text | str]]:
        """The settings that the host saw at once or has changed; secret ones are not stored."""
        stored = self.game.options if isinstance(self.game.options, dict) else {}
        pairs = [_pair(option, stored[option.name]) for option in self._shown_options(stored)]
        if self.game.time:
            pairs.append((text("Clock"), self.game.time.name))
        if self.game.hints:
            pairs.append((text("Hints"), text("allowed")))
        return pairs

    def _shown_options(self, stored: Mapping[str, Any]) -> list[Option]:
        return [
            option
            for option in self.snapshot.rules.options
            if option.name in stored
            and option.kind in {"number", "choice", "flag"}
            and (stored[option.name] != option.default or not option.advanced)
        ]

    @property
    def is_listed(self) -> bool:
        places = self.snapshot.seating.places.values()
        return self.open and any(place.listed and place.empty for place in places)

    @property
    def sought(self) -> list[Text | str]:
        """The kinds in which the host seeks an opponent; none in other lobbies."""
        known, keys = all_rules(), (self.open and self.game.seeks) or ()
        slugs = dict.fromkeys(key.partition("-")[0] for key in keys)
        return [known[slug].name for slug in slugs if slug in known]

    @property
    def is_host(self) -> bool:
        """Whether the viewer may shuffle the seats and start the game."""
        return self.open and self.perspective.lobby == "host"

    @property
    def may_begin(self) -> bool:
        """Whether the viewer may start: the host, or if away anybody in a full lobby."""
        alone = self.seated and self.full and is_host_away(self.game)
        return (self.is_host and not self.sought) or (self.open and alone)

    @property
    def heirs(self) -> list[LobbySeat]:
        """The seats to whose players the viewer, as the host, can hand over the role of host."""
        return [seat for seat in self.seats if self.is_host and seat.people and not seat.mine]

    @property
    def frees(self) -> list[tuple[LobbySeat, LobbyPerson]]:
        seats = self.seats if self.is_host else ()
        return [(seat, person) for seat in seats for person in seat.people if not person.hosts]

    @property
    def seated(self) -> bool:
        return bool(self.perspective.seats)

    @property
    def static(self) -> bool:
        """Whether the page opens no stream: a closed game has none for people without a seat."""
        return self.game.closed and not self.seated and self.perspective.lobby != "host"

    @property
    def full(self) -> bool:
        return not any(seat.empty for seat in self.seats)

    @property
    def sentence(self) -> Text:
        """The sentence on the next step of the viewer, or on the wait."""
        if not self.open:
            return text("The game has started.")
        if self.sought:
            return text("Waiting for an opponent…")
        if not self.full:
            return text("Waiting for players…")
        if self.may_begin:
            return text("Everyone is here. Start when you’re ready.")
        return text("Everyone is here. Waiting for %(name)s to start.", name=isolated(self.host))

    @property
    def banners(self) -> list[Text]:
        """The lasting banner, the latest event, and the host's stand-in."""
        banner = self.game.banner if self.open else None
        banners = [banner.get("lasting"), banner] if banner else []
        found = list(dict.fromkeys(Text.from_json(sentence) for sentence in banners if sentence))
        if self.open and acting_host(self.snapshot) != self.game.created_by_id:
            host = isolated(self.host)
            found.append(text("The host is away. Meanwhile %(name)s is the host.", name=host))
        return found

    @property
    def address(self) -> str:
        lobby = "guest" if self.perspective.lobby == "host" else self.perspective.lobby
        return f"{self.game.get_absolute_url()}board/?lobby={lobby}"


def _pair(option: Option, value: Any) -> tuple[Text, Text | str]:
    if option.kind == "flag":
        return option.label, text("yes") if value else text("no")
    return option.label, dict(option.choices).get(value, str(value))


def _side(seat: LobbySeat) -> str:
    return seat.spec.side


def build_lobby(snapshot: GameSnapshot, seen_by: Perspective) -> LobbyPage:
    return LobbyPage(
        snapshot=snapshot,
        perspective=seen_by,
        host=host_name(snapshot),
        seats=[_seat(snapshot, seen_by, spec) for spec in snapshot.specs],
    )


def host_name(snapshot: GameSnapshot) -> str:
    """Return the name of the host or of the stand-in, if that person has a seat and a name."""
    host = acting_host(snapshot)
    places = snapshot.seating.places.values()
    names = [place.players[host] for place in places if host in place.players]
    return next(filter(None, names), gettext("the host"))


def _seat(snapshot: GameSnapshot, seen_by: Perspective, spec: SeatSpec) -> LobbySeat:
    place, mine = snapshot.seating.places[spec.key], spec.key in seen_by.seats
    watches, game = seen_by.lobby == "watch", snapshot.game
    may_sit = spec.key in seats_to_take(snapshot, listed=watches)
    sit = addresses(game.id, game.kind).sit if watches and may_sit and not seen_by.seats else ""
    return LobbySeat(
        spec=spec,
        people=[
            LobbyPerson(
                name=name or gettext("Guest"),
                key=person_key(snapshot.game.id, player_id),
                away=str(player_id) in away_from_lobby(snapshot.game),
                hosts=player_id == acting_host(snapshot),
            )
            for player_id, name in place.players.items()
        ],
        computer=computer_name(place.level, snapshot.rules) if place.level else None,
        mine=mine,
        free=may_sit and not (mine or watches),
        sit=sit and f"{sit}?seat={spec.key}",
    )
