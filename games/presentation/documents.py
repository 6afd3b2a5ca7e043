"""A game as JSON: the one document of all downloads, exports and answers to programs, whose schema
the site publishes. It holds what everybody may see: without a public setup the view of the viewer's
seat instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from random import Random
from typing import Annotated, Any, Final, Literal

from django.utils.crypto import salted_hmac
from pydantic import BaseModel, ConfigDict, Field

from games.contract import ENDINGS, LONGEST_MOVE, Record, Rules, Text, display_excerpt, text
from games.core.seating import Occupancy, Seating
from games.core.translation import translate
from games.models import NAME_LENGTH, Game
from games.presentation.visibility import Perspective, setup_is_public, view_for, viewpoint
from games.state.replay import StoredMove, Unreadable, read_specs
from games.state.snapshot import GameSnapshot

NEWEST: Final = 2
"""The version of documents that are written; earlier ones are read. A new field raises it."""
MOST_MOVES = 2_000
"""More than the longest game has; see `games.exchange.reading`."""
PRIVATE_OPTIONS = {"text", "pack"}
"""Kinds of options with values that players have not agreed to show."""

_Key = Annotated[str, Field(max_length=40)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeatDocument(_Part):
    """The holders of a seat."""

    names: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[], max_length=100, description="the names of its players"
    )
    ids: list[Annotated[str, Field(max_length=40)]] = Field(
        default=[], max_length=100, description="the ids of its players, for staff alone"
    )
    computer: int | None = Field(default=None, description="the level of its computer")
    adviser: int | None = Field(
        default=None, description="the level of a computer that marks moves beside its players"
    )


class MoveDocument(_Part):
    """A move and its seat."""

    seat: _Key
    move: str = Field(max_length=LONGEST_MOVE, description="in the game's notation; or resign")


class ResultDocument(_Part):
    """How a game ended."""

    winners: list[_Key] = Field(max_length=100, description="seats; none after a draw")
    reason: str = Field(default="", max_length=500, description="a sentence")
    void: bool = Field(default=False, description="whether it was called off, for nobody to count")


class GameValues(_Part):
    """The values of a game in every document."""

    id: str = Field(default="", max_length=16)
    kind: str = Field(max_length=40, description="the name of the kind of game in addresses")
    rules_version: int = 1
    address: str = Field(default="", max_length=300)
    day: str = Field(default="", max_length=10, description="of its beginning, as 2026-11-25")
    event: str = Field(default="", max_length=200, description="of an imported game")
    place: str = Field(default="", max_length=200, description="of an imported game")
    imported: bool = Field(
        default=False, description="whether it began elsewhere or in another game; it counts no win"
    )
    written_result: str = Field(
        default="", max_length=200, description="that of an imported game whose moves do not end it"
    )
    over: bool = False
    options: dict[str, bool | int | str] = {}
    setup: dict[str, Any] | None = Field(
        default=None, description="the size and all chance; null while it has secrets"
    )
    seats: dict[_Key, SeatDocument] = {}
    your_seats: list[_Key] = Field(default=[], max_length=100)
    moves: list[MoveDocument] = Field(default=[], max_length=MOST_MOVES)
    result: ResultDocument | None = None


class GameDocument(GameValues):
    """A game, finished or running, with all its moves."""

    format: Literal["boardsite game"] = "boardsite game"
    version: Literal[1, 2] = NEWEST
    your_moves: list[int] | None = Field(
        default=None, max_length=MOST_MOVES, description="the plies that you have played"
    )
    view: dict[str, Any] | None = Field(
        default=None, description="the position as the viewer's seat sees it, without a setup"
    )
    seal: str = Field(
        default="", max_length=64, description="shows this site that it has written the moves"
    )

    @property
    def right_seal(self) -> str:
        """The seal of the site on the moves; '' without a setup."""
        moves = [[move.seat, move.move] for move in self.moves]
        sealed = json.dumps([self.kind, self.rules_version, self.setup, moves], sort_keys=True)
        return "" if self.setup is None else salted_hmac("games.document", sealed).hexdigest()


def document_of(snapshot: GameSnapshot, seen_by: Perspective, address: str) -> GameDocument:
    """Return a game as the viewer may take it away."""
    document = build_document(
        snapshot.game, snapshot.rules, snapshot.seating, snapshot.moves, address
    )
    document.your_seats = sorted(seen_by.seats)
    if document.setup is None and snapshot.fault is None:
        seat = viewpoint(snapshot.specs, seen_by, snapshot.standing.to_move)
        document.view = plain(view_for(snapshot.position, seat))
    document.seal = document.right_seal
    return document


def build_document(
    game: Game,
    rules: Rules,
    seating: Seating,
    moves: Iterable[StoredMove],
    address: str,
    *,
    secrets: bool = False,
) -> GameDocument:
    """Return a game as everybody may see it, from its rows; with ``secrets`` as some staff may.
    Raises Unreadable, or ValueError for a damaged row."""
    public = secrets or setup_is_public(rules, read_specs(game, rules), over=game.over)
    shown = {o.name for o in rules.options if secrets or o.kind not in PRIVATE_OPTIONS}
    about = game.imported or {}
    return GameDocument(
        id=game.id,
        kind=game.kind,
        rules_version=game.rules_version,
        address=address,
        day=about.get("day", game.created.date().isoformat()),
        event=about.get("event", ""),
        place=about.get("place", ""),
        imported=game.imported is not None,
        written_result="" if game.over else about.get("result", ""),
        over=game.over,
        options={name: value for name, value in game.options.items() if name in shown},
        setup=game.setup if public else None,
        seats={
            key: _seat(place, about.get("names", {}).get(key, ""))
            for key, place in seating.places.items()
        },
        moves=[MoveDocument(seat=move.seat, move=move.text) for move in moves],
        result=result_of(game),
    )


def result_of(game: Game) -> ResultDocument | None:
    try:
        result = game.result
    except ValueError as error:
        raise Unreadable(text("The result of this game is unreadable.")) from error
    if result is None:
        return None
    reason = translate(result.reason)
    return ResultDocument(winners=sorted(result.winners), reason=reason, void=result.void)


def _seat(place: Occupancy, imported: str) -> SeatDocument:
    """Return the holders of a seat, under the ``imported`` name if the shown one begins it."""
    names = [*filter(None, place.players.values())]
    whole = names == [display_excerpt(imported, NAME_LENGTH)]
    return SeatDocument(
        names=[imported] if whole else names, computer=place.computer, adviser=place.adviser
    )


def record_of(document: GameDocument) -> Record | None:
    """Return a document for the formats of other programs; None without its setup."""
    if document.setup is None:
        return None
    seats = document.seats.items()
    return Record(
        options=document.options,
        setup=document.setup,
        moves=[(move.seat, move.move) for move in document.moves],
        names={key: ", ".join(seat.names) for key, seat in seats if seat.names},
        day=document.day,
        event=document.event,
        place=document.place,
        result=document.written_result,
    )


def transcript_of(snapshot: GameSnapshot, ply: int) -> str | None:
    """Return the first moves of a game as text; None for one that its moves alone do not tell:
    with chance or secrets, from another first position, or going on after a player has left."""
    game, rules = snapshot.game, snapshot.rules
    if rules.transcript is None or not setup_is_public(rules, snapshot.specs, over=False):
        return None
    if not snapshot.fault and rules.deal(game.options, Random(0)) != game.setup:
        return None
    moves = [move.text for move in snapshot.moves[:ply]]
    ended = game.over and ply == game.ply
    if ENDINGS.keys() & {*(moves[:-1] if ended else moves)}:
        return None
    heading = rules.transcript.heading(game.setup) if moves else ""
    return heading + rules.transcript.write(moves)


def plain(value: Any) -> Any:
    """Return a view as JSON, with sentences in the language of the page."""
    if isinstance(value, Text):
        return translate(value)
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(part) for part in value]
    return value
