"""The pages of puzzles."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.contract import LONGEST_MOVE, MoveError, Rules, Text, normalize_move, text
from games.core.rate_limits import PICTURES_PER_ADDRESS, PUZZLES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import Player
from games.presentation.pictures import public_picture, public_preview
from games.presentation.sharing import Preview
from games.puzzles import catalogue, records
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import Answer, Challenge, challenge_of, judge
from games.puzzles.page import build_challenge_page, judge_address, read_tried, write_tried
from games.state.snapshot import Standing
from games.storage.cache import LRUCache
from games.views.common import with_player
from games.views.responses import picture_response
from games.web.client_address import client_address
from games.web.forms import parse_ply
from games.web.request import HttpRequest

ON_SHEET = 6
LISTED = 24
"""Puzzles on a page of a list."""
NO_PUZZLE = text("There is no such puzzle.")
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
        "daily_attempt": daily and records.attempts_of(player, [daily.id]).get(daily.id),
        **history_context(player),
        "kinds": _kinds(records.solved_by(player)),
    }
    return render(request, "puzzles/puzzles.html", context)


def _kinds(solved: Collection[str]) -> list[dict[str, Any]]:
    """Return each kind with its number of puzzles and the first one that is not solved."""
    found = []
    for rules in catalogue.kinds_with_puzzles():
        entries = entries_of_visitor(rules)
        unsolved = [entry for entry in entries if entry.id not in solved]
        first = next(catalogue.readable([*unsolved, *entries]), None)
        if first:
            picture = picture_of(first)
            found.append({"rules": rules, "count": len(entries), "next": first, "picture": picture})
    return found


def history_context(player: Player | None) -> dict[str, Any]:
    """Return the values of `_history.html`. Attempts at puzzles that are gone are left out."""
    history = records.history_of(player, timezone.localdate())
    latest = [(attempt, catalogue.entry_of(attempt.puzzle)) for attempt in history.latest]
    return {"history": history, "latest": [pair for pair in latest if pair[1]]}


def entries_of_visitor(rules: Rules) -> list[Entry]:
    """Return the puzzles of a kind in the visitor's language."""
    language = (get_language() or settings.LANGUAGE_CODE).split("-")[0]
    return catalogue.entries(rules, language)


