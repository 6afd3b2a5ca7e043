"""The prompts above a board that wait for an answer: questions of players, and an absence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext

from games.contract import SeatKey, Text, ntext, text
from games.core.translation import isolated
from games.presentation.sight import Sight, name_on
from games.state.questions import (
    DRAW,
    Question,
    SeatRequest,
    pending_moves,
    pending_requests,
)
from games.state.seat_rights import computer_fits, opposed, waited_for_by, was_reminded


@dataclass(frozen=True)
class QuestionPrompt:
    """The value of `_question.jinja`: an open question of the seat ``asker``, the seats that it
    waits for, and whether the viewer has asked it or has to answer it. ``kind`` is ``undo``,
    ``draw``, or of a request for a seat ``seat`` or ``newcomer``."""

    kind: str
    asker: SeatKey
    sentence: Text
    waiting: Sequence[Text | str]
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


@dataclass(frozen=True, kw_only=True)
class Prompts:
    """What waits for an answer: questions, those about moves first, and an absence."""

    questions: Sequence[QuestionPrompt] = ()
    absence: AbsencePrompt | None = None

    def has(self, kind: str) -> bool:
        """Return whether a question of a kind is open."""
        return bool(self.questions) and kind in [question.kind for question in self.questions]

    @property
    def asked(self) -> Text | None:
        """The first question that the viewer has to answer."""
        return next((question.sentence for question in self.questions if question.answers), None)


def build_prompts(seen: Sight) -> Prompts:
    """Return the prompts for a viewer; none on a board for reading."""
    if not seen.live:
        return Prompts()
    # Others than players see no request for a seat.
    requests = pending_requests(seen.snapshot) if seen.seen_by.seats else {}
    freeing = [_freeing(seen, kind, request) for kind, request in requests.items()]
    questions = [*[_moves(seen, asked) for asked in pending_moves(seen.snapshot)], *freeing]
    return Prompts(questions=questions, absence=_absence(seen))


def _moves(seen: Sight, question: Question) -> QuestionPrompt:
    """Return the prompt of a question about moves, which everybody sees."""
    snapshot, held = seen.snapshot, seen.seen_by.seats
    asker = name_on(snapshot.spec(question.asker), seen.names)
    if question.kind == DRAW:
        sentence = text("%(seat)s offers a draw.", seat=asker)
    else:
        sentence = ntext(
            "%(seat)s wants to take back %(n)s move.",
            "%(seat)s wants to take back %(n)s moves.",
            n=snapshot.game.ply - question.ply,
            seat=asker,
        )
    return QuestionPrompt(
        kind=question.kind,
        asker=question.asker,
        sentence=sentence,
        waiting=[name_on(snapshot.spec(seat), seen.names) for seat in question.waiting],
        mine=question.asker in held,
        answers=question.asker not in held and not held.isdisjoint(question.waiting),
    )


def _absence(seen: Sight) -> AbsencePrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    seats = waited_for_by(snapshot, held) if held else []
    if not seats:
        return None
    name = snapshot.seating.name_on(seats[0])
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


def _freeing(seen: Sight, kind: str, request: SeatRequest) -> QuestionPrompt:
    snapshot = seen.snapshot
    return QuestionPrompt(
        kind=kind,
        asker=request.asker,
        sentence=_asked(seen, request),
        waiting=[snapshot.spec(key).name for key in request.waiting],
        mine=request.asker in seen.seen_by.seats,
        answers=kind in seen.seen_by.answers,
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
    return isolated(seen.snapshot.seating.name_on(seat) or gettext("Guest"))
