"""Filters for the admin's lists. Each uses an index, or reads a limited window of rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.keyset import UnindexedFilter
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Holder

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
    """A filter for games that need staff: marked with a fault, or waiting too long for a
    computer."""

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
        """Return True: the form is always shown."""
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