@require_safe
def kind(request: HttpRequest, slug: str) -> HttpResponse:
    """List the puzzles of a kind of game; ``?theme=`` and ``?grade=`` choose some of them."""
    rules = _kind(slug)
    theme, grade = request.GET.get("theme", ""), parse_ply(request.GET.get("grade", ""))
    listed = entries_of_visitor(rules)
    known = records.grades(listed)
    listed = [entry for entry in listed if not theme or theme in entry.puzzle.themes]
    listed = [entry for entry in listed if grade < 1 or known[entry.id] == grade]
    page = max(1, parse_ply(request.GET.get("page", "1")))
    shown = listed[LISTED * (page - 1) : LISTED * page]
    attempts = records.attempts_of(request.get_player(), [entry.id for entry in listed])
    unsolved = (entry for entry in listed if not _is_solved(attempts.get(entry.id)))
    context = {
        "rules": rules,
        "themes": rules.puzzles.themes if rules.puzzles else {},
        "grades": range(1, records.GRADES + 1),
        "theme": theme,
        "grade": grade,
        "count": len(listed),
        "rows": [
            (entry, picture_of(entry), known[entry.id], attempts.get(entry.id))
            for entry in catalogue.readable(shown)
        ],
        "first": LISTED * (page - 1) + 1,
        "next": next(catalogue.readable(unsolved), None),
        "pages": range(1, -(-len(listed) // LISTED) + 1),
        "page": page,
    }
    return render(request, "puzzles/kind.html", context)


def _is_solved(attempt: Any) -> bool:
    return attempt is not None and attempt.solved is not None


def _kind(slug: str) -> Rules:
    found = next((rules for rules in catalogue.kinds_with_puzzles() if rules.slug == slug), None)
    if found is None:
        raise Http404
    return found


def find_entry(puzzle_id: str) -> Entry:
    """Return a puzzle. Raises Http404."""
    entry = catalogue.entry_of(puzzle_id)
    if entry is None:
        raise Http404(NO_PUZZLE)
    return entry


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle after the moves ``tried``, or judge the next ``move`` (POST).

    ``chosen`` are the steps of a half-chosen move, and ``solution`` is the number of moves of the
    solution to show. A visitor's results are recorded, unless there are too many."""
    entry = find_entry(puzzle_id)
    challenge = challenge_of(entry)
    if request.method != "POST":
        return _page(request, entry, challenge)
    if "solution" in request.POST:
        address = f"{entry.get_absolute_url()}?solution=1"
        return _recorded(
            request, address, lambda player: records.record_reveal(player=player, entry=entry)
        )
    try:
        answer = judge_next(request, challenge)
    except MoveError as error:
        return _page(request, entry, challenge, refused=error.text)

    def record(player: Player) -> None:
        right, solved = answer.state != "wrong", answer.state == "solved"
        records.record_try(player=player, entry=entry, right=right, solved=solved)

    return _recorded(request, entry.get_absolute_url() + write_tried(answer.tried), record)


def judge_next(request: HttpRequest, challenge: Challenge) -> Answer:
    """Return the answer to the move of a form. Raises MoveError for an illegal one."""
    before = judge_address(challenge, read_tried(request.POST.get("tried", "")))
    typed = (request.POST.get("move") or request.POST.get("mark") or "")[:LONGEST_MOVE]
    if before.state != "open":
        return before
    move = normalize_move(before.position, challenge.seat, typed)
    return judge(challenge, [*before.tried, move])


def _recorded(request: HttpRequest, address: str, record: Any) -> HttpResponse:
    """Record what a visitor did, and redirect to the answer, which does not depend on it."""

    with suppress(Refusal):
        PUZZLES_PER_ADDRESS.hit(client_address(request))
        with_player(request, record)
    return redirect(address)


def _page(
    request: HttpRequest, entry: Entry, challenge: Challenge, refused: Text | None = None
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    solution = parse_ply(sent["solution"]) if "solution" in sent else None
    page = build_challenge_page(
        challenge,
        judge_address(challenge, read_tried(sent.get("tried", ""))),
        chosen=sent.get("chosen", "")[:LONGEST_MOVE].split(),
        solution=solution,
    )
    player = request.get_player()
    context = {
        "entry": entry,
        "page": page,
        "board": page.board,
        "stepper": page.stepper,
        "refused": refused,
        "grade": records.grades([entry])[entry.id],
        "grades": records.GRADES,
        "attempt": records.attempts_of(player, [entry.id]).get(entry.id),
        "below": "puzzles/_about_puzzle.html",
        "next_address": _next(entry).get_absolute_url(),
        "next_label": gettext("Next puzzle"),
        "preview": _preview(entry),
    }
    template = "puzzles/_challenge.html" if request.htmx else "puzzles/puzzle.html"
    return render(request, template, context, status=422 if refused else 200)


def _preview(entry: Entry) -> Preview:
    return Preview(
        title=f"{gettext('Puzzle')}: {translate(entry.rules.name)}",
        description=translate(entry.task),
        picture=reverse("puzzle_picture", args=[entry.id]),
        alt=gettext("The board of %(game)s") % {"game": translate(entry.rules.name)},
    )


def _next(entry: Entry) -> Entry:
    """Return the puzzle after one in the list of its kind."""
    listed = catalogue.entries(entry.rules, entry.puzzle.language)
    place = listed.index(entry) + 1
    return next(catalogue.readable([*listed[place:], *listed[:place]]))


def picture_of(entry: Entry) -> SafeString:
    """Return the board of a puzzle as SVG. The front page shows the same one all day."""
    key = f"{entry.id} {get_language()}"
    picture = _pictures.get(key)
    return picture or _pictures.put(key, public_picture(entry.rules, Standing.of(entry.start)))


@cache_control(max_age=24 * 3600, public=True)
@require_safe
def picture(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Return the position of a puzzle as PNG, for link previews."""
    entry = find_entry(puzzle_id)
    PICTURES_PER_ADDRESS.hit(client_address(request))
    return picture_response(public_preview(entry.rules, Standing.of(entry.start)))
