"""The turn, the seats, and open requests, as the page shows them around a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext

from games.contract import Result, SeatKey, SeatSpec, Text, ntext, text
from games.core.levels import level_name
from games.presentation.names import call_by_name, person_on, seat_names
from games.presentation.outcome import outcome
from games.presentation.visibility import Perspective
from games.state import undo_requests
from games.state.draw_offers import opponents, pending_offer
from games.state.snapshot import GameSnapshot


class Person(NamedTuple):
    """A person on a seat. ``is_viewer`` is told behind the name; a viewer without one is "You"."""

    name: str
    is_viewer: bool


@dataclass(frozen=True)
class SeatRow:
    """A seat in the list beside the board."""

    spec: SeatSpec
    players: Sequence[Person]
    computer: int | None
    strength: Text | None
    listed: bool
    mine: bool
    to_move: bool
    won: bool
    name: str | None
    """The stored name of its only person; None for an empty seat or a team."""

    @property
    def empty(self) -> bool:
        """Whether neither a player nor a computer sits there."""
        return not self.players and self.computer is None


@dataclass(frozen=True)
class UndoPrompt:
    """An open undo request, and whether the viewer has made it or has to answer it."""

    seat: SeatKey
    told: Text
    waiting: Sequence[Text | str]
    mine: bool
    answers: bool


def seat_rows(
    snapshot: GameSnapshot,
    seen_by: Perspective,
    to_move: frozenset[SeatKey],
    result: Result | None,
) -> list[SeatRow]:
    """Return the seats of a game in the order of its rules."""
    levels = snapshot.rules.levels
    places = [(spec, snapshot.seating.places[spec.key]) for spec in snapshot.specs]
    return [
        SeatRow(
            spec=spec,
            players=_people(list(place.players.values()), seen_by, spec.key),
            computer=place.computer,
            strength=level_name(place.computer, levels) if place.computer else None,
            listed=place.listed,
            mine=spec.key in seen_by.seats,
            to_move=spec.key in to_move,
            won=result is not None and spec.key in result.winners,
            name=next(iter(place.players.values())) if len(place.players) == 1 else None,
        )
        for spec, place in places
    ]


def _people(names: Sequence[str], seen_by: Perspective, key: SeatKey) -> list[Person]:
    """Return the people on a seat. On a device that all players share nobody is the viewer."""
    own = seen_by.place if key in seen_by.seats and len(seen_by.seats) == 1 else None
    return [
        Person(
            name or (gettext("You") if at == own else gettext("Guest")),
            is_viewer=bool(name) and at == own and not seen_by.is_solo,
        )
        for at, name in enumerate(names)
    ]


def turn_sentence(
    snapshot: GameSnapshot,
    seen_by: Perspective,
    look: SeatKey | None,
    to_move: frozenset[SeatKey],
    result: Result | None,
    *,
    now: bool,
) -> Text:
    """Return the turn or the result in a sentence. If several seats may move, it names the viewer's
    secret seat among them, or else their side. In the present position (``now``) it says what those
    do for whom the others wait.
    """
    if result is not None:
        verdict = outcome(snapshot.specs, seen_by.seats, result)
        return call_by_name(verdict, seat_names(snapshot))
    if len(seen_by.seats) == 1 and seen_by.seats & to_move:
        return text("Your turn.")
    if name := _opponent(snapshot, seen_by, to_move):
        return text("Waiting for %(name)s.", name=name)
    waiting = [spec for spec in snapshot.specs if spec.key in to_move]
    opened = next((spec for spec in waiting if spec.secret and spec.key == look), None)
    sides = {spec.side for spec in waiting}
    if opened is None and len(waiting) > 1 and len(sides) == 1 and waiting[0].side_name:
        return text("%(seat)s to move.", seat=waiting[0].side_name)
    if now and len(waiting) == 1 and not seen_by.seats & to_move:
        if waiting[0].thinking:
            return waiting[0].thinking
        if snapshot.seating.places[waiting[0].key].computer is not None:
            return text("%(seat)s is thinking…", seat=waiting[0].name)
    first = opened or next((spec for spec in waiting if not spec.secret), waiting[0])
    return text("%(seat)s to move.", seat=_named(snapshot, first))


def undo_prompt(snapshot: GameSnapshot, seen_by: Perspective) -> UndoPrompt | None:
    """Return the prompt for the viewer about the open undo request, if there is one."""
    request = undo_requests.pending(snapshot)
    if request is None:
        return None
    told = ntext(
        "%(seat)s wants to take back %(n)s move.",
        "%(seat)s wants to take back %(n)s moves.",
        n=snapshot.game.ply - request.ply,
        seat=_named(snapshot, snapshot.spec(request.asker)),
    )
    return UndoPrompt(
        seat=request.asker,
        told=told,
        waiting=[_named(snapshot, snapshot.spec(seat)) for seat in request.waiting],
        mine=request.asker in seen_by.seats,
        answers=not seen_by.seats.isdisjoint(request.waiting),
    )


@dataclass(frozen=True)
class DrawPrompt:
    """An open draw offer, and whether the viewer has made it or has to answer it."""

    told: Text
    mine: bool
    answers: bool


def draw_prompt(snapshot: GameSnapshot, seen_by: Perspective) -> DrawPrompt | None:
    """Return the prompt for the viewer about the open draw offer, if there is one."""
    seat = pending_offer(snapshot)
    if seat is None:
        return None
    return DrawPrompt(
        told=text("%(seat)s offers a draw.", seat=snapshot.spec(seat).name),
        mine=seat in seen_by.seats,
        answers=bool(seen_by.seats) and seat in opponents(snapshot, seen_by.seats),
    )


def _opponent(snapshot: GameSnapshot, seen_by: Perspective, to_move: frozenset[SeatKey]) -> str:
    """Return the name of the person for whom a player of a two-player game waits; '' for other
    viewers."""
    if len(snapshot.specs) > 2 or len(to_move) != 1 or not seen_by.seats or seen_by.seats & to_move:
        return ""
    return person_on(snapshot, *to_move)


def _named(snapshot: GameSnapshot, spec: SeatSpec) -> Text | str:
    """Return the name of a seat's person, and for a seat of a team also the seat's own name, which
    is the person's role.
    """
    name = seat_names(snapshot).get(spec.name, "")
    if name and spec.role:
        return text("%(seat)s (%(name)s)", seat=spec.name, name=name)
    return name or spec.name
