"""Bots: players of their own, whose programs play for their owners."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.players import Player

ABOUT_LENGTH = 100


class Bot(models.Model):
    """A player that is a program, and the player whose program it is. Its name ends with
    ``BOT_MARK`` of `games.services.players`."""

    # No constraint in the database, as for `Insight`.
    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, related_name="bot", db_constraint=False
    )
    owner = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="bots", db_constraint=False
    )
    about = models.CharField(_("about"), max_length=ABOUT_LENGTH, blank=True, default="")
    # The slugs of the kinds of game that it plays.
    kinds = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.player)
