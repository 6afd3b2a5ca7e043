"""Sightings: when the people of a game were last at its page."""

from __future__ import annotations

from django.db import models

from games.models.games import Game
from games.models.players import Player


class Sighting(models.Model):
    """When a player was last seen at a game, of which the player is the host or holds a seat."""

    # No constraint in the database, as for `Insight`.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="sightings", db_constraint=False
    )
    seen = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="sighting_once")]
        indexes = [models.Index(fields=["seen"], name="games_sighting_seen")]

    def __str__(self) -> str:
        return f"{self.player_id} ({self.game_id})"
