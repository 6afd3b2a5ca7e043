"""Files whose games are kept for a player, in portions."""

from __future__ import annotations

from django.db import models

from games.models.games import new_game_id
from games.models.players import StoredRow


class GameImport(StoredRow):
    """Files from which a worker keeps games: ``read`` so far, ``known`` before, and the first
    ``faults``, dicts of ``line``, ``column`` and ``text``. Until ``claimed`` a worker or the sender
    has them."""

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    player = models.ForeignKey(
        "games.Player", on_delete=models.CASCADE, related_name="imports", db_constraint=False
    )
    name = models.CharField(max_length=100)
    read = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    cancelled = models.BooleanField(default=False)
    claimed = models.DateTimeField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True)

    class Meta(StoredRow.Meta):
        indexes = [
            models.Index(
                fields=["created"],
                condition=models.Q(ended=None),
                name="games_import_open",
            )
        ]


class ImportPiece(StoredRow):
    """A piece of the archive of an import's files, in the order of ids, until the end: stored as a
    whole, 20 MB would hold the write lock too long."""

    whole = models.ForeignKey(
        GameImport, on_delete=models.CASCADE, related_name="pieces", db_constraint=False
    )
    content = models.BinaryField()

    class Meta(StoredRow.Meta):
        ordering = ["pk"]
