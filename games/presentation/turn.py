"""The sentences of a game's page: the prompts that wait for an answer, the turn or the result, the
moves that the viewer has missed, the latest event, the text that is read out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from django.utils import timezone
from django.utils.translation import gettext

from games.contract import Rules, SeatKey, Text, ntext, text
from games.core.translation import isolated
from games.presentation.board import Board
from games.presentation.sight import Sight, call_by_name, ending, mood, name_on, outcome, person_on
from games.presentation.visibility import view_for
from games.state.marks import Mark
from games.state.questions import (
    Question,
    SeatRequest,
    asking,
    banner_for,
    pending_moves,
    pending_requests,
)
from games.state.seat_rights import computer_fits, opposed, waited_for_by, was_reminded


@dataclass(frozen=True)
class QuestionPrompt:
    """The value of `_question.jinja`: an open question of the seat ``asker``, the seats that it
    waits for, and whether the viewer has asked it or has to answer it. ``kind`` is one of
    `games.state.questions`."""

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
        return bool(self.questions) and kind in [question.kind for question in self.questions]

    @property
    def asked(self) -> Text | None:
        """The first question that the viewer has to answer."""
        asked = [question.sentence for question in self.questions if question.answers]
        return asked[0] if asked else None


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
    """Return the prompt of a question about the game, which everybody sees."""
    snapshot, held = seen.snapshot, seen.seen_by.seats
    asker = name_on(snapshot.spec(question.asker), seen.names)
    return QuestionPrompt(
        kind=question.kind,
        asker=question.asker,
        sentence=asking(question, snapshot.game.ply, asker),
        waiting=[name_on(snapshot.spec(seat), seen.names) for seat in question.waiting],
        mine=question.asker in held,
        answers=question.asker not in held and not held.isdisjoint(question.waiting),
    )


def _absence(seen: Sight) -> AbsencePrompt | None:
    snapshot, held = seen.snapshot, seen.seen_by.seats
    seats = waited_for_by(snapshot, held) if held else []
    if not seats:
        return None
    name = isolated(snapshot.seating.name_on(seats[0]) or gettext("Guest"))
    days = max(1, (timezone.now() - snapshot.game.updated).days)
    sentence = ntext(
        "%(name)s hasn’t moved for %(n)s day.",
        "%(name)s hasn’t moved for %(n)s days.",
        n=days,
        name=name,
    )
    if snapshot.seating.places[seats[0]].barred:
        sentence = text("%(name)s can’t play here for now.", name=name)
    return AbsencePrompt(
        sentence,
        claims=opposed(snapshot, seats, held),
        computer=computer_fits(snapshot),
        reminded=was_reminded(snapshot),
    )


def _freeing(seen: Sight, kind: str, request: SeatRequest) -> QuestionPrompt:
    return QuestionPrompt(
        kind=kind,
        asker=request.asker,
        sentence=_asked(seen, request),
        waiting=[seen.snapshot.spec(key).name for key in request.waiting],
        mine=request.asker in seen.seen_by.seats,
        answers=kind in seen.seen_by.answers,
    )


def _asked(seen: Sight, request: SeatRequest) -> Text:
    seat = seen.snapshot.spec(request.seat).name
    if not seen.snapshot.seating.places[request.seat].players:
        if request.computer:
            return text("May a computer play here? %(seat)s", seat=seat)
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


MOST_MISSED = 12
"""Moves that are listed at most: after days away nobody reads a whole game."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The value of `_turn.jinja`.

    ``sentence`` says whose turn it is, or the outcome, and ``mine`` that it is the viewer's; after
    the end ``ending`` is the result with its reason, and ``mood`` its style, see `outcome.mood`.
    The viewer ``knows_prompt`` of the board after two moves: for the first step of one more it says
    nothing new."""

    sentence: Text
    mine: bool
    ending: Sequence[Text]
    mood: str
    knows_prompt: bool


@dataclass(frozen=True)
class MissedMoves:
    """The sentences for each missed move, and the cells that these moves touched."""

    sentences: Sequence[Sequence[Text]] = ()
    cells: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class News:
    """The value of `_news.jinja`.

    ``events`` describe the last move, and ``missed`` the moves of others before it, since the
    viewer's last one. ``weighed`` names the moves between which a computer chooses, and ``banner``
    is the site's latest one on the game, which ``is_message`` if a player sent it. ``again``
    tells of the next game."""

    events: Sequence[Text]
    missed: Sequence[Sequence[Text]] = ()
    marks: Sequence[Mark] = ()
    weighed: Sequence[Text] = ()
    banner: Text | None = None
    is_message: bool = False
    again: Text | None = None


@dataclass(frozen=True, kw_only=True)
class Title:
    """The value of `_title.jinja`: a sentence, the game, and whether it calls the viewer."""

    sentence: Text
    calls: bool
    game: Text


def build_turn(seen: Sight, board: Board) -> Turn:
    held, result, specs = seen.seen_by.seats, seen.standing.result, seen.snapshot.specs
    if result is None:
        mine = not held.isdisjoint(seen.standing.to_move)
        return Turn(
            sentence=turn_sentence(seen),
            mine=mine,
            ending=(),
            mood="",
            knows_prompt=board.stage is not None and _knows_prompt(seen, board),
        )
    verdict = call_by_name(outcome(specs, held, result), seen.names)
    reason = call_by_name(result.reason, seen.names)
    timed = seen.snapshot.game.time is not None
    sentences = ending(verdict, replace(result, reason=reason), timed=timed)
    return Turn(
        sentence=verdict,
        mine=False,
        ending=sentences,
        mood=mood(specs, held, result),
        knows_prompt=False,
    )


def _knows_prompt(seen: Sight, board: Board) -> bool:
    """Return whether the seat has made two moves already."""
    made = [move for move in seen.snapshot.moves if move.seat == board.seat]
    return not board.chosen and len(made) > 1


def turn_sentence(seen: Sight) -> Text:
    """Return the turn in a sentence. If several seats may move, it names the viewer's secret seat
    among them, or else their side. On a live board it says what those do for whom the others
    wait."""
    held, to_move = seen.seen_by.seats, seen.standing.to_move
    if len(held) == 1 and held & to_move:
        return text("Your turn.")
    if name := _opponent(seen):
        return text("Waiting for %(name)s.", name=name)
    waiting = [spec for spec in seen.snapshot.specs if spec.key in to_move]
    opened = next((spec for spec in waiting if spec.secret and spec.key == seen.viewpoint), None)
    sides = {spec.side for spec in waiting}
    if opened is None and len(waiting) > 1 and len(sides) == 1 and waiting[0].side_name:
        return text("%(seat)s to move.", seat=waiting[0].side_name)
    if seen.live and len(waiting) == 1 and not held & to_move:
        if waiting[0].thinking:
            return waiting[0].thinking
        if seen.snapshot.seating.places[waiting[0].key].computer is not None:
            return text("%(seat)s is thinking…", seat=waiting[0].name)
    first = opened or next((spec for spec in waiting if not spec.secret), waiting[0])
    return text("%(seat)s to move.", seat=name_on(first, seen.names))


def _opponent(seen: Sight) -> str:
    """Return the name of the person for whom one of two players waits; '' for others."""
    held, to_move = seen.seen_by.seats, seen.standing.to_move
    if len(seen.snapshot.specs) > 2 or len(to_move) != 1 or not held or held & to_move:
        return ""
    return person_on(seen.snapshot, *to_move)


def missed_moves(seen: Sight) -> MissedMoves:
    """Return the moves of others since the viewer last moved, without the newest move. Spectators
    have missed nothing, and neither have players who were eliminated before the newest move, nor
    readers of an earlier board."""
    snapshot, seats = seen.snapshot, seen.seen_by.seats
    if not seats or not seen.live:
        return MissedMoves()
    others = [*takewhile(lambda move: move.seat not in seats, reversed(snapshot.moves))]
    # They are collected newest first, and listed in the order in which they were made.
    missed = others[1 : MOST_MISSED + 1][::-1]
    positions = [snapshot.at(move.ply) for move in missed]
    if not positions or not any(positions[-1].is_active(seat) for seat in seats):
        return MissedMoves()
    views = [view_for(position, seen.viewpoint) for position in positions]
    cells = frozenset(cell for view in views for cell in view["last"])
    sentences = [
        [call_by_name(sentence, seen.names) for sentence in view["events"]] for view in views
    ]
    return MissedMoves(sentences, cells)


def build_news(
    seen: Sight,
    board: Board,
    prompts: Prompts,
    *,
    marks: Sequence[Mark],
    missed: Sequence[Sequence[Text]],
) -> News:
    reason = seen.standing.result.reason if seen.standing.result else None
    sentences = [sentence for sentence in board.view["events"] if sentence != reason]
    named = [call_by_name(sentence, seen.names) for sentence in sentences]
    if not seen.live:
        return News(events=named)
    return News(
        events=named,
        missed=missed,
        marks=marks,
        weighed=_weighed(seen, marks) if marks else (),
        banner=_banner(seen, prompts),
        is_message=_is_message(seen),
        again=_again(seen),
    )


def _is_message(seen: Sight) -> bool:
    return "said" in (seen.snapshot.game.banner or ())


def _banner(seen: Sight, prompts: Prompts) -> Text | None:
    """Return the site's latest banner on the game, for the viewer."""
    banner, held = seen.snapshot.game.banner, seen.seen_by.seats
    if not banner:
        return None
    # The version before stored an offer of a draw there, which is shown with its buttons.
    if "draw" in banner or (_is_message(seen) and (seen.seen_by.muted or not held)):
        return None
    mine = [spec for spec in seen.snapshot.specs if spec.key in held]
    return call_by_name(banner_for(Text.from_json(banner), mine), seen.names)


