"""The lobby of a game: its seats with their players, and the sentence above them. Pure.

It does not use the position, so a lobby cannot reveal any secret of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext

from games.contract import Rules, SeatSpec, Text, text
from games.core.levels import level_name
from games.models import Game
from games.presentation.visibility import Perspective
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True)
class LobbySeat:
    """A seat in the lobby; ``free`` says that the viewer may take it."""

    spec: SeatSpec
    players: Sequence[str]
    computer: Text | None
    mine: bool
    free: bool

    @property
    def empty(self) -> bool:
        """Whether neither a player nor a computer has the seat."""
        return not self.players and self.computer is None


class Team(NamedTuple):
    """The seats of one side; ``name`` is None if each seat is a side of its own."""

    side: str
    name: Text | None
    seats: Sequence[LobbySeat]


@dataclass(frozen=True, kw_only=True)
class LobbyPage:
    """The values of `_lobby.jinja`."""

    snapshot: GameSnapshot
    perspective: Perspective
    host: str
    seats: Sequence[LobbySeat]

    @property
    def game(self) -> Game:
        """The game's row."""
        return self.snapshot.game

    @property
    def open(self) -> bool:
        """Whether the game waits for its start."""
        return not self.game.begun

    @property
    def teams(self) -> list[Team]:
        """The seats by side, in the order of the rules; a single team without a name if no two
        seats share a side."""
        sides = list(dict.fromkeys(seat.spec.side for seat in self.seats))
        if len(sides) == len(self.seats):
            return [Team("", None, self.seats)]
        ordered = sorted(self.seats, key=lambda seat: sides.index(seat.spec.side))
        found = [(side, list(seats)) for side, seats in groupby(ordered, _side)]
        return [Team(side, seats[0].spec.side_name, seats) for side, seats in found]

    @property
    def is_host(self) -> bool:
        """Whether the viewer may shuffle the seats and start the game."""
        return self.open and self.perspective.lobby == "host"

    @property
    def heirs(self) -> list[LobbySeat]:
        """The seats to whose players the viewer, as the host, can hand over the role of host."""
        return [seat for seat in self.seats if self.is_host and seat.players and not seat.mine]

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.perspective.seats)

    @property
    def static(self) -> bool:
        """Whether the page opens no stream: a game closed to watchers has none for people without a
        seat."""
        return self.game.closed and not self.seated and self.perspective.lobby != "host"

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return not any(seat.empty for seat in self.seats)

    @property
    def sentence(self) -> Text:
        """The sentence that says what the viewer may do or waits for."""
        if not self.open:
            return text("The game has started.")
        if not self.full:
            return text("Waiting for players…")
        if self.is_host:
            return text("Everyone is here. Start when you’re ready.")
        return text("Everyone is here. Waiting for %(name)s to start.", name=_isolated(self.host))

    @property
    def banners(self) -> list[Text]:
        """The lasting banner, and the latest event."""
        banner = self.game.banner if self.open else None
        told = [banner.get("lasting"), banner] if banner else []
        return list(dict.fromkeys(Text.from_json(each) for each in told if each))

    @property
    def address(self) -> str:
        """The address at which the page asks for changes of the lobby."""
        lobby = "guest" if self.perspective.lobby == "host" else self.perspective.lobby
        return f"{self.game.get_absolute_url()}board/?lobby={lobby}"


def _side(seat: LobbySeat) -> str:
    return seat.spec.side


def _isolated(name: str) -> str:
    """Return a name isolated, so that a right-to-left name does not reorder the text around it."""
    return f"\u2068{name}\u2069"


def build_lobby(snapshot: GameSnapshot, seen_by: Perspective) -> LobbyPage:
    """Return the lobby of a game from one perspective."""
    return LobbyPage(
        snapshot=snapshot,
        perspective=seen_by,
        host=host_name(snapshot),
        seats=[_seat(snapshot, seen_by, spec) for spec in snapshot.specs],
    )


def host_name(snapshot: GameSnapshot) -> str:
    """Return the name of the host, if the host has a seat and a name."""
    host = snapshot.game.created_by_id
    places = snapshot.seating.places.values()
    names = [place.players[host] for place in places if host in place.players]
    return next(filter(None, names), gettext("the host"))


def computer_name(level: int | None, rules: Rules) -> Text | None:
    """Return the name of a seat's computer player by its level; None without a computer."""
    if level is None:
        return None
    return text("Computer (%(level)s)", level=level_name(level, rules.levels))


def _seat(snapshot: GameSnapshot, seen_by: Perspective, spec: SeatSpec) -> LobbySeat:
    place, mine = snapshot.seating.places[spec.key], spec.key in seen_by.seats
    may_sit = seen_by.lobby in {"host", "guest"} and not mine and not snapshot.game.over
    return LobbySeat(
        spec=spec,
        players=[name or gettext("Guest") for name in place.players.values()],
        computer=computer_name(place.computer, snapshot.rules),
        mine=mine,
        free=may_sit and place.computer is None and (spec.shared or not place.players),
    )
