"""The lists of puzzles: their pages, the printable sheet, and the tags
with which templates of other pages show puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from django import template
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.contract import Rules, text
from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.registry import all_rules
from games.models import Game, Player
from games.presentation.pictures import public_picture, render_example
from games.puzzles import attempts, catalogue, ratings
from games.puzzles.catalogue import Entry
from games.state.snapshot import Standing
from games.storage.cache import LRUCache
from games.web.client_address import client_address
from games.web.request import HttpRequest, parse_ply

register = template.Library()

ON_SHEET = 6
LISTED = 24
"""Puzzles on a page of a list."""
KEPT = timedelta(days=30)
"""How long the tasks of a day can be found by it."""
NO_DAY = (
    text("There are no puzzles for that day. Those of the last thirty days are here."),
    reverse_lazy("today"),
    text("Today’s puzzles"),
)
COLOURS = {"🟩": "green", "🟨": "yellow", "🟥": "red", "🟦": "blue", "⬜": "white", "⬛": "black"}
_pictures: LRUCache[str, SafeString] = LRUCache(256)
"""The boards of puzzles as SVG, by id and language."""


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show the puzzles of today, the visitor's streak, and the kinds of game with puzzles."""
    player = request.get_player()
    context = {**history_context(player), "kinds": _kinds(player)}
    return render(request, "puzzles/puzzles.html", context)


def _kinds(player: Player | None) -> list[dict[str, Any]]:
    found, tried = [], attempts.tried_by(player)
    for rules in catalogue.kinds_with_puzzles():
        entries = entries_of_visitor(rules)
        following = ratings.nearest(player, entries, tried)
        if first := following or next(catalogue.readable(entries), None):
            picture = picture_of(first)
            found.append({"rules": rules, "count": len(entries), "next": first, "picture": picture})
    return found


@register.inclusion_tag("puzzles/_history.html", name="puzzle_history")
def history_context(player: Player | None) -> dict[str, Any]:
    """Return the values of `_history.html`. Attempts at puzzles that are gone are left out."""
    history = attempts.history_of(player, timezone.localdate())
    found = [(attempt, catalogue.entry_of(attempt.puzzle)) for attempt in history.latest]
    latest = [(attempt, entry, picture_of(entry)) for attempt, entry in found if entry]
    rating = round(ratings.of_player(player).value)
    return {"history": history, "latest": latest, "rating": rating}


def read_day(written: str) -> date:
    """Return a day whose tasks are kept, '' for today. Raises Http404."""
    today = timezone.localdate()
    with suppress(ValueError):
        day = date.fromisoformat(written) if written else today
        if today - KEPT <= day <= today:
            return day
    raise Http404(*NO_DAY)


def entries_of_visitor(rules: Rules) -> list[Entry]:
    return catalogue.entries(rules, language_of_visitor())


def language_of_visitor() -> str:
    """Return the language of words on a board, without its region."""
    return (get_language() or settings.LANGUAGE_CODE).split("-")[0]


def find_kind(slug: str) -> Rules:
    """Return a kind with puzzles. Raises Http404."""
    rules = next((rules for rules in catalogue.kinds_with_puzzles() if rules.slug == slug), None)
    if rules is None:
        raise Http404
    return rules


@require_safe
def kind(request: HttpRequest, slug: str) -> HttpResponse:
    """List the puzzles of a kind of game; ``?theme=`` and ``?grade=`` choose some of them."""
    rules = find_kind(slug)
    theme, grade = request.GET.get("theme", ""), parse_ply(request.GET.get("grade", ""))
    themes = rules.puzzles.themes if rules.puzzles else {}
    listed = entries_of_visitor(rules)
    known = attempts.grades(listed)
    listed = [entry for entry in listed if not theme or theme in entry.puzzle.themes]
    listed = [entry for entry in listed if grade < 1 or known[entry.id] == grade]
    page = max(1, parse_ply(request.GET.get("page", "1")))
    shown = listed[LISTED * (page - 1) : LISTED * page]
    player = request.get_player()
    tried = attempts.attempts_of(player, [entry.id for entry in shown])
    context = {
        "rules": rules,
        "themes": themes,
        "idea": (idea := themes.get(theme)),
        "picture": render_example(rules, idea) if idea else "",
        "grades": range(1, ratings.GRADES + 1),
        "theme": theme,
        "grade": grade,
        "count": len(listed),
        "rows": [
            (entry, picture_of(entry), known[entry.id], tried.get(entry.id))
            for entry in catalogue.readable(shown)
        ],
        "first": LISTED * (page - 1) + 1,
        "next": ratings.nearest(player, listed, attempts.tried_by(player)),
        "pages": range(1, -(-len(listed) // LISTED) + 1),
        "page": page,
    }
    return render(request, "puzzles/kind.html", context)


@require_safe
def course(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the steps of the course of a kind of game, with the visitor's results."""
    rules, steps = find_kind(slug), catalogue.course(slug)
    if not steps:
        raise Http404
    tried = attempts.attempts_of(request.get_player(), [entry.id for entry in steps])
    rows = [(entry, picture_of(entry), tried.get(entry.id)) for entry in steps]
    left = [entry for entry, _, attempt in rows if not (attempt and attempt.solved)]
    context = {"rules": rules, "rows": rows, "left": left, "solved": len(rows) - len(left)}
    return render(request, "puzzles/course.html", context)


@register.inclusion_tag("puzzles/_day_boards.html")
def boards_of_the_day(game: Game | None = None) -> dict[str, Any]:
    """Link to the boards of the day; with a ``game`` to that of its kind, if it may be on it."""
    kinds = [rules for rules in all_rules().values() if rules.day_board]
    if game is not None:
        today = timezone.localdate(game.created) == timezone.localdate()
        kinds = [game.rules] if game.rules.day_board and game.closed and today else []
    return {"kinds": kinds, "one": game is not None}


@register.filter
def signs(squares: str) -> SafeString:
    """Draw squares in the colours of their signs, for which many devices have no font."""
    colours = ((COLOURS[sign],) for sign in squares if sign in COLOURS)
    return format_html_join("", '<i class="sign {}"></i>', colours)


def picture_of(entry: Entry) -> SafeString:
    """Return the board of a puzzle as SVG. The front page shows the same one all day."""
    key = f"{entry.id} {get_language()}"
    picture = _pictures.get(key)
    return picture or _pictures.put(key, public_picture(entry.rules, Standing.of(entry.start)))


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
