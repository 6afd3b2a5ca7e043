"""Marking a move that cannot be taken back, before it is played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from games.contract import Text, text
from games.core.refusals import NotBegun, Refusal, StalePly
from games.models import Player
from games.services.versions import save_without_activity
from games.state.marks import step_to_confirm
from games.state.snapshot import GameSnapshot, lock_snapshot, locked
from games.storage.write_lock import write_transaction

NO_MARK: Text = text("You can’t mark that now.")


def mark_move(
    *, game_id: str, seat: str, move: str, player: Player, ply: int, undone: int = 0
) -> GameSnapshot:
    """Mark a move of ``seat`` in place of the player's earlier mark; '' only removes that mark.

    Repeating a call changes nothing. Raises NotBegun, NotYourSeat, StalePly for an older board, or
    Refusal for a move that need not be marked, before anything is written."""
    with locked(game_id, player, seat=seat, at=(ply, undone)) as snapshot:
        game = snapshot.game
        if not game.begun:
            raise NotBegun
        if move and step_to_confirm(snapshot.position, seat, move) is None:
            raise Refusal(NO_MARK)
        others = [mark for mark in game.marks if mark["player"] != str(player.pk)]
        mark = {"player": str(player.pk), "seat": seat, "move": move}
        if any(mark.items() < before.items() for before in game.marks):
            return snapshot
        marks = [*others, {**mark, "number": game.version + 1}] if move else others
        if marks == game.marks:
            return snapshot
        # A mark is no move: the game has waited for one all the time.
        return save_without_activity(snapshot, marks=marks)


def is_weighing(snapshot: GameSnapshot, seat: str) -> bool:
    """Return whether the moves that a seat's computer weighs are shown already."""
    return any(not mark["player"] and mark["seat"] == seat for mark in snapshot.game.marks)


def advise(*, snapshot: GameSnapshot, seat: str, moves: Sequence[str]) -> None:
    """Show the moves that a computer would make beside the people on its seat, once a turn to move.

    Raises StalePly if the game has changed."""
    with write_transaction():
        newest = lock_snapshot(snapshot.game.pk)
        game = newest.game
        if (game.ply, game.undone) != (snapshot.game.ply, snapshot.game.undone):
            raise StalePly
        own = [mark for mark in game.marks if mark["player"] or mark["seat"] != seat]
        advised = [{"player": "", "seat": seat, "move": move} for move in moves]
        save_without_activity(
            newest, marks=[*own, *advised], computer_to_move=False, leased_until=None
        )


def mark_weighed(*, snapshot: GameSnapshot, seat: str, moves: Sequence[str]) -> None:
    """Show the moves that a computer weighs, and keep its game leased while people read them.

    Raises StalePly if the game has changed."""
    pause = timedelta(milliseconds=snapshot.rules.ply_pause)
    with write_transaction():
        newest = lock_snapshot(snapshot.game.pk)
        game = newest.game
        if (game.ply, game.undone) != (snapshot.game.ply, snapshot.game.undone):
            raise StalePly
        weighed = [{"player": "", "seat": seat, "move": move} for move in moves]
        save_without_activity(
            newest, marks=[*game.marks, *weighed], leased_until=timezone.now() + pause
        )
