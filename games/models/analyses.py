"""Analyses: the values of all positions of a finished game, in one row."""

from __future__ import annotations

from django.db import models

from games.models.games import Game


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
