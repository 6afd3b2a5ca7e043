"""The viewer's actions on a game's page, apart from the board's. Pure, like the page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.contract import TIMEOUT, Level, SeatKey, Text
from games.presentation.board import Board
from games.presentation.move_list import MoveList
from games.presentation.player_bars import SeatRow, addresses
from games.presentation.sight import Sight
from games.presentation.turn import Prompts, Turn
from games.presentation.visibility import secret_seats
from games.state.questions import DRAW, SEAT, UNDO, VOID, can_call_off, can_offer
from games.state.replay import StoredMove
from games.state.seat_claims import is_late, is_slow
from games.state.seat_rights import askable, awaits, computer_fits
from games.state.snapshot import GameSnapshot
from games.state.variations import can_restart


@dataclass(frozen=True, kw_only=True)
class HandOver:
    """The value of `_hand_over.jinja` and `_open_secret.jinja`: the secret seat of a shared device
    that is ``opened``, and those to whose players the device can be handed: the seats that are
    ``waited_for``, and the others."""

    opened: SeatRow | None = None
    waited_for: Sequence[SeatRow] = ()
    others: Sequence[SeatRow] = ()


def hand_over(seen: Sight, rows: Sequence[SeatRow], board: Board) -> HandOver:
    """Return the secret seats of a shared device, handed to nobody while one is to act."""
    secret = secret_seats(seen.snapshot.specs, seen.seen_by.seats)
    if not secret or seen.over:
        return HandOver()
    seats = [row for row in rows if row.spec.key in secret]
    opened = next((row for row in seats if row.spec.key == seen.viewpoint), None)
    if opened and board.stage:
        return HandOver(opened=opened)
    seats = [row for row in seats if row is not opened]
    return HandOver(
        opened=opened,
        waited_for=[row for row in seats if row.to_move],
        others=[row for row in seats if not row.to_move],
    )


@dataclass(frozen=True)
class Hints:
    """Hints in a game: ``allowed``, ``offered`` to the viewer now, and why there is none yet."""

    allowed: bool
    offered: bool
    why_not: Text | None


def build_hints(seen: Sight, turn: Turn) -> Hints:
    game, rules = seen.snapshot.game, seen.snapshot.rules
    allowed = seen.live and game.hints and rules.analysis and not game.over
    offered = allowed and turn.mine
    return Hints(allowed, offered, seen.standing.position.why_not_evaluable() if offered else None)


@dataclass(frozen=True, kw_only=True)
class Actions:
    """The value of `_actions.jinja`: the viewer's actions besides moves. After the end a player may
    offer a ``rematch``; once there is one it can be watched at an address, a player with a seat
    there ``goes`` to it, and another one ``joins`` it unless it is full. ``again`` tells of it. An
    undo may have to ask the others. After some wins or losses in a row against computers alone
    another opponent is on ``offer``, and after a loss the analysis opens at the costliest move.
    Where moves take days, the ``next`` game is offered. The end has another ``menu``."""

    menu: str
    again: Text | None
    rematch: bool
    offer: Level | None
    joins: bool
    goes: bool
    watch: str
    analyse: bool
    lost: bool
    undo: bool
    asks: bool
    hint: bool
    next: bool


def actions(
    seen: Sight, turn: Turn, hints: Hints, listed: MoveList, prompts: Prompts, again: Text | None
) -> Actions:
    """Return the viewer's actions; ``again`` tells of the next game."""
    rematch, plays = seen.snapshot.rematch, bool(seen.seen_by.seats)
    return Actions(
        menu="last-menu" if seen.over else "game-menu",
        again=again,
        rematch=plays and seen.over,
        offer=_offer(seen) if seen.over and plays else None,
        joins=plays and seen.seen_by.again != "full",
        goes=seen.seen_by.again in {"mine", "seated"},
        watch=addresses(rematch.id, seen.snapshot.game.kind).game if rematch else "",
        analyse=seen.over and listed.analyse,
        lost=plays and turn.mood == "lost",
        undo=not prompts.has(UNDO) and _can_undo(seen, listed.moves),
        asks=not seen.seen_by.is_solo,
        hint=hints.offered and hints.why_not is None,
        next=plays and seen.live and not (seen.over or turn.mine) and is_slow(seen.snapshot.game),
    )


