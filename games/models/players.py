"""Players: people, known by the signed cookies in their browsers."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 30


class Player(models.Model):
    """An anonymous person, known by the signed cookies of one or more browsers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    # The casefolded name, by which staff search. Folding can turn one letter into three.
    name_folded = models.CharField(
        max_length=3 * NAME_LENGTH, blank=True, default="", editable=False, db_index=True
    )
    # The key in the address of the player's public page; null: there is no page.
    public_id = models.CharField(max_length=16, null=True, blank=True, unique=True, editable=False)
    # A suspended player may watch, but not play.
    suspended = models.BooleanField(_("suspended"), default=False)
    # The reason that staff gave for the suspension, which the player reads; '' for none.
    suspended_for = models.CharField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )
    # The kinds of notices that the player does not want, separated by blanks.
    muted_notices = models.CharField(
        max_length=100, blank=True, default="", db_default="", editable=False
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        default_permissions = ("view",)
        permissions = [
            ("suspend_player", _("Can suspend players and remove their names")),
            ("forget_player", _("Can delete the data of players")),
        ]
        indexes = [models.Index(fields=["created", "id"], name="games_player_created")]

    def __str__(self) -> str:
        return self.name or str(_("Guest"))
