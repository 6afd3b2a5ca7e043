"""Questions on the table: what a player of a game asks, and the others answer. Pure.

A game stores its open questions in ``questions``, at most one of a kind: dicts of ``kind``, the
seat ``asker``, those that have ``agreed``, and ``since``. A request for an absent person's seat is
one too. That of a newcomer has the column ``newcomer`` of its own, so that no stranger blocks the
players. `games.services.questions` and `games.services.seat_changes` write them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from games.contract import TIMEOUT, SeatKey, SeatSpec, Text, ntext, text
from games.state.seat_claims import is_slow, is_timed_by_turns

if TYPE_CHECKING:
    from games.models import Game
    from games.state.snapshot import GameSnapshot

UNDO, DRAW, SEAT, NEWCOMER, VOID = "undo", "draw", "seat", "newcomer", "void"
MOVES: Final = (UNDO, DRAW, VOID)
"""The kinds of questions about the game, which everybody at the board sees. Those for a draw and to
call the game off have the names of the moves that end it."""
SEATS: Final = (SEAT, NEWCOMER)
"""The kinds of requests for the seat of an absent person: of a player, and of a newcomer."""
LAPSES, LAPSES_SLOWLY = timedelta(minutes=10), timedelta(days=3)
"""When a newcomer's request ends without an answer, in a slow game later."""
Stored = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """An open question of the seat ``asker``. The seats ``waiting`` have to answer, and the seats
    ``agreed`` have agreed. ``ply`` is the one to go back to."""

    kind: str
    asker: SeatKey
    waiting: Collection[SeatKey]
    agreed: Collection[SeatKey] = ()
    ply: int = 0


def undo_of(
    snapshot: GameSnapshot, seats: Collection[SeatKey], agreed: Collection[SeatKey] = ()
) -> Question | None:
    """Return a question to undo the last move of ``seats`` and all moves after it; None without
    one, and after a loss on time.

    All others who were active at the ply to go back to have to agree, also players eliminated
    since; computers agree."""
    last = next((move for move in reversed(snapshot.moves) if move.seat in seats), None)
    if last is None or any(move.text == TIMEOUT for move in snapshot.moves[last.ply - 1 :]):
        return None
    before, places = snapshot.at(last.ply - 1), snapshot.seating.places
    askers = places[last.seat].players.keys()
    waiting = [
        seat
        for seat, place in places.items()
        if place.players and not askers & place.players.keys()
        if seat not in agreed and before.is_active(seat)
    ]
    return Question(UNDO, last.seat, waiting, agreed, last.ply - 1)


def of_sides(
    kind: str, snapshot: GameSnapshot, seats: Collection[SeatKey], agreed: Collection[SeatKey] = ()
) -> Question | None:
    """Return the offer of a draw, or the question to call the game off, to which one person of
    every other side with people has to agree; None if ``seats`` cannot ask for it."""
    if not (can_offer if kind == DRAW else can_call_off)(snapshot, seats):
        return None
    waiting = opponents(snapshot, [*seats, *agreed]) & snapshot.seating.people()
    return Question(kind, min(seats), sorted(waiting), agreed)


class Kind(NamedTuple):
    """A kind of question. ``of`` returns it as ``seats`` ask it, with the seats that still wait,
    but not one for a seat. ``move_ends`` says that a move ends it."""

    of: Callable[..., Question | None]
    move_ends: bool


KINDS: Final[Mapping[str, Kind]] = {
    UNDO: Kind(undo_of, move_ends=True),
    DRAW: Kind(partial(of_sides, DRAW), move_ends=True),
    SEAT: Kind(lambda *_: None, move_ends=False),
    NEWCOMER: Kind(lambda *_: None, move_ends=False),
    VOID: Kind(partial(of_sides, VOID), move_ends=False),
}


def pending(snapshot: GameSnapshot, kind: str) -> Question | None:
    """Return the open question of a kind, to undo a move, for a draw or to call the game off."""
    asked = stored(snapshot.game, kind)
    if asked is None or asked.get("asker") not in snapshot.seating.places:
        return None
    return KINDS[kind].of(snapshot, [asked["asker"]], asked.get("agreed", ()))


@dataclass(frozen=True)
class SeatRequest:
    """A request to take an absent person off ``seat``: for a computer or anybody, by the holder of
    ``asker``, or for ``newcomer``, who asks alone. The people ``asked`` have a voice; those who
    have ``agreed`` are no longer among them. The seats ``waiting`` are theirs."""

    seat: SeatKey
    asker: SeatKey
    waiting: Collection[SeatKey]
    asked: Collection[UUID]
    agreed: Collection[UUID]
    newcomer: UUID | None
    computer: bool


def pending_moves(snapshot: GameSnapshot) -> list[Question]:
    game = snapshot.game
    if not (game.questions or game.undo_request or game.banner):
        return []
    return [question for kind in MOVES if (question := pending(snapshot, kind))]


