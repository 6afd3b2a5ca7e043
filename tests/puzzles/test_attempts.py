"""Records of puzzles: streaks, difficulty, export, and merging."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from games.core.registry import all_rules
from games.models import PuzzleAttempt, PuzzleRecord
from games.people.merging import merge_players
from games.people.personal_data import player_data
from games.puzzles import attempts, catalogue, ratings, today
from games.puzzles.catalogue import Entry
from tests.support.players import Person
from tests.support.puzzles import squares_in

pytestmark = pytest.mark.django_db

TODAY = date(2030, 3, 10)


def an_entry() -> Entry:
    return next(entry for rules in all_rules().values() for entry in catalogue.entries(rules))


def solved_on(person: Person, *back: int) -> None:
    """Let a person have solved the puzzles of the days so many days before TODAY."""
    for days in back:
        day = TODAY - timedelta(days=days)
        PuzzleAttempt.objects.create(
            player=person.player, puzzle=f"day-{days}", solved=timezone.now(), day=day
        )


def test_a_streak_is_the_number_of_days_in_a_row(owner: Person) -> None:
    solved_on(owner, 0, 1, 2, 4, 5)
    history = attempts.history_of(owner.player, TODAY)
    assert (history.streak, history.longest, history.solved) == (3, 3, 5)


def test_a_streak_lasts_until_the_end_of_the_next_day(owner: Person) -> None:
    solved_on(owner, 1, 2)
    assert attempts.history_of(owner.player, TODAY).streak == 2
    assert attempts.history_of(owner.player, TODAY + timedelta(days=1)).streak == 0


def of_today() -> Entry:
    return today.puzzles_of(timezone.localdate(), "en")[0]


def test_solving_a_puzzle_of_the_day_counts_for_that_day(owner: Person) -> None:
    attempts.note(owner.player, of_today(), "solved", day=timezone.localdate())
    assert attempts.history_of(owner.player, timezone.localdate()).streak == 1


def test_a_puzzle_whose_solution_was_shown_counts_for_no_day(owner: Person) -> None:
    attempts.note(owner.player, of_today(), "shown", day=timezone.localdate())
    attempts.note(owner.player, of_today(), "solved", day=timezone.localdate())
    history = attempts.history_of(owner.player, timezone.localdate())
    assert (history.solved, history.clean, history.streak) == (1, 0, 0)


def test_tries_after_the_solution_do_not_count(owner: Person) -> None:
    entry = an_entry()
    attempts.note(owner.player, entry, "solved")
    attempts.note(owner.player, entry, "wrong")
    assert PuzzleAttempt.objects.get().is_clean
    record = PuzzleRecord.objects.get()
    assert (record.tried, record.solved) == (1, 1)


def test_a_puzzle_that_visitors_miss_becomes_harder() -> None:
    entry = an_entry()
    entry = replace(entry, puzzle=replace(entry.puzzle, level=2))
    before = attempts.grades([entry])[entry.id]
    PuzzleRecord.objects.create(puzzle=entry.id, tried=500, solved=5)
    assert attempts.grades([entry])[entry.id] > before


def test_a_puzzle_that_visitors_find_becomes_easier() -> None:
    entry = catalogue.ranked(an_entry().rules.slug, "")[-1]
    before = attempts.grades([entry])[entry.id]
    PuzzleRecord.objects.create(puzzle=entry.id, tried=500, solved=495)
    assert attempts.grades([entry])[entry.id] < before


def test_the_export_includes_the_puzzles(owner: Person) -> None:
    entry = an_entry()
    attempts.note(owner.player, entry, "wrong")
    (attempt,) = player_data(owner.player)["puzzles"]
    assert (attempt["puzzle"], attempt["mistakes"]) == (entry.id, 1)


def test_merged_players_keep_their_puzzles(owner: Person, stranger: Person) -> None:
    solved_on(owner, 0, 1)
    solved_on(stranger, 1, 2)
    merge_players(source=stranger.player, target=owner.player)
    assert attempts.history_of(owner.player, TODAY).streak == 3


def test_the_page_of_puzzles_offers_one_that_is_not_tried(owner: Person) -> None:
    entries = catalogue.entries(catalogue.kinds_with_puzzles()[0], "en")
    for _ in range(2):
        nearest = ratings.nearest(owner.player, entries, attempts.tried_by(owner.player))
        assert nearest
        html = owner.client.get("/puzzles/").content.decode()
        assert f'class="button quiet" href="{nearest.get_absolute_url()}"' in html
        attempts.note(owner.player, nearest, "wrong")


def test_the_latest_puzzles_tell_what_happened(owner: Person) -> None:
    first, second, third, fourth = catalogue.entries(catalogue.kinds_with_puzzles()[0], "en")[:4]
    for entry, states in (
        (first, ["solved"]),
        (second, ["wrong", "solved"]),
        (third, ["shown"]),
        (fourth, ["wrong"] * 3),
    ):
        for state in states:
            attempts.note(owner.player, entry, state)
    page = squares_in(owner.client.get("/puzzles/").text)
    for told in ("solved at once", "🟨", "solution shown", "three mistakes"):
        assert told in page
    change = PuzzleAttempt.objects.get(puzzle=first.id).change
    assert f"(+{change})" in page
    assert f"Your rating: {round(ratings.of_player(owner.player).value)}." in page
