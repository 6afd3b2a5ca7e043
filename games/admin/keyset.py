"""Keyset pagination for the admin: each page is read through an index, however large the table.

The address of a page names a row by the ordering column and the key, and the page begins after that
row or ends before it. No rows are counted or skipped. Filters without an index look through a
window of rows, and the next page continues where the window ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from games.models import Game, Holder, Player

AFTER, BEFORE = "after", "before"
SEPARATOR = "~"
WINDOW = 20_000
"""Rows that a filter without an index looks through for one page."""


class UnindexedFilter(admin.SimpleListFilter):
    """A filter that no index serves. `KeysetChangeList` calls `narrow` on a window of rows."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset

    def narrow(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        raise NotImplementedError


class KeysetChangeList(ChangeList):
    """A page of a list in the order of one indexed column and the key.

    The admin's ``sortable_by`` names the columns that have such an index."""

    after = before = ""
    next_query: str | None = None
    previous_query: str | None = None
    _column: Any

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Model]:
        """Return the rows of all pages. Links to other filters lead to the first page."""
        self.after = self.params.pop(AFTER, self.after)
        self.before = self.params.pop(BEFORE, self.before)
        for name in (AFTER, BEFORE):
            self.filter_params.pop(name, None)
        rows: QuerySet[Model] = super().get_queryset(request, exclude_parameters)
        return rows

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Model]) -> list[Any]:
        """Return an indexed column and the key, both in the same direction."""
        requested = [str(name) for name in super().get_ordering(request, queryset)]
        own = self.model_admin.ordering or ()
        first = next(name for name in [*requested, *own] if name.lstrip("-") in self._indexed())
        sign = "-" if first.startswith("-") else ""
        return [first] if first == f"{sign}pk" else [first, f"{sign}pk"]

    def get_results(self, request: HttpRequest) -> None:
        """Read the rows of the page, and one more to find out whether another page follows."""
        column = str(self.queryset.query.order_by[0])
        self._column = (
            self.opts.pk if column.endswith("pk") else self.opts.get_field(column.lstrip("-"))
        )
        backwards = bool(self.before)
        descending = column.startswith("-") != backwards
        rows = self.queryset.prefetch_related(None).select_related(None)
        rows = rows.reverse() if backwards else rows
        if token := self.before or self.after:
            rows = rows.filter(self._beyond(token, descending=descending))
        keys, edge = self._page(rows, descending=descending)
        found = self.root_queryset.in_bulk(keys[: self.list_per_page])
        rows = [found[key] for key in keys[: self.list_per_page] if key in found]
        further = self._token(rows[-1]) if len(keys) > self.list_per_page and rows else edge
        self._show(rows[::-1] if backwards else rows, further)

    def matching(self) -> QuerySet[Any]:
        """Return the rows of all pages, by filters with and without an index."""
        rows: QuerySet[Any] = self.queryset
        for spec in self._narrowing():
            rows = spec.narrow(rows)
        return rows

    def _narrowing(self) -> list[UnindexedFilter]:
        specs = (spec for spec in self.filter_specs if isinstance(spec, UnindexedFilter))
        return [spec for spec in specs if spec.value()]

    def _page(self, rows: QuerySet[Model], *, descending: bool) -> tuple[list[Any], str]:
        """Return the keys of a page and the one after them, and the end of the window, if there is
        one."""
        narrowing = self._narrowing()
        edge = ""
        if narrowing:
            # The index of the ordering covers this query, so no row is read.
            last: Any = rows.values_list(self._column.attname, "pk")[WINDOW : WINDOW + 1]
            edge = next((_token(value, key) for value, key in last), "")
        if edge:
            rows = rows.filter(self._beyond(edge, descending=not descending, inclusive=True))
        for spec in narrowing:
            rows = spec.narrow(rows)
        return list(rows.values_list("pk", flat=True)[: self.list_per_page + 1]), edge

    def _beyond(self, token: str, *, descending: bool, inclusive: bool = False) -> Q:
        """Return the filter for the rows after the row of a token, optionally including that row.
        Raises IncorrectLookupParameters."""
        name, lookup = self._column.attname, "lt" if descending else "gt"
        value, _, key = token.partition(SEPARATOR)
        try:
            stored = self._column.to_python(value)
            pk = self.opts.pk.to_python(key)
        except ValidationError as error:
            raise IncorrectLookupParameters from error
        if isinstance(stored, datetime) and stored.tzinfo is None:
            raise IncorrectLookupParameters
        # The first condition is implied by the second, but lets the database use the index.
        return Q(**{f"{name}__{lookup}e": stored}) & (
            Q(**{f"{name}__{lookup}": stored})
            | Q(**{name: stored, f"pk__{lookup}{'e' * inclusive}": pk})
        )

    def _show(self, rows: Sequence[Model], further: str) -> None:
        """Set the values that the templates read. ``further`` is the first row beyond the
        window."""
        self.result_list = rows
        self.result_count = self.full_result_count = len(rows)
        self.show_full_result_count, self.show_admin_actions = False, True
        self.can_show_all = self.multi_page = False
        self.paginator = None
        first = self._token(rows[0]) if rows else self.after
        last = self._token(rows[-1]) if rows else self.before
        if self.before:
            self.previous_query = self._link(BEFORE, further)
            self.next_query = self._link(AFTER, last)
        else:
            self.next_query = self._link(AFTER, further)
            self.previous_query = self._link(BEFORE, first) if self.after else None

    def _link(self, name: str, token: str) -> str | None:
        return self.get_query_string({name: token}) if token else None

    def _indexed(self) -> set[str]:
        return {*(self.model_admin.sortable_by or ()), "pk"}

    def _token(self, row: Model) -> str:
        return _token(getattr(row, self._column.attname), row.pk)


