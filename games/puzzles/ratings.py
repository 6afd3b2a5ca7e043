"""Ratings of visitors and puzzles in one pool: a first try is a game between the two, by Glicko-2.

A puzzle begins with the figures of the search that found it, so certain that the result of one
visitor hardly moves it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from math import exp, pi, sqrt
from typing import NamedTuple

from django.conf import settings

from games.contract import Text, text
from games.models import Player, PuzzleAttempt, PuzzleRating, PuzzleRecord
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry

GRADES = 5
LOWEST, HIGHEST = 900, 2100
"""The ratings between which the puzzles of each kind begin, evenly."""
NEAR = 24
"""The puzzles that began nearest to a visitor's rating, of which the next one is chosen."""
_CENTRE, _SCALE = 1500, 173.7178
_VOLATILITY = 0.06
"""The same for all: the site has no periods in which it could be learnt."""


class Rating(NamedTuple):
    """A rating with the deviation that tells how certain it is."""

    value: float
    deviation: float


NEWCOMER = Rating(1300, 350)
SOLVER_DEVIATION = 75
"""The figures of the search count as the results of some twenty visitors."""


def update(own: Rating, results: Iterable[tuple[Rating, float, int]]) -> Rating:
    """Return a rating after results, each with the opponent, the score (0 to 1) and its number of
    times: steps 3 and 6 to 8 of Glickman, 'Example of the Glicko-2 system'."""
    own_value, gain, information = (own.value - _CENTRE) / _SCALE, 0.0, 0.0
    for other, score, times in results:
        weight = 1 / sqrt(1 + 3 * (other.deviation / _SCALE / pi) ** 2)
        expected = 1 / (1 + exp(weight * ((other.value - _CENTRE) / _SCALE - own_value)))
        gain += times * weight * (score - expected)
        information += times * weight**2 * expected * (1 - expected)
    prior = (own.deviation / _SCALE) ** 2 + _VOLATILITY**2
    variance = 1 / (1 / prior + information)
    return Rating(_CENTRE + _SCALE * (own_value + variance * gain), _SCALE * sqrt(variance))


def of_puzzles(ids: Iterable[str]) -> Mapping[str, Rating]:
    """Return the ratings of puzzles by id, but for those that have been withdrawn."""
    asked = list(ids)
    records = {record.pk: record for record in PuzzleRecord.objects.filter(pk__in=asked)}
    known = {key: (begun(key), records.get(key)) for key in asked}
    return {key: _of_record(at, record) for key, (at, record) in known.items() if at}


def _of_record(at: float, record: PuzzleRecord | None) -> Rating:
    """Return the stored rating. Tries of the time before ratings count as those of newcomers."""
    if record and record.rating is not None and record.deviation is not None:
        return Rating(record.rating, record.deviation)
    rating = Rating(at, SOLVER_DEVIATION)
    if record and record.tried:
        failed = max(0, record.tried - record.solved)
        rating = update(rating, [(NEWCOMER, 1, failed), (NEWCOMER, 0, record.solved)])
    return rating


def begun(puzzle_id: str) -> float | None:
    return _begun(puzzle_id.rpartition("-")[0]).get(puzzle_id)


@cache
def _begun(slug: str) -> Mapping[str, float]:
    """Return the ratings with which the puzzles of a kind begin: evenly by their difficulty."""
    lists = [catalogue.ranked(slug, language) for language in ("", *dict(settings.LANGUAGES))]
    return {
        entry.id: LOWEST + (HIGHEST - LOWEST) * (place + 0.5) / len(ranked)
        for ranked in lists
        for place, entry in enumerate(ranked)
    }


def grade(rating: Rating) -> int:
    """Return how hard a puzzle is, from 1 to `GRADES`."""
    share = (rating.value - LOWEST) / (HIGHEST - LOWEST)
    return max(1, min(GRADES, 1 + int(share * GRADES)))


def of_player(player: Player | None) -> Rating:
    """Return the rating of a player, at first by the tries of the time before ratings."""
    row = PuzzleRating.objects.filter(player=player).first() if player else None
    if player is None or row:
        return Rating(row.rating, row.deviation) if row else NEWCOMER
    tried = PuzzleAttempt.objects.filter(player=player, change=None)
    won = {attempt.puzzle: attempt.is_clean for attempt in tried if attempt.is_decided}
    puzzles = of_puzzles(won) if won else {}
    return update(NEWCOMER, ((puzzles[key], won[key], 1) for key in puzzles)) if won else NEWCOMER


def begin(record: PuzzleRecord) -> None:
    """Store the rating of a puzzle before its first try since there have been ratings."""
    if record.rating is None and (at := begun(record.pk)):
        record.rating, record.deviation = _of_record(at, record)


def rate(attempt: PuzzleAttempt) -> None:
    """Let the result of a first try change the ratings of the player and of the puzzle, the latter
    not if it was begun before there were ratings and counts already. The caller holds the write
    transaction, and saves the attempt."""
    record = PuzzleRecord.objects.select_for_update().get(pk=attempt.puzzle)
    mine, puzzle, won = of_player(attempt.player), of_puzzles([record.pk]), int(attempt.is_clean)
    if record.pk not in puzzle:
        return
    theirs = puzzle[record.pk]
    rating, deviation = update(mine, [(theirs, won, 1)])
    PuzzleRating.objects.update_or_create(
        player=attempt.player, defaults={"rating": rating, "deviation": deviation}
    )
    if attempt.change is not None:
        record.rating, record.deviation = update(theirs, [(mine, 1 - won, 1)])
        record.save(update_fields=["rating", "deviation"])
    attempt.change = round(rating) - round(mine.value)


def told(player: Player | None, attempt: PuzzleAttempt | None) -> list[Text]:
    """Return the sentence on the player's rating after a puzzle."""
    if attempt is None or not attempt.change:
        return []
    change = f"+{attempt.change}" if attempt.change > 0 else f"−{-attempt.change}"
    value = round(of_player(player).value)
    return [text("Your rating: %(rating)s (%(change)s)", rating=value, change=change)]


def nearest(
    player: Player | None, entries: Iterable[Entry], tried: Collection[str]
) -> Entry | None:
    """Return the puzzle nearest to the rating of the player, of those that are not tried."""
    mine = of_player(player).value
    left = [(abs(at - mine), entry) for entry in entries if (at := begun(entry.id))]
    fresh = [pair for pair in left if pair[1].id not in tried]
    near = sorted(fresh, key=lambda pair: pair[0])
    known = of_puzzles(entry.id for _, entry in near[:NEAR])
    chosen = sorted(near[:NEAR], key=lambda pair: abs(known[pair[1].id].value - mine))
    return next(catalogue.readable(entry for _, entry in [*chosen, *near[NEAR:]]), None)
