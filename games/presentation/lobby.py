"""The lobby of a game: its seats with their people, and the sentence above them. Pure.

It knows nothing of the position, so that a lobby is the same for all secrets of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext

from games.contract import Rules, SeatSpec, Text, text
from games.models import Game
from games.presentation.levels import level_name
from games.presentation.visibility import Perspective
from games.snapshot import GameSnapshot


@dataclass(frozen=True)
class LobbySeat:
    """A seat of the lobby; ``free`` says that the viewer may take it."""

    spec: SeatSpec
    players: Sequence[str]
    computer: Text | None
    mine: bool
    free: bool

    @property
    def empty(self) -> bool:
        """Whether neither a player nor a computer sits there."""
        return not self.players and self.computer is None


class Team(NamedTuple):
    """The seats of one side; ``name`` is None where each seat is a side of its own."""

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
        """The seats by side, in the order of the rules; one team without a name where no seat
        shares its side with another."""
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
        """The seats whose people the viewer, as the host, can make the host."""
        return [seat for seat in self.seats if self.is_host and seat.players and not seat.mine]

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.perspective.seats)

    @property
    def static(self) -> bool:
        """Whether the page follows nothing: a closed game has no stream for people without seats,
        who may be anybody."""
        return self.game.closed and not self.seated and self.perspective.lobby != "host"

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return not any(seat.empty for seat in self.seats)

    @property
    def sentence(self) -> Text:
        """What the viewer waits for or may do."""
        if not self.open:
            return text("The game has started.")
        if not self.full:
            return text("Waiting for players…")
        if self.is_host:
            return text("Everyone is here. Start when you’re ready.")
        return text("Everyone is here. Waiting for %(name)s to start.", name=_isolated(self.host))

    @property
    def notices(self) -> list[Text]:
        """The sentence that lasts, and the latest event."""
        notice = self.game.notice if self.open else None
        told = [notice.get("lasting"), notice] if notice else []
        return list(dict.fromkeys(Text.from_json(each) for each in told if each))

    @property
    def address(self) -> str:
        """The address of the board, at which the page follows the lobby."""
        lobby = "guest" if self.perspective.lobby == "host" else self.perspective.lobby
        return f"{self.game.get_absolute_url()}board/?lobby={lobby}"


def _side(seat: LobbySeat) -> str:
    return seat.spec.side


def _isolated(name: str) -> str:
    """Return a name from the right to the left so that it turns nothing else around."""
    return f"\u2068{name}\u2069"


def build_lobby(snapshot: GameSnapshot, seen_by: Perspective) -> LobbyPage:
    """Return the lobby of a game as it is seen."""
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
    """Return a computer player by its level; None where no computer plays."""
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
