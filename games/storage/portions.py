"""Tables that are read in portions, so that memory does not grow with them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

logger = logging.getLogger(__name__)
AT_ONCE = 100
"""Rows that are in memory at the same time."""


def in_portions(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield the rows in the order of their keys. No cursor stays open meanwhile, so that a slow
    reader holds up no writer."""
    rows = rows.order_by("pk")
    keys = [*rows.values_list("pk", flat=True)[:AT_ONCE]]
    while keys:
        yield readable_rows(rows.filter(pk__in=keys))
        keys = [*rows.filter(pk__gt=keys[-1]).values_list("pk", flat=True)[:AT_ONCE]]


def readable_rows(rows: QuerySet[Any]) -> list[Any]:
    """Return the rows but for those with a value that is none of its column, such as a 13th month:
    SQLite stores any. These are logged."""
    try:
        return [*rows]
    except (TypeError, ValueError):
        found = []
        for key in rows.values_list("pk", flat=True):
            try:
                found += rows.model._default_manager.filter(pk=key)
            except (TypeError, ValueError) as error:
                logger.warning("%s %s is unreadable: %s", rows.model._meta.model_name, key, error)
        return found