def _token(value: Any, key: Any) -> str:
    stored = value.isoformat() if isinstance(value, datetime) else str(value)
    return f"{stored}{SEPARATOR}{key}"


PLAYERS_FOUND = 200
PLAYERS_WITH_GAMES = 10
"""The number of found players whose games are listed, and of the newest games of each."""
GAMES_OF_PLAYER = 50
_GAME_ADDRESS = re.compile(r"/g/(\w+)")
_LAST = "\U0010ffff"
"""A character that sorts after every character of a name."""


def find_players(term: str) -> list[UUID]:
    """Return the ids of the player with this id, or of the players whose names begin with this
    text."""
    term = term.strip()
    try:
        return [UUID(term)]
    except ValueError:
        pass
    folded = " ".join(term.casefold().split())
    exact = Player.objects.filter(name_folded=folded) if folded else Player.objects.none()
    keys = list(exact.values_list("pk", flat=True)[:PLAYERS_FOUND])
    others = _named(folded).values_list("pk", flat=True)[:PLAYERS_FOUND] if folded else []
    return list(dict.fromkeys([*keys, *others]))[:PLAYERS_FOUND]


def _named(prefix: str) -> QuerySet[Player]:
    """Return the players whose folded names begin with ``prefix``. A range is compared instead of
    LIKE: SQLite's LIKE ignores case and therefore uses no index, and PostgreSQL would need an index
    of its own for it."""
    if connection.vendor == "sqlite":
        return Player.objects.filter(name_folded__gte=prefix, name_folded__lt=prefix + _LAST)
    return Player.objects.filter(name_folded__startswith=prefix)


def find_games(term: str) -> list[str]:
    """Return the ids of the game with this id or address, and of the newest games of found
    players."""
    address = _GAME_ADDRESS.search(term)
    if address:
        return [address[1]]
    held: list[int] = []
    for player in find_players(term)[:PLAYERS_WITH_GAMES]:
        newest = Holder.objects.filter(player=player).order_by("-id")
        held += newest.values_list("pk", flat=True)[:GAMES_OF_PLAYER]
    games = Game.objects.filter(seats__holders__in=held).values_list("pk", flat=True)
    return list(dict.fromkeys([term.strip(), *games]))