def _offer(seen: Sight) -> Level | None:
    """Return the opponent to play next, after some wins or losses in a row."""
    offer = seen.snapshot.offer if seen.seen_by.is_solo else None
    return offer.opponent if offer else None


def _can_undo(seen: Sight, moves: Sequence[StoredMove]) -> bool:
    """Return whether the viewer may undo one of the ``moves``, but for those before a lost time."""
    if not seen.live or not seen.snapshot.rules.undo:
        return False
    minds = seen.snapshot.game.over and not seen.seen_by.is_solo
    held = seen.seen_by.seats
    ends = (move for move in reversed(moves) if move.text == TIMEOUT or move.seat in held)
    last = next(ends, None)
    return not minds and last is not None and last.text != TIMEOUT


class FreeableSeat(NamedTuple):
    """A seat that may be freed: its key, its name, and the names of its people, '' for one that is
    free already; ``computer`` says that one may sit there, since the game waits for the seat."""

    key: SeatKey
    name: Text
    people: str
    computer: bool


@dataclass(frozen=True, kw_only=True)
class Menu:
    """The value of `_menu.jinja`: the secondary actions.

    The game is ``shared`` by its address unless it is closed. ``why_no_hint`` is a reason,
    ``devices`` says that all seats of the viewer are one, and ``movable`` is the seat that may
    continue on another device. ``programs`` may play the viewer's seats. After the end the viewer
    ``asks`` the others for another game. The seats ``named`` may be
    renamed, and each of those in ``left`` may be given up, to a ``computer`` too. The seats
    ``freed`` are others', which may be freed if their players are away; the game is ``stuck`` if
    one of them has used up its turn. One of two people ``restarts`` in a new game if the other has
    lost the browser. ``resigns`` is the seat that may resign."""

    shared: bool
    why_no_hint: Text | None
    devices: bool
    movable: SeatKey | None
    programs: bool
    asks: bool
    offers_draw: bool
    calls_off: bool
    speaks: bool
    several: bool
    named: Sequence[SeatRow]
    left: Sequence[SeatRow]
    freed: Sequence[FreeableSeat]
    stuck: bool
    restarts: bool
    computer: bool
    resigns: SeatKey | None


def menu(seen: Sight, hints: Hints, rows: Sequence[SeatRow], prompts: Prompts) -> Menu:
    snapshot, seat, position = seen.snapshot, seen.seat, seen.standing.position
    held, others, running = seen.seen_by.seats, not seen.seen_by.is_solo, not seen.over
    mine, several = [row for row in rows if row.mine], len(held) > 1
    movable = [row.spec.key for row in mine if not row.spec.shared] if several and running else []
    offers_draw = seat is not None and not prompts.has(DRAW) and can_offer(snapshot, held)
    # A stand-in neither ends the game nor passes on the seat of the absent person.
    full = not seen.seen_by.stands_in
    fits = full and computer_fits(snapshot)
    asks = full and bool(held) and not prompts.has(SEAT)
    freed = _freed(snapshot, held, rows, fits) if asks else []
    return Menu(
        shared=not snapshot.game.closed,
        why_no_hint=hints.why_not if hints.offered else None,
        devices=running and len(held) == 1,
        movable=seen.viewpoint if full and seen.viewpoint in movable else None,
        programs=running and bool(held),
        asks=seen.over and others and bool(held),
        offers_draw=offers_draw and full,
        calls_off=full and not prompts.has(VOID) and can_call_off(snapshot, held),
        speaks=seat is not None and others and position.may_speak(seat),
        several=several,
        named=[row for row in mine if row.name is not None] if several else [],
        left=mine if others and not snapshot.game.over else [],
        freed=freed,
        stuck=is_late(snapshot.game) and any(seat.key in snapshot.game.to_move for seat in freed),
        restarts=others and can_restart(snapshot, held),
        computer=fits,
        resigns=seat if full and seat and running and position.is_active(seat) else None,
    )


def _freed(
    snapshot: GameSnapshot, held: Collection[SeatKey], rows: Sequence[SeatRow], fits: bool
) -> list[FreeableSeat]:
    keys = askable(snapshot, held)
    return [
        FreeableSeat(
            row.spec.key,
            row.spec.name,
            ", ".join([name for name, *_ in row.players]),
            computer=fits and awaits(snapshot, [row.spec.key]),
        )
        for row in rows
        if row.spec.key in keys and (row.players or (fits and awaits(snapshot, [row.spec.key])))
    ]
