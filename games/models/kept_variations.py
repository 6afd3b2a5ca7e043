"""Variations of games that players have kept under a name."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game, new_game_id
from games.models.players import Player

VARIATION_NAME_LENGTH, SENTENCE_LENGTH = 60, 300


class KeptVariation(models.Model):
    """The moves ``line`` that a player tried out after ``ply`` moves of a game, as the text of a
    variation, with a name and a sentence about it."""

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    # No constraint in the database, as for `Insight`.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="kept_variations", db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="kept_variations", db_constraint=False
    )
    ply = models.PositiveIntegerField()
    line = models.CharField(max_length=400)
    name = models.CharField(_("name"), max_length=VARIATION_NAME_LENGTH)
    sentence = models.CharField(max_length=SENTENCE_LENGTH, blank=True, default="")
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        default_permissions = ()
        ordering = ["created", "id"]

    def __str__(self) -> str:
        return self.name
