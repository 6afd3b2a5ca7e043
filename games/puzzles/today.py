"""Today: a puzzle of each kind of game a day, the same for everybody, with a square for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, groupby
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import DatabaseError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.contract import ntext
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import DayPuzzle, DayWord, Player, PuzzleAttempt
from games.puzzles import attempts, catalogue, day_board, day_word
from games.puzzles.catalogue import Entry
from games.puzzles.lists import KEPT, language_of_visitor, picture_of, read_day, signs
from games.storage.cache import LRUCache
from games.storage.write_lock import write_transaction
from games.web.feeds import SiteFeed
from games.web.request import HttpRequest

register = template.Library()

FIRST = date(2026, 1, 1)
"""The day with the number 1."""
DAYS_A_WEEK, FEED_DAYS = 7, 14
Rows = Mapping[tuple[str, str], str]
"""The ids of a day's puzzles by kind and language."""
_days: LRUCache[date, Rows] = LRUCache(64)


def puzzles_of(day: date, language: str) -> list[Entry]:
    """Return the puzzles of a day: those without words, and those in a language."""
    ids = _rows([day])[day]
    found = [
        ids.get((rules.slug, own))
        for rules in catalogue.kinds_with_puzzles()
        for own in ("", language)
    ]
    return [entry for each in found if each and (entry := catalogue.entry_of(each))]


def is_of_day(entry: Entry, day: date) -> bool:
    return entry.id in _rows([day])[day].values()


def _rows(days: Iterable[date]) -> Mapping[date, Rows]:
    """Return the puzzles of some days. Those of a day without any are chosen and stored."""
    asked = list(days)
    known = {day: rows for day in asked if (rows := _days.get(day))}
    if unknown := [day for day in asked if day not in known]:
        stored = DayPuzzle.objects.filter(day__in=unknown).order_by("day")
        for day, of_day in groupby(stored, key=lambda row: row.day):
            known[day] = {(row.kind, row.language): row.puzzle for row in of_day}
        known |= _store({day: _choices(day) for day in unknown if day not in known})
        for day in unknown:
            _days.put(day, known[day])
    return known


def _store(chosen: Mapping[date, Rows]) -> Mapping[date, Rows]:
    rows = [
        DayPuzzle(day=day, kind=kind, language=language, puzzle=puzzle)
        for day, ids in chosen.items()
        for (kind, language), puzzle in ids.items()
    ]
    # On a full disk the same puzzles are chosen again.
    with suppress(DatabaseError), write_transaction():
        DayPuzzle.objects.bulk_create(rows, ignore_conflicts=True)
    return chosen


def _choices(day: date) -> Rows:
    languages = ("", *dict(settings.LANGUAGES))
    wanted = [
        (rules.slug, language) for rules in catalogue.kinds_with_puzzles() for language in languages
    ]
    return {key: entry.id for key in wanted if (entry := _choice(*key, day))}


