"""Undo: at once where no other person plays, otherwise by request.

Everybody whose game would change has to accept (see `games.state.undo_requests.request_for`), and
one refusal ends the request. There is one request at a time. An undo gives no time back, and a loss
on time stays."""

from __future__ import annotations

from copy import copy
from typing import Any

from games.bus import notify_changed
from games.contract import SeatKey, Text, text
from games.core.refusals import NotBegun, NotYourSeat, NoUndo, StalePly, TimeUp, UndoAsked
from games.models import Game, NoticeKind, Player
from games.notices.events import note_event
from games.notices.turn_notices import forget_claims
from games.services.clocks import late_move
from games.services.play import save_position
from games.services.versions import save_version
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.state.undo_requests import UndoRequest, pending, request_for, taken_back
from games.storage.write_lock import write_transaction


def ask_undo(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Undo the player's last move and all moves after it, or ask the others to agree. ``ply`` and
    ``undone`` are those of the board that the player saw.

    Raises NoUndo if the rules allow none or the player has not moved, NotYourSeat for a stranger,
    StalePly for an older board, UndoAsked while another player's request is open."""
    with write_transaction():
        snapshot, held = _lock_for(game_id, player, ply, undone)
        request = request_for(snapshot, held) if snapshot.rules.undo else None
        if request is None:
            raise NoUndo
        if snapshot.seating.is_solo(player.pk):
            return _go_back(snapshot, request)
        if snapshot.game.over:
            raise NoUndo
        if not pending(snapshot):
            note_event(snapshot, NoticeKind.UNDO_ASKED, by=player)
        return _ask(snapshot, held, request)


def answer_undo(
    *, game_id: str, player: Player, agree: bool, asker: str, ply: int, undone: int = 0
) -> GameSnapshot:
    """Accept or decline the undo request of the seat ``asker``, or cancel one's own. ``ply`` and
    ``undone`` are those of the board that the player saw.

    Raises NotYourSeat, StalePly if that request is closed, NoUndo if it does not wait for this
    player."""
    with write_transaction():
        snapshot, held = _lock_for(game_id, player, ply, undone)
        request = pending(snapshot)
        if request is None or request.asker != asker:
            raise StalePly
        if not agree and asker in held:
            return _save_request(snapshot, None)
        return _answer(snapshot, request, {*held} & {*request.waiting}, agree=agree)


def _lock_for(
    game_id: str, player: Player, ply: int, undone: int
) -> tuple[GameSnapshot, list[SeatKey]]:
    """Lock a game for a player that has seen its newest board. Raises NotBegun, NotYourSeat,
    StalePly."""
    snapshot = lock_snapshot(game_id)
    if not snapshot.game.begun:
        raise NotBegun
    held = sorted(snapshot.seats_of(player.pk))
    if not held:
        raise NotYourSeat
    if (ply, undone) != (snapshot.game.ply, snapshot.game.undone):
        raise StalePly
    if late_move(snapshot):
        raise TimeUp
    return snapshot, held


def _ask(snapshot: GameSnapshot, held: list[SeatKey], request: UndoRequest) -> GameSnapshot:
    open_request = pending(snapshot)
    if open_request and open_request.asker not in held:
        raise UndoAsked
    if not request.waiting:
        return _go_back(snapshot, request)
    if open_request:
        return snapshot
    return _save_request(snapshot, {"asker": request.asker, "accepted": []})


def _answer(
    snapshot: GameSnapshot, request: UndoRequest, seats: set[SeatKey], *, agree: bool
) -> GameSnapshot:
    if not seats:
        raise NoUndo(text("This request is no longer open."))
    if not agree:
        seat = snapshot.spec(min(seats)).name
        refused = text("%(seat)s declined the takeback.", seat=seat)
        return _save_request(snapshot, None, banner=refused)
    if seats == {*request.waiting}:
        # They have answered at the board, so they get a notice of their next turn without having
        # moved.
        forget_claims(snapshot, [*request.accepted, *seats])
        return _go_back(snapshot, request)
    accepted = [*request.accepted, *sorted(seats)]
    return _save_request(snapshot, {"asker": request.asker, "accepted": accepted})


def _save_request(
    snapshot: GameSnapshot, stored: dict[str, Any] | None, *, banner: Text | None = None
) -> GameSnapshot:
    stored_banner = banner.to_json() if banner else None
    return save_version(snapshot, undo_request=stored, banner=stored_banner)


def _go_back(snapshot: GameSnapshot, request: UndoRequest) -> GameSnapshot:
    """Grant a request. Its banner is announced in place of the move before it, which is not new."""
    game = copy(snapshot.game)
    if game.over:
        # The game will end again, and get another rematch then.
        Game.objects.filter(rematch_of=game.pk).update(rematch_of=None)
    banner = taken_back(snapshot.spec(request.asker).name, game.ply - request.ply)
    game.moves.filter(ply__gt=request.ply).delete()
    game.undone += 1
    save_position(game, snapshot.standing_at(request.ply), request.ply, snapshot.seating)
    game.banner = banner.to_json()
    game.save(update_fields=["banner"])
    notify_changed(game)
    return lock_snapshot(game.id)
