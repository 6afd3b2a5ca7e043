"""The base of the stored rows."""

from __future__ import annotations

from django.db import models


class StoredRow(models.Model):
    """A row for which nobody needs a permission, known by its key."""

    class Meta:
        abstract = True
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self._meta.model_name} {self.pk}"
