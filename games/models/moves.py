"""Moves of games, one row for each ply."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import Player


class Move(models.Model):
    """One stored move; ``ply`` counts from 1."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.CharField(_("seat"), max_length=40)
    text = models.CharField(_("move"), max_length=80)
    # Null for a computer's move. It has no index, since no query needs one, and no constraint,
    # because of which deleting a player would scan all moves: the player may be gone.
    player = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_index=False,
        db_constraint=False,
        verbose_name=_("player"),
    )
    note = models.JSONField(null=True, blank=True)
    played = models.DateTimeField(_("played"), auto_now_add=True)

    class Meta:
        default_permissions = ()
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["ply"]
        constraints = [models.UniqueConstraint(fields=["game", "ply"], name="ply_once")]

    def __str__(self) -> str:
        return f"{self.ply}. {self.text}"
