"""Channels for notices of turns, and the notices that have been sent."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

HOOK_LENGTH = 500
ENDPOINT_LENGTH = 1_000


class Channel(models.Model):
    """A channel to a player away from the site. A player may have several, of several kinds."""

    # From the browser that set the channel, since a worker has no request to read them from.
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=10)
    # The number of consecutive notices that did not arrive.
    failures = models.PositiveSmallIntegerField(default=0)
    # The last failure, as a word of `games.notices.channels.FAILURES` or an HTTP status.
    last_failure = models.CharField(max_length=20, blank=True, default="", db_default="")
    failed_at = models.DateTimeField(null=True, blank=True)
    # The day of the last notice that arrived.
    used = models.DateField(null=True, blank=True)
    # A stopped channel gets notices again once its owner says so.
    stopped = models.DateTimeField(null=True, blank=True)

    owner: ClassVar[str] = "player_id"
    """The field lookup that leads to the player's id."""

    class Meta:
        default_permissions = ()
        abstract = True


class WebHook(Channel):
    """A web hook: an address to which the site posts notices of turns."""

    player = models.OneToOneField("games.Player", on_delete=models.CASCADE, related_name="web_hook")
    url = models.CharField(_("address"), max_length=HOOK_LENGTH)

    def __str__(self) -> str:
        return str(self.player_id)


class PushSubscription(Channel):
    """A device that shows notices: its address at the push service of the browser vendor."""

    device = models.OneToOneField(
        "games.Device", on_delete=models.CASCADE, related_name="push_subscription"
    )
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    # The browser's public key and a secret, in base64, with which notices are encrypted for it.
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)

    owner: ClassVar[str] = "device__player_id"

    def __str__(self) -> str:
        return str(self.device_id)


class TurnNotice(models.Model):
    """The notice of a turn in a game, which a player gets once. It is claimed before it is sent, so
    that none is sent twice."""

    player = models.ForeignKey(
        "games.Player", on_delete=models.CASCADE, related_name="turn_notices"
    )
    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, db_index=False, related_name="turn_notices"
    )
    claimed = models.DateTimeField(db_column="told")

    class Meta:
        # The names of version 0.1, which hosts may go back to.
        db_table = "games_toldturn"
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="told_once")]

    def __str__(self) -> str:
        return f"{self.game_id} {self.player_id}"
