"""The feed of the puzzles of the last days, and the printable sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.contrib.syndication.views import Feed
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.presentation.jinja import translate_value
from games.presentation.pictures import public_picture
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.views import entries_of_visitor
from games.state.snapshot import Standing
from games.web.client_address import client_address
from games.web.request import HttpRequest

DAYS = 14
ON_SHEET = 6


@dataclass(frozen=True)
class Daily:
    """The puzzle of a day."""

    day: date
    entry: Entry


class DailyFeed(Feed):  # type: ignore[type-arg]
    """An Atom feed of the puzzles of the last days."""

    feed_type = Atom1Feed
    title = gettext_lazy("Puzzle of the day")
    subtitle = gettext_lazy("A position a day, each with a proved solution.")
    link = reverse_lazy("puzzles")

    def items(self) -> list[Daily]:
        today = timezone.localdate()
        days = [today - timedelta(days=back) for back in range(DAYS)]
        return [Daily(day, entry) for day in days if (entry := catalogue.of_the_day(day))]

    def item_title(self, item: Daily) -> str:
        return gettext("%(game)s, %(day)s") % {
            "game": translate_value(item.entry.rules.name),
            "day": item.day.isoformat(),
        }

    def item_description(self, item: Daily) -> str:
        return translate_value(item.entry.task)

    def item_link(self, item: Daily) -> str:
        return item.entry.get_absolute_url()

    def item_guid(self, item: Daily) -> str:
        return f"puzzle-of-the-day-{item.day.isoformat()}"

    def item_pubdate(self, item: Daily) -> datetime:
        return datetime.combine(item.day, time(), UTC)

    item_updateddate = item_pubdate


@require_safe
def sheet(request: HttpRequest) -> HttpResponse:
    """Return a sheet of six puzzles for printing, with the solutions on the back. ``?kind=``
    chooses a game; every day has another sheet."""
    PICTURES_PER_ADDRESS.hit(client_address(request))
    chosen = _of_sheet(request.GET.get("kind", ""), timezone.localdate())
    rows = [(entry, _picture(entry), entry.puzzle.solution) for entry in catalogue.readable(chosen)]
    return render(request, "puzzles/sheet.html", {"rows": rows, "day": timezone.localdate()})


def _of_sheet(slug: str, day: date) -> Sequence[Entry]:
    kinds = catalogue.kinds_with_puzzles()
    kinds = [rules for rules in kinds if rules.slug == slug] or kinds
    listed = [entries for rules in kinds if (entries := entries_of_visitor(rules))]
    return (
        [
            entries[(day.toordinal() * ON_SHEET + place) * 7 % len(entries)]
            for place in range(ON_SHEET)
            if (entries := listed[place % len(listed)])
        ]
        if listed
        else []
    )


def _picture(entry: Entry) -> SafeString:
    return public_picture(entry.rules, Standing.of(entry.start))
