"""Marking a move that cannot be taken back, before it is played."""

from __future__ import annotations

from games.contract import Text, text
from games.core.refusals import NotBegun, NotYourSeat, Refusal, StalePly
from games.models import Player
from games.services.versions import save_version
from games.state.marks import step_to_confirm
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

NO_MARK: Text = text("You can’t mark that now.")


def mark_move(
    *, game_id: str, seat: str, move: str, player: Player, ply: int, undone: int = 0
) -> GameSnapshot:
    """Mark a move of ``seat`` in place of the player's earlier mark; '' only removes that mark.

    Repeating a call changes nothing. Raises NotBegun, NotYourSeat, StalePly for an older board, or
    Refusal for a move that need not be marked, before anything is written."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        game = snapshot.game
        if seat not in snapshot.seats_of(player.pk):
            raise NotYourSeat
        if not game.begun:
            raise NotBegun
        if (ply, undone) != (game.ply, game.undone):
            raise StalePly
        if move and step_to_confirm(snapshot.position, seat, move) is None:
            raise Refusal(NO_MARK)
        mark = {"player": str(player.pk), "seat": seat, "move": move}
        if mark in game.marks:
            return snapshot
        marks = [other for other in game.marks if other["player"] != mark["player"]]
        marks += [mark] if move else []
        return save_version(snapshot, marks=marks) if marks != game.marks else snapshot
