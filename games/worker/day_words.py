"""The tasks of days that are answered with a word: a worker that has nothing else to do makes their
tables the day before, since no page may load the meanings of words."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from time import monotonic
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.contract import Rules, WordTable
from games.core.registry import all_rules, computer_module
from games.models import DayWord
from games.storage.write_lock import write_transaction

LOOK_SECONDS = 60.0
DAY = timedelta(days=1)
KEPT = 30 * DAY
"""How long the cards of a day can be played after."""
Missing = tuple[Rules, date, str]

logger = logging.getLogger(__name__)


def make_day_words(*, after: float = 0.0) -> Iterator[bool]:
    """Make the tables of today and tomorrow, ``after`` so many seconds: yield True after each, and
    False while none is missing. One that cannot be made is tried again in another process."""
    failed, looked = set[tuple[str, date, str]](), monotonic() + after - LOOK_SECONDS
    while True:
        if monotonic() - looked >= LOOK_SECONDS:
            for rules, day, language in _missing():
                if (rules.slug, day, language) not in failed:
                    try:
                        _make(rules, day, language)
                    except Exception:
                        logger.exception("no words of %s for %s in %s", rules.slug, day, language)
                        failed.add((rules.slug, day, language))
                    yield True
            looked = monotonic()
        yield False


def _missing() -> list[Missing]:
    today = timezone.localdate()
    known = set(DayWord.objects.filter(day__gte=today).values_list("kind", "day", "language"))
    return [
        (rules, day, language)
        for day in (today, today + DAY)
        for rules in all_rules().values()
        for language in (rules.word_task.languages if rules.word_task else ())
        if language in dict(settings.LANGUAGES) and (rules.slug, day, language) not in known
    ]


def _make(rules: Rules, day: date, language: str) -> None:
    computer: Any = computer_module(rules.slug)
    seed = salted_hmac("word of the day", f"{rules.slug} {day} {language}").hexdigest()
    table: WordTable = computer.word_table(language, Random(seed))
    row = DayWord(
        day=day,
        kind=rules.slug,
        language=language,
        cards=list(table.cards),
        meant=list(table.meant),
        table=zlib.compress("\n".join(_lines(table)).encode()),
    )
    with write_transaction():
        DayWord.objects.filter(day__lt=timezone.localdate() - KEPT).delete()
        DayWord.objects.bulk_create([row], ignore_conflicts=True)


def _lines(table: WordTable) -> Iterator[str]:
    """Yield a line for each word: the word, and for each listener the cards as letters, '+' before
    them if others may see the word."""
    for word, orders in table.orders.items():
        cards = " ".join("".join(chr(ord("a") + card) for card in order) for order in orders)
        yield f"{word}\t{'+' if word in table.common else ''}{cards}"
