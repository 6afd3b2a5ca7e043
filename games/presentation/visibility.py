"""Visibility: the one gate from a position to anything that leaves the server.

Pure: no database, no request. By default a viewer sees the least."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from games.contract import Position, Rules, SeatKey, SeatSpec
from games.state.marks import read_marks
from games.state.questions import pending_requests
from games.state.seat_claims import acting_host, stands_in

if TYPE_CHECKING:
    from games.state.snapshot import GameSnapshot


@dataclass(frozen=True, slots=True)
class Viewer:
    """A browser that looks at a game: its player, if it has one; the requested viewpoint; how it
    confirms moves; its language; and whether it shows the ``lobby``, as a ``guest``, free to take a
    seat, or to ``watch``, or '' for the board. ``muted`` hides the messages of other players."""

    player_id: UUID | None = None
    asked: SeatKey | None = None
    confirm: str = "auto"
    language: str = "en"
    lobby: str = ""
    muted: bool = False

    @property
    def is_there(self) -> bool:
        """Whether a player who looks at a game is present there."""
        return True


@dataclass(frozen=True, slots=True)
class Perspective:
    """Everything that a page depends on besides the game. It is equal for viewers with the same
    view.

    ``seats`` are those that the viewer holds; ``is_solo`` says that no other person plays;
    ``place`` is the viewer's among the people on a shared seat, and ``marked`` the move that the
    viewer has marked, or '', and ``mark`` the number of that mark. ``lobby`` is as in `Viewer`, or
    ``host``, or '' if the board is shown; ``hosts`` says that the viewer is the host of a game that
    has begun; ``again`` is ``mine`` if the viewer wants a rematch, ``asked`` if the viewer has to
    answer, ``seated`` in it, or ``full`` without the viewer; ``answers`` are the requests for seats
    that wait for the viewer, and ``stands_in`` says that the viewer sits in for somebody."""

    seats: frozenset[SeatKey] = frozenset()
    asked: SeatKey | None = None
    confirm: str = "auto"
    is_solo: bool = False
    place: int = 0
    language: str = "en"
    lobby: str = ""
    marked: str = ""
    mark: int = 0
    muted: bool = False
    hosts: bool = False
    again: str = ""
    answers: frozenset[str] = frozenset()
    stands_in: bool = False


def perspective(snapshot: GameSnapshot, viewer: Viewer) -> Perspective:
    """Return the perspective of a viewer on a game. Differences without effect are removed: a
    requested seat that the viewer does not hold, and for a viewer without a seat whether other
    people play."""
    if viewer.lobby or not snapshot.game.begun:
        return _in_lobby(snapshot, viewer)
    held, hosts = snapshot.seats_of(viewer.player_id), snapshot.is_host(viewer.player_id)
    if not held or viewer.player_id is None:
        return Perspective(confirm=viewer.confirm, language=viewer.language, hosts=hosts)
    marked, mark = _marked_by(snapshot, viewer.player_id)
    requests = pending_requests(snapshot)
    return Perspective(
        seats=held,
        asked=viewer.asked if viewer.asked in held else None,
        confirm=viewer.confirm,
        is_solo=snapshot.seating.is_solo(viewer.player_id),
        place=_place(snapshot, held, viewer.player_id),
        language=viewer.language,
        marked=marked,
        mark=mark,
        muted=viewer.muted,
        hosts=hosts,
        again=_plays_again(snapshot, viewer.player_id),
        answers=frozenset(
            [kind for kind, request in requests.items() if viewer.player_id in request.asked]
        ),
        stands_in=stands_in(snapshot, viewer.player_id),
    )


def _plays_again(snapshot: GameSnapshot, player_id: UUID) -> str:
    rematch = snapshot.rematch
    if rematch is None:
        return ""
    if rematch.waits and player_id == rematch.host_id:
        return "mine"
    if player_id in rematch.seated:
        return "seated"
    return "asked" if rematch.waits else "full" if rematch.full else ""


def lobby_of(parameter: str | None) -> str:
    """Return the value of ``Viewer.lobby`` for a request, from its parameter ``lobby``."""
    return parameter if parameter in {"guest", "watch"} else ""


def _in_lobby(snapshot: GameSnapshot, viewer: Viewer) -> Perspective:
    """Return the perspective of a viewer on the lobby. Before a game begins nobody sees anything
    else, since a player may still change from a seat with secrets to one without."""
    hosts = viewer.player_id is not None and viewer.player_id == acting_host(snapshot)
    lobby, held = viewer.lobby or "watch", snapshot.seats_of(viewer.player_id)
    return Perspective(
        seats=held,
        place=_place(snapshot, held, viewer.player_id) if viewer.player_id else 0,
        language=viewer.language,
        lobby="host" if hosts and lobby == "guest" else lobby,
    )


def _place(snapshot: GameSnapshot, held: Collection[SeatKey], player_id: UUID) -> int:
    return [*snapshot.seating.places[min(held)].players].index(player_id) if len(held) == 1 else 0


def _marked_by(snapshot: GameSnapshot, player_id: UUID) -> tuple[str, int]:
    # Most games have no marks, so they do not need the position here.
    marks = read_marks(snapshot) if snapshot.game.marks else ()
    own = ((mark.move, mark.number) for mark in marks if mark.player_id == player_id)
    return next(own, ("", 0))


def viewpoint(
    specs: Sequence[SeatSpec], seen_by: Perspective, to_move: Iterable[SeatKey]
) -> SeatKey | None:
    """Return the seat whose view a viewer gets; None for a spectator and in a lobby.

    A seat with secrets must be the only one held, or requested, since a shared device shows the
    public view. Among seats without secrets, the one to move comes first."""
    if seen_by.lobby:
        return None
    held = [spec for spec in specs if spec.key in seen_by.seats]
    if seen_by.asked in {spec.key for spec in held}:
        return seen_by.asked
    if len(held) == 1:
        return held[0].key
    waiting = set(to_move)
    open_seats = [spec.key for spec in held if not spec.secret]
    ready = [key for key in open_seats if key in waiting]
    return next(iter(ready + open_seats), None)


def secret_seats(specs: Sequence[SeatSpec], seats: Collection[SeatKey]) -> list[SeatKey]:
    """Return those of ``seats`` whose own view a shared device opens on demand."""
    held = [spec for spec in specs if spec.key in seats]
    return [spec.key for spec in held if spec.secret] if len(held) > 1 else []


def view_for(position: Position, seat: SeatKey | None) -> Mapping[str, Any]:
    """Return everything that a template gets of ``position`` from a `viewpoint`."""
    return position.view(seat)


def setup_is_public(rules: Rules, specs: Iterable[SeatSpec], *, over: bool) -> bool:
    """Return whether everybody may see the setup: after the end of a game, or if it is a game
    without chance and secrets, whose moves tell everything."""
    return over or not (rules.transcript is None or any(spec.secret for spec in specs))
