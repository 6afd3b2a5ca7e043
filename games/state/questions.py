"""Questions on the table: what a player of a game asks, and the others answer. Pure.

A game stores its open questions in ``questions``, at most one of a kind: dicts of ``kind``, the
seat ``asker``, those that have ``agreed``, and ``since``; a question for a seat has the values of
`games.state.seat_claims` too. A newcomer's question has the column ``newcomer`` of its own, so that
no stranger blocks the players. `games.services.questions` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from games.contract import TIMEOUT, SeatKey, SeatSpec, Text, ntext, text

if TYPE_CHECKING:
    from games.models import Game
    from games.state.snapshot import GameSnapshot

UNDO, DRAW, SEAT, NEWCOMER, VOID = "undo", "draw", "seat", "newcomer", "void"
MOVES: Final = (UNDO, DRAW)
"""The kinds of questions about moves, which everybody at the board sees."""
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
    """Return a question to undo the last move of ``seats`` and all moves after it; None if they
    have not moved, or if a seat has lost on time since.

    All other players who were active at the ply to go back to have to agree. That includes players
    eliminated since, again in the game then. Computers agree.
    """
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


def draw_of(
    snapshot: GameSnapshot, seats: Collection[SeatKey], agreed: Collection[SeatKey] = ()
) -> Question | None:
    """Return the offer of a draw by ``seats``; None if the game is over."""
    if snapshot.game.over:
        return None
    return Question(DRAW, min(seats), sorted(opponents(snapshot, seats)), agreed)


class Kind(NamedTuple):
    """A kind of question. ``of`` returns it as ``seats`` ask it, with the seats that wait; None for
    a kind with rules elsewhere. A yes of ``all`` who wait grants it, else one. ``move_ends`` says
    that a move ends it."""

    of: Callable[..., Question | None] | None
    all: bool
    move_ends: bool


KINDS: Final[Mapping[str, Kind]] = {
    UNDO: Kind(undo_of, all=True, move_ends=True),
    DRAW: Kind(draw_of, all=False, move_ends=True),
    SEAT: Kind(None, all=True, move_ends=False),
    NEWCOMER: Kind(None, all=True, move_ends=False),
    VOID: Kind(None, all=False, move_ends=False),
}


def pending(snapshot: GameSnapshot, kind: str) -> Question | None:
    """Return the open question of a kind, to undo a move or for a draw."""
    asked, of = stored(snapshot.game, kind), KINDS[kind].of
    if asked is None or of is None or asked["asker"] not in snapshot.seating.places:
        return None
    return of(snapshot, [asked["asker"]], asked.get("agreed", ()))


def stored(game: Game, kind: str) -> Stored | None:
    """Return a question as a game stores it. The version before had a column for each kind, and an
    offer of a draw in the banner."""
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
    return [old for old in game.questions or () if not KINDS[old["kind"]].move_ends] or None


def can_offer(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may offer a draw: the game must allow draws
    by agreement and have one other side, held by people."""
    game, specs = snapshot.game, snapshot.specs
    if not held or not snapshot.rules.draws or game.over or not game.begun:
        return False
    others = opponents(snapshot, held)
    people = snapshot.seating.people()
    return len({spec.side for spec in specs}) == 2 and bool(others) and people.issuperset(others)


def opponents(snapshot: GameSnapshot, held: Collection[SeatKey]) -> set[SeatKey]:
    """Return the seats on the other sides."""
    sides = {snapshot.spec(key).side for key in held}
    return {spec.key for spec in snapshot.specs if spec.side not in sides}


def taken_back(seat: Text, moves: int) -> Text:
    """Return the banner of ``moves`` that were taken back for ``seat``."""
    return ntext(
        "%(seat)s took back %(n)s move.",
        "%(seat)s took back %(n)s moves.",
        n=moves,
        seat=seat,
    )


def banner_for(banner: Text, held: Collection[SeatSpec]) -> Text:
    """Return a banner for the holder of the seats ``held``: one's own undo is about one's own move,
    whatever was taken back with it. On a shared device the seat is told."""
    is_undo = banner.message == taken_back(banner, 1).message
    if is_undo and [banner.params["seat"]] == [spec.name for spec in held]:
        return text("You took back your move.")
    return banner
