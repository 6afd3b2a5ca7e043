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
from games.state.seat_claims import Asker, SeatRequest, pending_requests


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
    """The value of `_absent.jinja`: an absent player, in the ``sentence``; whether the viewer may
    claim the win, or let a ``computer`` play on; and whether the player was ``reminded`` today."""

    sentence: Text
    claims: bool
    computer: bool
    reminded: bool


@dataclass(frozen=True)
class FreeingPrompt:
    """The value of `_freeing.jinja`: an open request for a seat, the seats that it waits for, and
    whether the viewer has made it or has to answer it. ``of`` is the kind of asker."""

    of: Asker
    sentence: Text
    waiting: Sequence[Text]
    mine: bool
    answers: bool


@dataclass(frozen=True, kw_only=True)
class Prompts:
    undo: UndoPrompt | None = None
    draw: DrawPrompt | None = None
    absence: AbsencePrompt | None = None
    freeing: Sequence[FreeingPrompt] = ()


def build_prompts(seen: Sight) -> Prompts:
    """Return the prompts for a viewer; none on a board for reading."""
    if not seen.live:
        return Prompts()
    # Others than players see no request.
    requests = pending_requests(seen.snapshot) if seen.seen_by.seats else {}
    freeing = [_freeing(seen, of, request) for of, request in requests.items()]
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


def _freeing(seen: Sight, of: Asker, request: SeatRequest) -> FreeingPrompt:
    snapshot = seen.snapshot
    return FreeingPrompt(
        of=of,
        sentence=_asked(seen, request),
        waiting=[snapshot.spec(key).name for key in request.waiting],
        mine=request.asker in seen.seen_by.seats,
        answers=of in seen.seen_by.answers,
    )


def _asked(seen: Sight, request: SeatRequest) -> Text:
    seat = seen.snapshot.spec(request.seat).name
    if not seen.snapshot.seating.places[request.seat].players:
        return text("Someone wants to sit down here: %(seat)s.", seat=seat)
    values = {"name": _player_on(seen, request.seat), "seat": seat}
    if request.newcomer:
        return text(
            "%(name)s (%(seat)s) is away. Someone wants to sit there: perhaps the same person in a "
            "new browser.",
            **values,
        )
    values["asker"] = _player_on(seen, request.asker)
    if request.computer:
        return text(
            "%(asker)s wants a computer to play for %(name)s (%(seat)s), who is away.", **values
        )
    return text("%(asker)s wants to free the seat of %(name)s (%(seat)s), who is away.", **values)


def _player_on(seen: Sight, seat: SeatKey) -> str:
    name = next(iter(seen.snapshot.seating.places[seat].players.values()), "")
    return isolated(name or gettext("Guest"))
