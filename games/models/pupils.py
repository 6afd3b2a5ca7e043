"""Classes of pupils, and how their own programs did. No row is joined to a player."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.games import new_game_id
from games.models.players import StoredRow

NICKNAME_LENGTH = 20


class SchoolClass(models.Model):
    """A class whose pupils hand in by one secret link, and whose teacher reads by another one. As
    for the link of a seat, only hashes of the tokens are stored."""

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    exercise = models.CharField(_("exercise"), max_length=40)
    hand_in_salt = models.CharField(max_length=40)
    hand_in_hash = models.CharField(max_length=64, unique=True)
    results_salt = models.CharField(max_length=40)
    results_hash = models.CharField(max_length=64, unique=True)
    closed = models.BooleanField(_("closed"), default=False)
    created = models.DateTimeField(_("created"), default=timezone.now)
    # When a pupil last handed in; at first when the class was made.
    reported = models.DateTimeField(_("handed in"), default=timezone.now)

    class Meta:
        default_permissions = ("view",)
        verbose_name = _("class of pupils")
        verbose_name_plural = _("classes of pupils")
        indexes = [models.Index(fields=["created", "id"], name="games_class_created")]

    def __str__(self) -> str:
        return f"{self.exercise} {self.pk}"


class PupilRow(StoredRow):
    """The last verdict of a pupil, known by the hash of a random key of the pupil's browser."""

    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    key = models.CharField(max_length=64)
    # With a number after an equal name. A name that the teacher gave stays.
    name = models.CharField(max_length=NICKNAME_LENGTH + len(" (100)"))
    renamed = models.BooleanField(default=False)
    code = models.CharField(max_length=10)
    right = models.PositiveSmallIntegerField()
    runs = models.PositiveSmallIntegerField()
    at = models.DateTimeField(auto_now=True)

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["school_class", "key"], name="games_pupil_key")
        ]
