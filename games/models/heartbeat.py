"""The heartbeat of the site, without which clocks do not run."""

from __future__ import annotations

from django.db import models


class Heartbeat(models.Model):
    """The last moment of something that runs now and then: a serving process is known to have run
    at that of ``ONLY``; a worker began to verify all games, and had verified them."""

    ONLY, VERIFYING, VERIFIED = 1, 2, 3

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"alive at {self.at:%H:%M:%S}"
