"""The values of positions, and the positions that wait for them, for hints and analyses."""

from __future__ import annotations

from django.db import models

from games.models.games import Game
from games.models.players import StoredRow


class Evaluation(StoredRow):
    """The position after ``ply``, requested by people and waiting for a worker, which stores its
    values in `PositionValues` and removes the row. ``move_id`` names the move that led to it (0:
    the start), since moves can be undone.

    ``line`` is null for a position of the game itself. For one in which moves are tried out it
    holds those before it as text (`games.state.variations`), '' for none. Then ``move_id`` is a
    negative number that stands for them, and the values of all moves are stored."""

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="evaluations", db_index=False
    )
    ply = models.PositiveIntegerField()
    move_id = models.BigIntegerField()
    line = models.JSONField(null=True, blank=True)
    hint = models.BooleanField(default=False)
    asked = models.DateTimeField(auto_now_add=True)
    # When a reader last waited for this position; such positions are evaluated before all others.
    looked_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    # Both as in `Game`.
    leased_by = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    origin = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    # Whether its first values are stored, estimates to be replaced by better ones.
    glanced = models.BooleanField(null=True, blank=True)
    # Of version 1.0, as rows that are done: they stay until the next minor version.
    done = models.BooleanField(default=False)
    packed = models.JSONField(null=True, blank=True)
    seen = models.DateTimeField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        ordering = ["ply"]
        constraints = [
            models.UniqueConstraint(fields=["game", "ply", "move_id"], name="evaluation_once")
        ]
        indexes = [
            models.Index(
                fields=["asked", "ply"],
                condition=models.Q(done=False, hint=True),
                name="games_hint_waiting",
            ),
            models.Index(
                fields=["ply", "asked"],
                condition=models.Q(done=False, hint=False),
                name="games_ply_waiting",
            ),
            models.Index(
                fields=["-looked_at"],
                condition=models.Q(done=False, hint=False, looked_at__isnull=False),
                name="games_looked_at_waiting",
            ),
        ]


class Thought(StoredRow):
    """A position that is not stored, for which a class's page waits: a worker adds the ``move`` of
    a level, '' if it fails, and the page takes the row. ``id`` hashes the question."""

    id = models.CharField(primary_key=True, max_length=32)
    kind = models.CharField(max_length=40)
    setup = models.JSONField()
    moves = models.JSONField()
    level = models.PositiveSmallIntegerField()
    move = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    asked = models.DateTimeField(auto_now_add=True)
    # As in `Game`.
    leased_until = models.DateTimeField(null=True, blank=True)
    leased_by = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    origin = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001


class PositionValues(StoredRow):
    """The values of a game's positions as one block: see `games.state.evaluations`."""

    # No constraint in the database, as for `Insight`.
    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    block = models.BinaryField()
    # When a page last showed it, to the day.
    seen = models.DateTimeField()

    class Meta(StoredRow.Meta):
        verbose_name_plural = "values of games"


class Analysis(StoredRow):
    """The values of a finished game as version 1.0 has stored them. Nothing reads them; the rows
    stay until the next minor version, for those who go back."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")
    packed = models.BinaryField()
    seen = models.DateTimeField()

    class Meta(StoredRow.Meta):
        verbose_name_plural = "analyses"
