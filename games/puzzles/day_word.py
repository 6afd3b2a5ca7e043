"""The task of a day that one word answers, and how listeners and other visitors took it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.utils import timezone

from games.contract import Explained, MoveError, Text, WordTask, text
from games.core.rate_limits import PUZZLES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import WORD_LENGTH, DayWord, GivenWord, Player
from games.puzzles.lists import NO_DAY, language_of_visitor, read_day
from games.storage.write_lock import write_transaction
from games.views.common import form_action, show_page, with_player
from games.web.client_address import client_address
from games.web.request import HttpRequest

UNKNOWN = text("The listeners don’t know this word. Try another one.")
NOT_DEALT = text("The cards of today are not dealt yet. Come back in a few minutes.")
DAY = timedelta(days=1)
TOGETHER = 2
"""The people who have to give a word before others see it."""
LISTED = 12
Taken = tuple[str, bool]
"""A card that a listener takes, and whether it was meant."""


def _find(request: HttpRequest, slug: str) -> tuple[WordTask, DayWord | None]:
    """Return the task of the day in a request, and its row; None while today has none."""
    rules = all_rules().get(slug)
    if rules is None or rules.word_task is None:
        raise Http404
    day = read_day(request.POST.get("day") or request.GET.get("day", ""))
    rows = DayWord.objects.filter(day=day, kind=slug, language=language_of_visitor())
    row = rows.defer("table").first()
    if row is None and day != timezone.localdate():
        raise Http404(*NO_DAY)
    return rules.word_task, row


def _show(request: HttpRequest, slug: str, refused: Explained | None = None) -> HttpResponse:
    task, row = _find(request, slug)
    context: dict[str, Any] = {"rules": all_rules()[slug], "task": task, "row": row}
    if row:
        given = given_word(request.get_player(), row)
        context["meant"] = [row.cards[at] for at in row.meant]
        context["rest"] = [card for card in row.cards if card not in context["meant"]]
        context["is_today"] = row.day == timezone.localdate()
        context["given"], context["typed"] = given, request.POST.get("word", "")[:WORD_LENGTH]
        if given:
            context |= {"taken": _taken(task, row, given), "others": _others(row)}
    return show_page(request, "puzzles/day_word.html", context, refused)


@form_action(_show, asks=_show, refusals=(Refusal, MoveError))
def day_word(request: HttpRequest, slug: str) -> str:
    """Show the cards of a day (GET), or judge the visitor's word (POST), of which the first one
    that the listeners know counts."""
    PUZZLES_PER_ADDRESS.hit(client_address(request))
    task, row = _find(request, slug)
    if row is None:
        raise Refusal(NOT_DEALT)
    word, line = _look_up(task, row, request.POST.get("word", ""))
    with_player(request, partial(_give, row=row, word=word, line=line))
    return request.path if row.day == timezone.localdate() else f"{request.path}?day={row.day}"


def _look_up(task: WordTask, row: DayWord, typed: str) -> tuple[str, str]:
    """Return the word of the table that was typed, and its line. Raises MoveError or Refusal."""
    forms = task.read(typed[:200], row.cards, row.language)
    lines = f"\n{zlib.decompress(row.table).decode()}\n"
    for form in forms:
        _, found, rest = lines.partition(f"\n{form}\t")
        if found:
            return form, rest.partition("\n")[0]
    raise Refusal(UNKNOWN)


def _give(player: Player, row: DayWord, word: str, line: str) -> GivenWord:
    taken = line.removeprefix("+")
    found = max(_hits(row, order) for order in taken.split())
    with write_transaction():
        given, _ = GivenWord.objects.get_or_create(
            player=player,
            day=row.day,
            kind=row.kind,
            language=row.language,
            defaults={
                "word": word[:WORD_LENGTH],
                "taken": taken,
                "found": found,
                # A page that was opened before midnight counts; one of an earlier day does not.
                "common": line.startswith("+") and row.day >= timezone.localdate() - DAY,
            },
        )
    return given


def _hits(row: DayWord, order: str) -> int:
    """Return the number of meant cards that a listener takes before another one."""
    hits = 0
    while hits < len(row.meant) and ord(order[hits]) - ord("a") in row.meant:
        hits += 1
    return hits


def given_word(player: Player | None, row: DayWord) -> GivenWord | None:
    rows = GivenWord.objects.filter(day=row.day, kind=row.kind, language=row.language)
    return rows.filter(player=player).first() if player else None


def _taken(task: WordTask, row: DayWord, given: GivenWord) -> list[tuple[Text, list[Taken]]]:
    """Return the cards that each listener takes, up to the first that was not meant."""
    found = []
    for listener, order in zip(task.listeners, given.taken.split(), strict=False):
        hits = _hits(row, order)
        places = [ord(letter) - ord("a") for letter in order[: min(hits + 1, len(row.meant))]]
        found.append((listener, [(row.cards[at], at in row.meant) for at in places]))
    return found


def _others(row: DayWord) -> Sequence[Any]:
    """Return the words that several people have given today, and how many did."""
    rows = GivenWord.objects.filter(
        day=row.day, kind=row.kind, language=row.language, common=True
    ).values("word", "found")
    counted = rows.annotate(people=Count("pk")).filter(people__gte=TOGETHER)
    return list(counted.order_by("-found", "-people", "word")[:LISTED])
