"""Bots, players of their own whose programs play for their owners, and tokens of programs."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import NAME_LENGTH, Player, StoredRow

ABOUT_LENGTH = 100


class Bot(StoredRow):
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
    # A keyed hash of the address where it was made: the list of bots has two of each.
    lister = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    # How long the bot of a guest stays on that list: those that were there before 1.1 do.
    listed_until = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta(StoredRow.Meta):
        indexes = [models.Index(fields=["lister", "id"], name="games_bot_lister")]

    def __str__(self) -> str:
        return str(self.player)


class ApiToken(StoredRow):
    """A token of a player, of which only the hash is stored."""

    # No constraint in the database, as for `Insight`.
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="api_tokens", db_constraint=False
    )
    # Unused since 1.1, when the tokens for one seat of a game were deleted.
    game = models.ForeignKey(
        Game,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
    )
    seat = models.CharField(max_length=40, blank=True, default="")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    # Told by quarters of an hour, as for devices.
    used = models.DateTimeField(null=True, blank=True)
    # A stopped token works again once its owner says so.
    stopped = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