def _again(seen: Sight) -> Text | None:
    """Return the sentence that invites a player to the next game of its host, or tells the host
    that it waits; None for others, and once the offer is no longer news."""
    rematch, again = seen.snapshot.rematch, seen.seen_by.again
    if again == "mine":
        return text("You want a rematch.")
    if rematch and again == "asked":
        return text("%(name)s wants a rematch.", name=rematch.host or gettext("Guest"))
    return None


def _weighed(seen: Sight, marks: Sequence[Mark]) -> list[Text]:
    """Return the sentence for the moves between which a computer chooses."""
    moves = [mark.move for mark in marks if mark.player_id is None]
    labels = [(move, seen.standing.position.label_move(move)) for move in moves]
    named = [label.text if label else move for move, label in labels]
    if len(named) < 2:
        return [text("%(step)s?", step=name) for name in named]
    return [text("%(move)s or %(other)s?", move=named[0], other=named[1])]


def build_title(rules: Rules, turn: Turn, news: News, prompts: Prompts, again: str) -> Title:
    question = prompts.asked or (news.again if again == "asked" else None)
    return Title(
        sentence=question or turn.sentence, calls=turn.mine or question is not None, game=rules.name
    )


def read_out(turn: Turn, news: News, prompts: Prompts, marked: str) -> list[Text]:
    """Return the sentences for screen readers: the last move and the turn; after the end, first the
    result and its reason. ``marked`` is the move that the viewer has marked."""
    if not turn.ending:
        return [*_latest(news, prompts, marked), turn.sentence]
    if news.is_message and news.banner:
        return [news.banner]
    return [news.again] if news.again else [*turn.ending, *news.events]


def _latest(news: News, prompts: Prompts, marked: str) -> Sequence[Text]:
    """Return the latest event: a question, its answer, a mark, a message or a move."""
    if prompts.questions and not (news.is_message and news.banner):
        return [prompts.questions[0].sentence]
    if news.marks:
        mark = news.marks[-1]
        return news.weighed if mark.player_id is None else [_marked(mark, marked)]
    if news.banner:
        return [news.banner]
    return [] if news.is_message else news.events


def _marked(mark: Mark, marked: str) -> Text:
    if mark.move == marked:
        return text("%(step)s?", step=mark.step.label)
    name = isolated(mark.name or gettext("Guest"))
    return text("%(name)s: %(step)s?", name=name, step=mark.step.label)
