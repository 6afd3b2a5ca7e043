"""Channels, by which a player is told of a turn, and the turns that were told."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

HOOK_LENGTH = 500


class Channel(models.Model):
    """A way to a player away from the site. A player may have several, of several kinds."""

    # Of the browser that set it: a worker has no request to read them from.
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=10)
    # Notices in a row that did not arrive.
    failures = models.PositiveSmallIntegerField(default=0)

    owner: ClassVar[str] = "player"
    """The lookup of the player."""

    class Meta:
        abstract = True


class WebHook(Channel):
    """The address to which the site posts that it is a player's turn."""

    player = models.OneToOneField("games.Player", on_delete=models.CASCADE, related_name="web_hook")
    url = models.CharField(_("address"), max_length=HOOK_LENGTH)

    def __str__(self) -> str:
        return str(self.player_id)


class ToldTurn(models.Model):
    """That a player was told of a turn in a game: written before the notice is sent, so that none
    is sent twice."""

    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="told_turns")
    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, db_index=False, related_name="told_turns"
    )
    told = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.player_id}"
