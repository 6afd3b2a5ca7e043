"""The sign of life of the site: clocks stand still while there is none."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """The moment when a serving process was last known to run. There is one row at most."""

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"alive at {self.at:%H:%M:%S}"