def pending_request(snapshot: GameSnapshot, kind: str) -> SeatRequest | None:
    """Return the open request for a seat. It ends when the absent person moves, or is seen where
    the site may have passed the turn."""
    game, asked, seating = snapshot.game, stored(snapshot.game, kind), snapshot.seating
    if not asked or asked.get("seat") not in seating.places or game.over:
        return None
    if kind == SEAT and asked.get("newcomer"):
        # Before 1.0 one opponent could agree to it. The newcomer may ask again.
        return None
    seat, lapses = str(asked["seat"]), LAPSES_SLOWLY if is_slow(game) else LAPSES
    if kind == NEWCOMER and datetime.fromisoformat(asked["since"]) + lapses < datetime.now(UTC):
        return None
    since = game.ply if is_timed_by_turns(game) else asked.get("ply", game.ply)
    moved = any(move.seat == seat for move in snapshot.moves[since:])
    free = asked.get("computer") and seating.places[seat].empty
    if moved or not (seating.people_on(seat) or snapshot.spec(seat).secret or free):
        return None
    waiting = asked.get("waiting", ())
    # Before 1.0 a request named only the seats that had to agree.
    holders = {player for key in waiting for player in seating.people_on(key)}
    return SeatRequest(
        seat=seat,
        asker=asked["asker"],
        waiting=waiting,
        asked=[UUID(player) for player in asked["asked"]] if "asked" in asked else [*holders],
        agreed=[UUID(player) for player in asked.get("agreed", ())],
        newcomer=UUID(asked["newcomer"]) if asked["newcomer"] else None,
        computer=bool(asked.get("computer")),
    )


def pending_requests(snapshot: GameSnapshot) -> dict[str, SeatRequest]:
    game = snapshot.game
    if not (game.questions or game.freeing or game.newcomer):
        return {}
    found = {kind: pending_request(snapshot, kind) for kind in SEATS}
    return {kind: request for kind, request in found.items() if request}


def stored(game: Game, kind: str) -> Stored | None:
    """Return a stored question, also where the version before had it."""
    if kind == NEWCOMER:
        return game.newcomer
    for question in game.questions or ():
        if question["kind"] == kind:
            return dict(question)
    if kind == UNDO and game.undo_request:
        return {"asker": game.undo_request["asker"], "agreed": game.undo_request["accepted"]}
    banner = game.banner or {}
    if kind == DRAW and "draw" in banner:
        return {"asker": banner["draw"]}
    return game.freeing if kind == SEAT else None


def storing(game: Game, kind: str, question: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the columns of a game with a question in place of the last of its kind."""
    if kind == NEWCOMER:
        return {"newcomer": question}
    others = [old for old in game.questions or () if old["kind"] != kind]
    new = [{**question, "kind": kind}] if question else []
    changes: dict[str, Any] = {"questions": [*others, *new] or None}
    old = {UNDO: "undo_request", SEAT: "freeing"}.get(kind)
    if old and getattr(game, old):
        changes[old] = None
    if kind == DRAW and "draw" in (game.banner or {}):
        changes["banner"] = None
    return changes


def after_a_move(game: Game) -> list[Stored] | None:
    """Return the stored questions that a move does not end."""
    if not game.questions:
        return None
    return [old for old in game.questions if not KINDS[old["kind"]].move_ends] or None


def can_call_off(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may ask to call a running game off: people
    must have seats on other sides, since a loss to computers stays one."""
    running = snapshot.game.begun and not snapshot.game.over
    return bool(held and running and opponents(snapshot, held) & snapshot.seating.people())


def can_offer(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may offer a draw: the game must allow draws
    by agreement and have one other side, held by people."""
    if not snapshot.rules.draws or not can_call_off(snapshot, held):
        return False
    people = snapshot.seating.people()
    two = len({spec.side for spec in snapshot.specs}) == 2
    return two and people.issuperset(opponents(snapshot, held))


def opponents(snapshot: GameSnapshot, held: Collection[SeatKey]) -> set[SeatKey]:
    sides = {snapshot.spec(key).side for key in held}
    return {spec.key for spec in snapshot.specs if spec.side not in sides}


def asking(question: Question, ply: int, seat: Text | str) -> Text:
    """Return the sentence of a question about the game on the board after ``ply`` moves."""
    if question.kind == DRAW:
        return text("%(seat)s offers a draw.", seat=seat)
    if question.kind == VOID:
        return text("%(seat)s wants to call the game off. It would count for nobody.", seat=seat)
    return ntext(
        "%(seat)s wants to take back %(n)s move.",
        "%(seat)s wants to take back %(n)s moves.",
        n=ply - question.ply,
        seat=seat,
    )


def taken_back(seat: Text, moves: int) -> Text:
    """Return the banner of ``moves`` that were taken back for ``seat``."""
    return ntext(
        "%(seat)s took back %(n)s move.", "%(seat)s took back %(n)s moves.", n=moves, seat=seat
    )


def banner_for(banner: Text, held: Collection[SeatSpec]) -> Text:
    """Return a banner for the holder of the seats ``held``: one's own undo is about one's own move,
    whatever was taken back with it. On a shared device the seat is told."""
    is_undo = banner.message == taken_back(banner, 1).message
    if is_undo and [banner.params["seat"]] == [spec.name for spec in held]:
        return text("You took back your move.")
    return banner
