"""The attempts of players at puzzles, and their streaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import F
from django.utils import timezone

from games.models import DayPuzzle, Player, PuzzleAttempt, PuzzleRecord
from games.puzzles import ratings
from games.puzzles.catalogue import Entry
from games.storage.write_lock import write_transaction

HANDFUL = 5
LATEST = 6
"""Boards of a player's latest puzzles."""


@dataclass(frozen=True)
class History:
    """A player's puzzles: the number solved, and at the first attempt; the days in a row on which
    the puzzle of the day was solved, up to today or yesterday, and the longest such streak; the
    latest attempts."""

    solved: int = 0
    clean: int = 0
    streak: int = 0
    longest: int = 0
    latest: tuple[PuzzleAttempt, ...] = ()


def note(
    player: Player, entry: Entry, state: str, mistakes: int | None = None, day: date | None = None
) -> Player:
    """Record the `Answer.state` to which a player's try or wish led, and return the player. After
    the puzzle has been solved nothing counts, nor does a try that the form of a page with fewer
    ``mistakes`` repeats. ``day`` is the one whose puzzle it was when the page was opened."""
    with write_transaction():
        attempt = _attempt(player, entry)
        if attempt.solved:
            return player
        is_first = not attempt.is_decided
        attempt.mistakes += state == "wrong" and mistakes in {None, attempt.mistakes}
        attempt.revealed |= state == "shown"
        attempt.day = attempt.day or day
        if state == "solved":
            attempt.solved = timezone.now()
        if is_first and attempt.is_decided:
            ratings.rate(attempt)
        attempt.save()
        if attempt.is_clean:
            PuzzleRecord.objects.filter(pk=entry.id).update(solved=F("solved") + 1)
    return player


def _attempt(player: Player, entry: Entry) -> PuzzleAttempt:
    # Locked: of two tabs only one has the first try.
    rows = PuzzleAttempt.objects.select_for_update()
    attempt, is_new = rows.get_or_create(player=player, puzzle=entry.id, defaults={"change": 0})
    if is_new:
        PuzzleRecord.objects.get_or_create(pk=entry.id)
        record = PuzzleRecord.objects.select_for_update().get(pk=entry.id)
        ratings.begin(record)
        record.tried += 1
        record.save()
    return attempt


def was_tried(puzzle_id: str) -> bool:
    """Return whether there was a puzzle, tried or of a day, which may have been withdrawn since."""
    return (
        PuzzleRecord.objects.filter(pk=puzzle_id).exists()
        or DayPuzzle.objects.filter(puzzle=puzzle_id).exists()
    )


def attempts_of(player: Player | None, ids: Iterable[str]) -> Mapping[str, PuzzleAttempt]:
    if player is None:
        return {}
    found = PuzzleAttempt.objects.filter(player=player, puzzle__in=list(ids))
    return {attempt.puzzle: attempt for attempt in found}


def tried_by(player: Player | None) -> set[str]:
    found = PuzzleAttempt.objects.filter(player=player) if player else PuzzleAttempt.objects.none()
    return set(found.values_list("puzzle", flat=True))


def history_of(player: Player | None, today: date) -> History:
    found = PuzzleAttempt.objects.filter(player=player) if player else PuzzleAttempt.objects.none()
    attempts = list(found.order_by("-updated"))
    days = {day for attempt in attempts if (day := attempt.day_solved)}
    return History(
        solved=sum(attempt.solved is not None for attempt in attempts),
        clean=sum(attempt.is_clean for attempt in attempts),
        streak=_streak(days, today),
        longest=max((_run(days, day) for day in days), default=0),
        latest=tuple(attempts[:LATEST]),
    )


def streak_of(player: Player | None, today: date) -> int:
    found = PuzzleAttempt.objects.filter(player=player, day__isnull=False) if player else []
    return _streak({day for attempt in found if (day := attempt.day_solved)}, today)


def _streak(days: set[date], today: date) -> int:
    return _run(days, today) or _run(days, today - timedelta(days=1))


def _run(days: set[date], last: date) -> int:
    count = 0
    while last - timedelta(days=count) in days:
        count += 1
    return count


def share_at_once(puzzle_ids: Iterable[str]) -> Mapping[str, int]:
    """Return the percentage of players who solved puzzles at the first try, by id, of those that
    more than a handful have tried."""
    found = PuzzleRecord.objects.filter(pk__in=list(puzzle_ids), tried__gte=HANDFUL)
    return {record.pk: round(100 * record.solved / record.tried) for record in found}


def grades(entries: Iterable[Entry]) -> Mapping[str, int]:
    """Return how hard puzzles are by id, from 1 to `ratings.GRADES`."""
    known = ratings.of_puzzles(entry.id for entry in entries)
    return {key: ratings.grade(rating) for key, rating in known.items()}
