"""The stored values of games, and notes on moves for kinds without values."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from games.contract import Text
from games.models import Evaluation, Game, Move, PositionValues
from games.services.versions import save_without_activity
from games.state.evaluations import Values, read_block, write_block
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction


def store_values(*, evaluation: Evaluation, values: Values, done: bool) -> None:
    """Store the values of a position that waits. Unless it is ``done``, it waits for better ones.
    Nothing is stored for a game or a move that is gone."""
    with write_transaction():
        row = Evaluation.objects.filter(pk=evaluation.pk)
        if done:
            found, _ = row.delete()
        else:
            found = row.update(glanced=True, leased_until=None)
        if found:
            _change_block(evaluation.game_id, {str(evaluation.move_id): values})


def forget_values(game_id: str) -> None:
    """Remove the values of moves that were taken back: where keys begin anew, as in a copy of the
    database, another move might get theirs. The caller holds the transaction."""
    if PositionValues.objects.filter(pk=game_id).exists():
        _change_block(game_id, {})


def _change_block(game_id: str, changes: Mapping[str, Values]) -> None:
    # The row of values need not exist yet, so that of the game is locked.
    Game.objects.select_for_update().get(pk=game_id)
    moves = {0, *Move.objects.filter(game=game_id).order_by().values_list("pk", flat=True)}
    found = {**read_block(game_id), **changes}
    kept = {key: values for key, values in found.items() if int(key) < 0 or int(key) in moves}
    PositionValues.objects.update_or_create(
        pk=game_id, defaults={"block": write_block(kept), "seen": timezone.now()}
    )


def ask_reviews(snapshot: GameSnapshot) -> None:
    """Request notes on a game that ends, if its kind has any, in the caller's transaction."""
    looks_at = snapshot.rules.reviews
    if looks_at is None:
        return
    wanted = [
        Evaluation(game=snapshot.game, ply=move.ply, move_id=move.id)
        for move in snapshot.moves
        if looks_at(move.text)
    ]
    Evaluation.objects.bulk_create(wanted, ignore_conflicts=True)


def store_review(*, evaluation: Evaluation, note: Text | None) -> None:
    """Store the note on a move, if any; a new version shows all of them after the last."""
    with write_transaction():
        if note is not None:
            Move.objects.filter(pk=evaluation.move_id).update(note=note.to_json())
        Evaluation.objects.filter(pk=evaluation.pk).delete()
        if not Evaluation.objects.filter(game=evaluation.game_id, done=False).exists():
            save_without_activity(lock_snapshot(evaluation.game_id))
