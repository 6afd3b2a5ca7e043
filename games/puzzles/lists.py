"""The lists of puzzles: their pages, the feed of the last days, the printable sheet, and the tags
with which templates of other pages show puzzles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import template
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.contract import Rules
from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player
from games.presentation.pictures import public_picture
from games.puzzles import attempts, catalogue
from games.puzzles.catalogue import Entry
from games.state.snapshot import Standing
from games.storage.cache import LRUCache
from games.web.client_address import client_address
from games.web.feeds import SiteFeed
from games.web.request import HttpRequest, parse_ply

register = template.Library()

DAYS = 14
"""Days in the feed."""
ON_SHEET = 6
LISTED = 24
"""Puzzles on a page of a list."""
_pictures: LRUCache[str, SafeString] = LRUCache(256)
"""The boards of puzzles as SVG, by id and language."""


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show the puzzle of the day, the visitor's streak, and the kinds of game with puzzles."""
    today, player = timezone.localdate(), request.get_player()
    daily = catalogue.of_the_day(today)
    context = {
        "daily": daily,
        "daily_picture": picture_of(daily) if daily else "",
        "daily_attempt": daily and attempts.attempts_of(player, [daily.id]).get(daily.id),
        **history_context(player),
        "kinds": _kinds(attempts.solved_by(player)),
    }
    return render(request, "puzzles/puzzles.html", context)


def _kinds(solved: Collection[str]) -> list[dict[str, Any]]:
    found = []
    for rules in catalogue.kinds_with_puzzles():
        entries = entries_of_visitor(rules)
        unsolved = [entry for entry in entries if entry.id not in solved]
        first = next(catalogue.readable([*unsolved, *entries]), None)
        if first:
            picture = picture_of(first)
            found.append({"rules": rules, "count": len(entries), "next": first, "picture": picture})
    return found


@register.inclusion_tag("puzzles/_history.html", name="puzzle_history")
def history_context(player: Player | None) -> dict[str, Any]:
    """Return the values of `_history.html`. Attempts at puzzles that are gone are left out."""
    history = attempts.history_of(player, timezone.localdate())
    found = [(attempt, catalogue.entry_of(attempt.puzzle)) for attempt in history.latest]
    latest = [(attempt, entry, picture_of(entry)) for attempt, entry in found if entry]
    return {"history": history, "latest": latest}


def entries_of_visitor(rules: Rules) -> list[Entry]:
    return catalogue.entries(rules, language_of_visitor())


def language_of_visitor() -> str:
    """Return the language of words on a board, without its region."""
    return (get_language() or settings.LANGUAGE_CODE).split("-")[0]


@require_safe
def kind(request: HttpRequest, slug: str) -> HttpResponse:
    """List the puzzles of a kind of game; ``?theme=`` and ``?grade=`` choose some of them."""
    rules = next((rules for rules in catalogue.kinds_with_puzzles() if rules.slug == slug), None)
    if rules is None:
        raise Http404
    theme, grade = request.GET.get("theme", ""), parse_ply(request.GET.get("grade", ""))
    listed = entries_of_visitor(rules)
    known = attempts.grades(listed)
    listed = [entry for entry in listed if not theme or theme in entry.puzzle.themes]
    listed = [entry for entry in listed if grade < 1 or known[entry.id] == grade]
    page = max(1, parse_ply(request.GET.get("page", "1")))
    shown = listed[LISTED * (page - 1) : LISTED * page]
    player = request.get_player()
    tried = attempts.attempts_of(player, [entry.id for entry in shown])
    solved = attempts.solved_by(player)
    unsolved = (entry for entry in listed if entry.id not in solved)
    context = {
        "rules": rules,
        "themes": rules.puzzles.themes if rules.puzzles else {},
        "grades": range(1, attempts.GRADES + 1),
        "theme": theme,
        "grade": grade,
        "count": len(listed),
        "rows": [
            (entry, picture_of(entry), known[entry.id], tried.get(entry.id))
            for entry in catalogue.readable(shown)
        ],
        "first": LISTED * (page - 1) + 1,
        "next": next(catalogue.readable(unsolved), None),
        "pages": range(1, -(-len(listed) // LISTED) + 1),
        "page": page,
    }
    return render(request, "puzzles/kind.html", context)


@register.inclusion_tag("puzzles/_day.html")
def puzzle_of_the_day(player: Player | None) -> dict[str, Any]:
    today = timezone.localdate()
    daily = catalogue.of_the_day(today)
    streak, solved = attempts.daily_streak(player, today)
    picture = picture_of(daily) if daily else ""
    return {"daily": daily, "daily_picture": picture, "streak": streak, "solved": solved}


@register.inclusion_tag("puzzles/_day_boards.html")
def boards_of_the_day(game: Game | None = None) -> dict[str, Any]:
    """Link to the boards of the day; with a ``game`` to that of its kind, if it may be on it."""
    kinds = [rules for rules in all_rules().values() if rules.day_board]
    if game is not None:
        today = timezone.localdate(game.created) == timezone.localdate()
        kinds = [game.rules] if game.rules.day_board and game.closed and today else []
    return {"kinds": kinds, "one": game is not None}


def picture_of(entry: Entry) -> SafeString:
    """Return the board of a puzzle as SVG. The front page shows the same one all day."""
    key = f"{entry.id} {get_language()}"
    picture = _pictures.get(key)
    return picture or _pictures.put(key, public_picture(entry.rules, Standing.of(entry.start)))


Daily = tuple[date, Entry]


class DailyFeed(SiteFeed):
    """An Atom feed of the puzzles of the last days, among which one may be twice."""

    title = gettext_lazy("Puzzle of the day")
    subtitle = gettext_lazy("A position a day, each with a proved solution.")
    link = reverse_lazy("puzzles")

    def items(self) -> list[Daily]:
        today = timezone.localdate()
        days = [today - timedelta(days=back) for back in range(DAYS)]
        return [(day, entry) for day in days if (entry := catalogue.of_the_day(day))]

    def item_title(self, item: Daily) -> str:
        return gettext("%(game)s, %(day)s") % {
            "game": translate(item[1].rules.name),
            "day": date_format(item[0], "j F Y"),
        }

    def item_description(self, item: Daily) -> str:
        return translate(item[1].task)

    def item_link(self, item: Daily) -> str:
        return f"{item[1].get_absolute_url()}#{item[0].isoformat()}"

    def item_pubdate(self, item: Daily) -> datetime:
        return datetime.combine(item[0], time(), UTC)

    item_updateddate = item_pubdate


@require_safe
def sheet(request: HttpRequest) -> HttpResponse:
    """Return a sheet of six puzzles, another one each day, with the solutions on the back."""
    PICTURES_PER_ADDRESS.hit(client_address(request))
    today = timezone.localdate()
    chosen = catalogue.readable(_of_sheet(request.GET.get("kind", ""), today))
    rows = [(entry, picture_of(entry), entry.puzzle.solution) for entry in chosen]
    return render(request, "puzzles/sheet.html", {"rows": rows, "day": today})


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
