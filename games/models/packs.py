"""The packs of a player: named lists of texts, from which games are dealt."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

PACK_NAME_LENGTH = 30


class Pack(models.Model):
    """A list of texts for the games of one kind.

    ``used`` are the texts that games were dealt in the present round, in the order of ``texts``. As
    for the link of a seat, only a hash of the token is stored; '' and null: there is no link."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="packs")
    kind = models.CharField(_("kind"), max_length=40)
    name = models.CharField(_("name"), max_length=PACK_NAME_LENGTH)
    # '' for a kind of game without languages.
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    texts = models.JSONField(_("words"))
    used = models.JSONField(default=list)
    salt = models.CharField(max_length=40, blank=True, default="")
    hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        default_permissions = ("view", "delete")
        verbose_name = _("word pack")
        verbose_name_plural = _("word packs")
        indexes = [models.Index(fields=["created", "id"], name="games_pack_created")]

    def __str__(self) -> str:
        return self.name

    @property
    def left(self) -> int:
        """The number of texts that no game was dealt in the present round."""
        return len(self.texts) - len(self.used)
