"""Players: people with a browser, known by signed cookies."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 30


class Player(models.Model):
    """A person who plays: anonymous, known by the signed cookies of one or several browsers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    # The name without upper case, by which staff search. Folding makes up to three letters of one.
    name_folded = models.CharField(
        max_length=3 * NAME_LENGTH, blank=True, default="", editable=False, db_index=True
    )
    # The address of the player's public page; null: there is none.
    public_id = models.CharField(max_length=16, null=True, blank=True, unique=True, editable=False)
    # A suspended player may watch, but not play.
    suspended = models.BooleanField(_("suspended"), default=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [models.Index(fields=["created", "id"], name="games_player_created")]

    def __str__(self) -> str:
        return self.name or str(_("Guest"))
