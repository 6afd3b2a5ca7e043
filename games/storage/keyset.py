"""Keyset pagination: each page of a list is read through an index, however large the table.

The token of a page names a row by the ordering column and the key, and the page begins after that
row or ends before it. No rows are counted or skipped. Conditions without an index look through a
window of rows, and the next page continues where the window ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet

SEPARATOR = "~"
WINDOW = 20_000
"""Rows that conditions without an index look through for one page."""

Narrow = Callable[[QuerySet[Any]], QuerySet[Any]]
"""Adds a condition without an index to a window of rows."""


class Page(NamedTuple):
    """The values of some rows, those of the ordering column and the key first, and the tokens of
    the pages after and before it; '' where there is none."""

    rows: Sequence[tuple[Any, ...]]
    after: str
    before: str


@dataclass(frozen=True)
class Keyset:
    """The order of a list: an indexed column and the key, both in the same direction."""

    column: str = "pk"
    descending: bool = True

    def page(
        self,
        rows: QuerySet[Any],
        size: int,
        *columns: str,
        after: str = "",
        before: str = "",
        narrow: Sequence[Narrow] = (),
        window: int = 0,
    ) -> Page:
        """Return the page after or before the row of a token, with further ``columns``. An invalid
        token stands for the first page."""
        start = self._read(rows, before or after)
        backwards = bool(before and start)
        falling = self.descending != backwards
        rows = rows.order_by(*("-" * falling + name for name in (self.column, "pk")))
        if start:
            rows = rows.filter(self._beyond(start, falling=falling))
        edge = None
        if narrow:
            # The index of the order covers this query, so no row is read.
            last = window or WINDOW
            edge = next(iter(rows.values_list(self.column, "pk")[last : last + 1]), None)
        if edge:
            rows = rows.filter(self._beyond(edge, falling=not falling, inclusive=True))
        for condition in narrow:
            rows = condition(rows)
        found = list(rows.values_list(self.column, "pk", *columns)[: size + 1])
        shown = found[:size]
        further = self._token(shown[-1] if found[size:] else edge)
        if backwards:
            return Page(shown[::-1], self._token(shown[0]) if shown else before, further)
        return Page(shown, further, (self._token(shown[0]) if shown else after) if start else "")

    def _beyond(self, row: Sequence[Any], *, falling: bool, inclusive: bool = False) -> Q:
        name, lookup = self.column, "lt" if falling else "gt"
        value, key = row
        # The first condition is implied by the second, but lets the database use the index.
        return Q(**{f"{name}__{lookup}e": value}) & (
            Q(**{f"{name}__{lookup}": value})
            | Q(**{name: value, f"pk__{lookup}{'e' * inclusive}": key})
        )

    def _read(self, rows: QuerySet[Any], token: str) -> tuple[Any, Any] | None:
        fields = rows.model._meta
        field = fields.pk if self.column == "pk" else fields.get_field(self.column)
        value, _, key = token.rpartition(SEPARATOR)
        try:
            read = field.to_python(value or key), fields.pk.to_python(key)
        except (ValidationError, OverflowError):
            return None
        naive = isinstance(read[0], datetime) and read[0].tzinfo is None
        return None if naive or None in read or "" in read else read

    def _token(self, row: Sequence[Any] | None) -> str:
        if row is None:
            return ""
        value = row[0].isoformat() if isinstance(row[0], datetime) else row[0]
        return str(value) if self.column == "pk" else f"{value}{SEPARATOR}{row[1]}"
