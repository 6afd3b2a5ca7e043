"""The prompts above a board that wait for an answer: an undo request, a draw offer, an absence,
and the request to free the seat of an absent player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from games.contract import SeatKey, Text, ntext, text
from games.core.translation import isolated
from games.presentation.sight import Sight, call_by_name, name_on
from games.state import undo_requests
from games.state.absence import computer_fits, opposed, waited_for_by, was_reminded
from games.state.draw_offers import opponents, pending_offer
from games.state.freeing import pending_freeing


@dataclass(frozen=True)
class UndoPrompt:
    """The value of `_request.jinja`: an open undo request, and whether the viewer has made it or
    has to answer it."""

    seat: SeatKey
    sentence: Text
    waiting: Sequence[Text | str]
    mine: bool
    answers: bool


@dataclass(frozen=True)
class DrawPrompt:
    """The value of `_draw_offer.jinja`: an open draw offer, and whether the viewer has made it or
    has to answer it."""

    sentence: Text
    mine: bool
    answers: bool


@dataclass(frozen=True)
class AbsencePrompt:
    """The value of `_absent.jinja`: an absent player, in the ``sentence``; whether the viewer
    may claim the win, or let a ``computer`` play on; and whether the player was ``reminded``
    today."""

    sentence: Text
    claims: bool
    computer: bool
    reminded: bool


@dataclass(frozen=True)
class FreeingPrompt:
    """The value of `_freeing.jinja`: an open request to free a seat, the seats that it waits for,
    and whether the viewer has made it or has to answer it."""

    sentence: Text
    waiting: Sequence[Text]
    mine: bool
    answers: bool


@dataclass(frozen=True, kw_only=True)
class Prompts:
    undo: UndoPrompt | None = None
    draw: DrawPrompt | None = None
    absence: AbsencePrompt | None = None
    freeing: FreeingPrompt | None = None


def build_prompts(seen: Sight) -> Prompts:
    """Return the prompts for a viewer; none on a board for reading."""
    if not seen.live:
        return Prompts()
    freeing = _freeing(seen) if seen.snapshot.game.freeing else None
    return Prompts(undo=_undo(seen), draw=_draw(seen), absence=_absence(seen), freeing=freeing)


def _undo(seen: Sight) -> UndoPrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    request = undo_requests.pending(snapshot)
    if request is None:
        return None
    sentence = ntext(
        "%(seat)s wants to take back %(n)s move.",
        "%(seat)s wants to take back %(n)s moves.",
        n=snapshot.game.ply - request.ply,
        seat=name_on(snapshot.spec(request.asker), seen.names),
    )
    return UndoPrompt(
        seat=request.asker,
        sentence=sentence,
        waiting=[name_on(snapshot.spec(seat), seen.names) for seat in request.waiting],
        mine=request.asker in held,
        answers=not held.isdisjoint(request.waiting),
    )


def _draw(seen: Sight) -> DrawPrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    seat = pending_offer(snapshot)
    if seat is None:
        return None
    sentence = text("%(seat)s offers a draw.", seat=snapshot.spec(seat).name)
    return DrawPrompt(
        sentence=call_by_name(sentence, seen.names),
        mine=seat in held,
        answers=bool(held) and seat in opponents(snapshot, held),
    )


def _absence(seen: Sight) -> AbsencePrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    seats = waited_for_by(snapshot, held) if held else []
    if not seats:
        return None
    name = next(iter(snapshot.seating.places[seats[0]].players.values()))
    days = max(1, (timezone.now() - snapshot.game.updated).days)
    sentence = ntext(
        "%(name)s hasn’t moved for %(n)s day.",
        "%(name)s hasn’t moved for %(n)s days.",
        n=days,
        name=isolated(name or gettext("Guest")),
    )
    return AbsencePrompt(
        sentence,
        claims=opposed(snapshot, seats, held),
        computer=computer_fits(snapshot),
        reminded=was_reminded(snapshot),
    )


def _freeing(seen: Sight) -> FreeingPrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    request = pending_freeing(snapshot) if held else None
    if request is None:
        return None
    values = {"name": _player_on(seen, request.seat), "seat": snapshot.spec(request.seat).name}
    if request.newcomer:
        sentence = text(
            "Someone says they were %(name)s (%(seat)s) and wants the seat back.", **values
        )
    else:
        sentence = text(
            "%(asker)s wants to free the seat of %(name)s (%(seat)s), who is away.",
            asker=_player_on(seen, request.asker),
            **values,
        )
    return FreeingPrompt(
        sentence=sentence,
        waiting=[snapshot.spec(key).name for key in request.waiting],
        mine=request.asker in held,
        answers=not held.isdisjoint(request.waiting),
    )


def _player_on(seen: Sight, seat: SeatKey) -> str:
    name = next(iter(seen.snapshot.seating.places[seat].players.values()), "")
    return isolated(name or gettext("Guest"))
