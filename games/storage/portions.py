"""Tables that are read in portions, so that memory does not grow with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

AT_ONCE = 100
"""Rows that are in memory at the same time."""


def in_portions(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield the rows in the order of their keys. No cursor stays open meanwhile, so that a slow
    reader holds up no writer."""
    rows = rows.order_by("pk")
    portion = [*rows[:AT_ONCE]]
    while portion:
        yield portion
        portion = [*rows.filter(pk__gt=portion[-1].pk)[:AT_ONCE]]
