"""Evaluations: the values of moves that hints and analyses show, alone or of a whole game."""

from __future__ import annotations

from django.db import models

from games.models.games import Game


class Evaluation(models.Model):
    """The values of the moves in the position after ``ply``, requested by people and stored by a
    worker. ``move_id`` names the move that led to the position (0: the start), since moves can be
    undone.

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
    done = models.BooleanField(default=False)
    # See `games.state.packed_values`; null: no values yet. While ``done`` is False, the values
    # are first estimates, to be replaced by better ones.
    packed = models.JSONField(null=True, blank=True)
    # The day on which a page last showed it.
    seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
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

    def __str__(self) -> str:
        return f"{self.game_id} after {self.ply}"


class Analysis(models.Model):
    """The values of a finished game's positions, which are much alike: together they take a tenth
    of their rows in `Evaluation`, which they replace when the last of them is there."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")
    # See `games.state.packed_values.pack_together`.
    packed = models.BinaryField()
    # When a page last showed it, to the day.
    seen = models.DateTimeField()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"{self.game_id}"
