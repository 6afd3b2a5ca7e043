"""The browsers of a player, and the link by which another one joins."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

DEVICE_NAME_LENGTH = 60


class Device(models.Model):
    """A browser of a player: its id is in the browser's signed cookie.

    The only browser of a player needs no row: an id without one is the id of the player.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="devices")
    # Browser and system, as the browser names them.
    name = models.CharField(_("name"), max_length=DEVICE_NAME_LENGTH, blank=True, default="")
    # To the day: nobody needs to know more.
    seen = models.DateField(null=True, blank=True)
    # The row stays, or the id would count as that of a player again.
    signed_out = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name or str(self.pk)


class DeviceLink(models.Model):
    """The link by which one more browser joins a player. As of a seat's link, only a hash is
    stored; without the salt the link is used up."""

    player = models.OneToOneField(
        "games.Player", primary_key=True, on_delete=models.CASCADE, related_name="device_link"
    )
    salt = models.CharField(max_length=40, blank=True, default="")
    hash = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()
    # The browser that used the link, by the hash of its CSRF cookie: a double click sends the form
    # twice, and only one of the answers reaches the page.
    claimant = models.CharField(max_length=64, blank=True, default="")
    device = models.ForeignKey(
        Device, null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )

    def __str__(self) -> str:
        return str(self.player_id)