def _choice(slug: str, language: str, day: date) -> Entry | None:
    """Return a puzzle for a day: one of the easiest seventh on Monday, of the hardest on Sunday."""
    ranked, weekday = catalogue.ranked(slug, language), day.weekday()
    first, last = (len(ranked) * number // DAYS_A_WEEK for number in (weekday, weekday + 1))
    part = ranked[first:last] or ranked
    place = day.toordinal() // DAYS_A_WEEK % max(1, len(part))
    return next(catalogue.readable(chain(part[place:], part[:place])), None)


def stamp(entry: Entry, day: date) -> str:
    """Return the day on which the page of its puzzle was opened, signed; '' for another puzzle."""
    return Signer(salt=entry.id).sign(day.isoformat()) if is_of_day(entry, day) else ""


def opened_on(entry: Entry, stamped: str) -> date:
    """Return the day on which a page was opened: today, or yesterday by its stamp."""
    today = timezone.localdate()
    with suppress(BadSignature, ValueError):
        day = date.fromisoformat(Signer(salt=entry.id).unsign(stamped))
        if day >= today - timedelta(days=1):
            return day
    return today


def around(entry: Entry, day: date, player: Player | None) -> dict[str, Any]:
    """Return the values of the page of a puzzle that it has on its day alone."""
    entries = puzzles_of(day, entry.puzzle.language or language_of_visitor())
    tried = attempts.attempts_of(player, [each.id for each in entries])
    following = next_of([each for each in entries if each != entry], tried)
    days = attempts.streak_of(player, timezone.localdate())
    told = ntext("%(n)s day in a row", "%(n)s days in a row", n=days)
    return {
        "stamp": stamp(entry, day),
        "squares": signs(squares(entries, tried) + _signs(_beside(day, player))),
        "streak": [told] if days else [],
        "next_address": following.get_absolute_url() if following else reverse("today"),
        "next_label": gettext("Next of today") if following else gettext("Share your squares"),
    }


def squares(entries: Iterable[Entry], tried: Mapping[str, PuzzleAttempt]) -> str:
    return "".join(tried[entry.id].square if entry.id in tried else "⬜" for entry in entries)


def _signs(tasks: Iterable[Beside]) -> str:
    return "".join(task.square for task in tasks)


class Beside(NamedTuple):
    """A task of a day that is no puzzle: the board of the day, or the clue of the day."""

    title: str
    address: str
    square: str


def _beside(day: date, player: Player | None) -> list[Beside]:
    """Return the tasks of a day beside the puzzles, with the player's squares."""
    query = "" if day == timezone.localdate() else f"?day={day}"
    boards = [rules for rules in all_rules().values() if rules.day_board]
    found = [
        Beside(
            gettext("Board of the day: %(game)s") % {"game": translate(rules.name)},
            reverse("day_board", args=[rules.slug]) + query,
            day_board.square_of(rules, day, player),
        )
        for rules in boards
    ]
    language = language_of_visitor()
    rows = DayWord.objects.filter(day=day, language=language).defer("table")
    for row in rows:
        if (rules := all_rules().get(row.kind)) and rules.word_task:
            given = day_word.given_word(player, row)
            square = given.square if given else "⬜"
            address = reverse("day_word", args=[row.kind]) + query
            found.append(Beside(translate(rules.word_task.title), address, square))
    return found


def next_of(entries: Iterable[Entry], tried: Mapping[str, PuzzleAttempt]) -> Entry | None:
    """Return the first puzzle that is not over for the player."""
    return next((entry for entry in entries if squares([entry], tried) == "⬜"), None)


@require_safe
def today(request: HttpRequest, day: str = "") -> HttpResponse:
    """Show the puzzles of today, or of one of the last thirty days."""
    now, player = timezone.localdate(), request.get_player()
    shown = read_day(day)
    context = _context(shown, player)
    earlier = [now - timedelta(days=back) for back in range(1, KEPT.days + 1)]
    language = language_of_visitor()
    _rows(earlier)
    listed = [(other, puzzles_of(other, language)) for other in earlier]
    tried = attempts.attempts_of(player, [entry.id for _, found in listed for entry in found])
    context |= {
        "is_today": shown == now,
        "streak": attempts.streak_of(player, now),
        "lasts": datetime.combine(now + timedelta(days=1), time(), timezone.get_current_timezone()),
        "earlier": [(other, squares(found, tried)) for other, found in listed if found],
    }
    if shown == now and context["squares"].strip("⬜"):
        context["shared"] = _shared(request, shown, context["squares"])
    return render(request, "puzzles/today.html", context)


def _context(day: date, player: Player | None) -> dict[str, Any]:
    entries = puzzles_of(day, language_of_visitor())
    tried = attempts.attempts_of(player, [entry.id for entry in entries])
    at_once = attempts.share_at_once(entry.id for entry in entries)
    beside = _beside(day, player)
    return {
        "day": day,
        "number": (day - FIRST).days + 1,
        "rows": [
            (entry, picture_of(entry), tried.get(entry.id), at_once.get(entry.id))
            for entry in entries
        ],
        "squares": squares(entries, tried) + _signs(beside),
        "beside": beside,
        "next": next_of(entries, tried),
    }


def _shared(request: HttpRequest, day: date, signs: str) -> str:
    """Return the lines to share, without a word of a puzzle."""
    number = (day - FIRST).days + 1
    address = request.build_absolute_uri(reverse("today"))
    return f"{settings.SITE_NAME} #{number}\n{signs}\n{address}"


@register.inclusion_tag("puzzles/_day.html")
def puzzles_of_the_day(player: Player | None) -> dict[str, Any]:
    """Link to the puzzles of today, with the player's squares and streak."""
    now = timezone.localdate()
    context = _context(now, player)
    return context | {"streak": attempts.streak_of(player, now)}


Daily = tuple[date, list[Entry]]


class DailyFeed(SiteFeed):
    """An Atom feed of the puzzles of the last days."""

    title = gettext_lazy("Puzzles of the day")
    subtitle = gettext_lazy("Positions of each day, each with a proved solution.")
    link = reverse_lazy("today")

    def items(self) -> list[Daily]:
        now = timezone.localdate()
        days = [now - timedelta(days=back) for back in range(FEED_DAYS)]
        return [(day, puzzles_of(day, language_of_visitor())) for day in days]

    def item_title(self, item: Daily) -> str:
        return gettext("Puzzles of %(day)s") % {"day": date_format(item[0], "j F Y")}

    def item_description(self, item: Daily) -> str:
        told = [f"{translate(entry.rules.name)}: {translate(entry.task)}" for entry in item[1]]
        return " ".join(told)

    def item_link(self, item: Daily) -> str:
        return reverse("today_of", args=[item[0].isoformat()])

    def item_pubdate(self, item: Daily) -> datetime:
        return datetime.combine(item[0], time(), UTC)

    item_updateddate = item_pubdate
