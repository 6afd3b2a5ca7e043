"""The analyses of finished games: their evaluations are united in one row each. A kind without
values has notes on moves instead, which a worker writes."""

from __future__ import annotations

from contextlib import suppress

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.contract import Text
from games.models import Analysis, Evaluation, Game, Move
from games.services.versions import save_without_activity
from games.state.evaluations import present_evaluations
from games.state.packed_values import pack_together, shorten
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction


def unite_evaluations(*, evaluation: Evaluation) -> None:
    """Store the values of a finished game's positions in one row in place of their own, if
    ``evaluation`` was the last that the game waited for."""
    is_over = Q(pk=evaluation.game_id, status=Game.Status.OVER)
    waits = Evaluation.objects.filter(game=OuterRef("pk"), done=False, line__isnull=True)
    if not Game.objects.filter(is_over, ~Exists(waits)).exists():
        return
    # A game that was deleted meanwhile, or whose kind is gone, has no analysis.
    with write_transaction(), suppress(Game.DoesNotExist):
        _unite(lock_snapshot(evaluation.game_id))


def _unite(snapshot: GameSnapshot) -> None:
    found = {row.ply: row for row in present_evaluations(snapshot) if row.done}
    rows = [row.pk for row in found.values() if row.pk]
    if not rows or len(found) <= len(snapshot.moves):
        return
    played = [*(move.text for move in snapshot.moves), ""]
    packed = [shorten(found[ply].packed, move) for ply, move in enumerate(played)]
    Analysis.objects.update_or_create(
        game=snapshot.game, defaults={"packed": pack_together(packed), "seen": timezone.now()}
    )
    Evaluation.objects.filter(pk__in=rows).delete()


def ask_reviews(snapshot: GameSnapshot) -> None:
    """Request notes on the moves of a game that ends, if its kind has any; the caller holds the
    transaction."""
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
    """Store the note on a move, None to leave it as it is. Once no move is left, the game has a new
    version, which shows the notes."""
    with write_transaction():
        if note is not None:
            Move.objects.filter(pk=evaluation.move_id).update(note=note.to_json())
        Evaluation.objects.filter(pk=evaluation.pk).delete()
        if not Evaluation.objects.filter(game=evaluation.game_id, done=False).exists():
            save_without_activity(lock_snapshot(evaluation.game_id))
