"""The admin's lists, whose pages follow each other by keyset, their search, and their filters.
Each filter uses an index, or reads a limited window of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Holder, Player
from games.storage.keyset import Keyset

AFTER, BEFORE = "after", "before"


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

    def __init__(self, *arguments: Any) -> None:
        try:
            super().__init__(*arguments)
        except (ArithmeticError, ValueError) as error:
            # A date or number of an address that no database holds.
            raise IncorrectLookupParameters from error

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
        """Read the rows of the page, and the keys of the pages beside it."""
        column = str(self.queryset.query.order_by[0])
        order = Keyset(column.lstrip("-"), descending=column.startswith("-"))
        page = order.page(
            self.queryset.prefetch_related(None).select_related(None),
            self.list_per_page,
            after=self.after,
            before=self.before,
            narrow=[spec.narrow for spec in self._narrowing()],
        )
        found = self.root_queryset.in_bulk([key for _, key in page.rows])
        self.result_list = [found[key] for _, key in page.rows if key in found]
        self.result_count = self.full_result_count = len(self.result_list)
        self.show_full_result_count, self.show_admin_actions = False, True
        self.can_show_all = self.multi_page = False
        self.paginator = None
        self.next_query = self._link(AFTER, page.after)
        self.previous_query = self._link(BEFORE, page.before)

    def matching(self) -> QuerySet[Any]:
        """Return the rows of all pages, by filters with and without an index."""
        rows: QuerySet[Any] = self.queryset
        for spec in self._narrowing():
            rows = spec.narrow(rows)
        return rows

    def _narrowing(self) -> list[UnindexedFilter]:
        specs = (spec for spec in self.filter_specs if isinstance(spec, UnindexedFilter))
        return [spec for spec in specs if spec.value()]

    def _link(self, name: str, token: str) -> str | None:
        return self.get_query_string({name: token}) if token else None

    def _indexed(self) -> set[str]:
        return {*(self.model_admin.sortable_by or ()), "pk"}


PLAYERS_FOUND = 200
PLAYERS_WITH_GAMES = 10
"""The number of found players whose games are listed, and of the newest games of each."""
GAMES_OF_PLAYER = 50
_GAME_ADDRESS = re.compile(r"/g/(\w+)")
_LAST = "\U0010ffff"
"""A character that sorts after every character of a name."""


def find_players(term: str) -> list[UUID]:
    """Return the ids of the player with this id, or of those whose names begin with this text."""
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
    """Return the players whose folded names begin with ``prefix``, through the index: SQLite's LIKE
    ignores case and uses none, so a range is compared there."""
    if connection.vendor == "sqlite":
        return Player.objects.filter(name_folded__gte=prefix, name_folded__lt=prefix + _LAST)
    return Player.objects.filter(name_folded__startswith=prefix)


def find_games(term: str) -> list[str]:
    """Return the ids of the game with this id or address, and of the newest of found players."""
    address = _GAME_ADDRESS.search(term)
    if address:
        return [address[1]]
    held: list[int] = []
    for player in find_players(term)[:PLAYERS_WITH_GAMES]:
        newest = Holder.objects.filter(player=player).order_by("-id")
        held += newest.values_list("pk", flat=True)[:GAMES_OF_PLAYER]
    games = Game.objects.filter(seats__holders__in=held).values_list("pk", flat=True)
    return list(dict.fromkeys([term.strip(), *games]))


WAITS = timedelta(minutes=1)
"""The time after which a game that waits for a computer counts as stuck."""
STUCK_AT_ONCE = 500


class KindFilter(admin.SimpleListFilter):
    """A filter by kind of game, under the names that players know."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(rules.slug, translate(rules.name)) for rules in all_rules().values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


class StatusFilter(UnindexedFilter):
    """A filter by status. It has no index, which every move would have to update."""

    title = gettext_lazy("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(value), str(label)) for value, label in Game.Status.choices]

    def narrow(self, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(status=self.value())


class TroubleFilter(admin.SimpleListFilter):
    """A filter for games that need staff: with a fault, or waiting long for a computer."""

    title = gettext_lazy("trouble")
    parameter_name = "trouble"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("fault", _("Does not replay")), ("stuck", _("Waits for a computer"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        if self.value() == "fault":
            return queryset.filter(fault__isnull=False)
        return queryset.filter(pk__in=_stuck()) if self.value() == "stuck" else queryset


def _stuck() -> list[str]:
    """Return the ids of the games that have waited longest, through the index that workers use."""
    waiting = Game.objects.filter(computer_to_move=True, updated__lt=timezone.now() - WAITS)
    longest = waiting.order_by("only_computers", "updated").values_list("pk", flat=True)
    return list(longest[:STUCK_AT_ONCE])


class EndFilter(admin.SimpleListFilter):
    """A filter for seats by whether their game is still running."""

    title = gettext_lazy("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(value), str(label)) for value, label in Game.Status.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Holder]) -> QuerySet[Holder]:
        if self.value():
            return queryset.filter(ended__isnull=self.value() == Game.Status.RUNNING)
        return queryset


class DayFilter(admin.ListFilter):
    """A filter by date of creation, from one day to another: a small form with two fields."""

    title = gettext_lazy("days")
    template = "admin/games/day_filter.html"

    def __init__(
        self, request: HttpRequest, params: dict[str, list[str]], model: Any, model_admin: Any
    ) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self.expected_parameters():
            if name and name in params:
                self.used_parameters[name] = params.pop(name)[-1]

    def expected_parameters(self) -> list[str | None]:
        return ["from", "to"]

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield the values of the form, together with the other parameters that it preserves."""
        kept = changelist.get_filters_params()
        others = [(name, value) for name, values in kept.items() for value in values]
        if changelist.query:
            others.append(("q", changelist.query))
        yield {
            "days": self.used_parameters,
            "others": [other for other in others if other[0] not in self.expected_parameters()],
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        first, last = (_day(str(self.used_parameters.get(name, ""))) for name in ("from", "to"))
        between = Q()
        if first:
            between &= Q(created__gte=first)
        if last:
            between &= Q(created__lt=last + timedelta(days=1))
        return queryset.filter(between)


def _day(text: str) -> datetime | None:
    """Return the start of a day in UTC, the site's time zone."""
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None
