"""Ratings of visitors and puzzles: by Glicko-2, from the first try of each visitor alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from django.utils import timezone

from games.contract import Rules
from games.core.registry import all_rules
from games.models import PuzzleAttempt, PuzzleRating, PuzzleRecord
from games.people.merging import merge_players
from games.people.personal_data import player_data
from games.puzzles import attempts, catalogue, ratings
from games.puzzles.catalogue import Entry
from games.puzzles.ratings import Rating
from tests.support.players import Person

pytestmark = pytest.mark.django_db

KINDS = [rules for rules in all_rules().values() if rules.puzzles]


def entries() -> list[Entry]:
    return catalogue.entries(KINDS[0], "en")


def rating_of(entry: Entry) -> Rating:
    return ratings.of_puzzles([entry.id])[entry.id]


def test_ratings_change_as_in_the_example_of_the_paper() -> None:
    results = [(Rating(1400, 30), 1, 1), (Rating(1550, 100), 0, 1), (Rating(1700, 300), 0, 1)]
    value, deviation = ratings.update(Rating(1500, 200), results)
    assert (round(value, 2), round(deviation, 2)) == (1464.05, 151.52)


@pytest.mark.parametrize("rules", KINDS, ids=lambda rules: rules.slug)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_each_grade_has_a_tenth_of_the_puzzles_of_each_kind(rules: Rules, language: str) -> None:
    found = attempts.grades(catalogue.entries(rules, language))
    counts = Counter(found.values())
    assert min(counts[grade] for grade in range(1, ratings.GRADES + 1)) >= len(found) / 10


def test_a_harder_puzzle_of_a_kind_begins_higher() -> None:
    by_level: dict[int, list[float]] = {}
    for entry in entries():
        rank = entry.rules.ladder.rank(entry.puzzle.level)
        by_level.setdefault(rank, []).append(rating_of(entry).value)
    levels = sorted(by_level)
    assert len(levels) > 1
    for lower, higher in pairwise(levels):
        assert max(by_level[lower]) < min(by_level[higher])


def test_the_first_try_changes_both_ratings_and_later_tries_neither(owner: Person) -> None:
    entry, other = entries()[:2]
    before = rating_of(entry)
    attempts.note(owner.player, entry, "wrong")
    mine, theirs = ratings.of_player(owner.player), rating_of(entry)
    assert mine.value < ratings.NEWCOMER.value
    assert before.value < theirs.value < before.value + 240 / 10
    for state in ("wrong", "shown", "solved", "wrong"):
        attempts.note(owner.player, entry, state)
    assert (ratings.of_player(owner.player), rating_of(entry)) == (mine, theirs)
    attempts.note(owner.player, other, "solved")
    assert ratings.of_player(owner.player).value > mine.value


def test_a_right_move_of_several_decides_nothing(owner: Person) -> None:
    attempts.note(owner.player, entries()[0], "open")
    assert not PuzzleRating.objects.exists()
    assert PuzzleAttempt.objects.get().change == 0
    attempts.note(owner.player, entries()[0], "solved")
    assert (PuzzleAttempt.objects.get().change or 0) > 0


def test_tries_of_the_time_before_ratings_count_once(owner: Person, stranger: Person) -> None:
    old, new = entries()[0], entries()[-1]
    PuzzleRecord.objects.create(puzzle=old.id, tried=1, solved=0)
    PuzzleAttempt.objects.create(player=owner.player, puzzle=old.id, mistakes=1)
    assert rating_of(old).value > (ratings.begun(old.id) or 0)
    begun = ratings.of_player(owner.player)
    assert begun.value < ratings.NEWCOMER.value
    attempts.note(owner.player, new, "wrong")
    expected = ratings.update(begun, [(Rating(ratings.begun(new.id) or 0, 75), 0, 1)])
    assert ratings.of_player(owner.player) == pytest.approx(expected)
    # Another visitor's try finds the puzzle where the old ones have left it.
    before = rating_of(old)
    attempts.note(stranger.player, old, "solved")
    assert rating_of(old).value == pytest.approx(before.value, abs=20)
    assert rating_of(old).value < before.value


def test_a_try_begun_before_ratings_counts_for_the_player_alone(owner: Person) -> None:
    entry = entries()[0]
    PuzzleRecord.objects.create(puzzle=entry.id, tried=1, solved=0)
    PuzzleAttempt.objects.create(player=owner.player, puzzle=entry.id)
    before = rating_of(entry)
    attempts.note(owner.player, entry, "solved")
    assert PuzzleRecord.objects.get().solved == 1
    assert ratings.of_player(owner.player).value > ratings.NEWCOMER.value
    PuzzleRecord.objects.update(solved=0)
    assert rating_of(entry) == before


def test_the_next_puzzle_is_the_nearest_that_is_not_tried(owner: Person) -> None:
    value = ratings.begun(entries()[7].id) or 0
    PuzzleRating.objects.create(player=owner.player, rating=value, deviation=60)
    assert ratings.nearest(owner.player, entries(), ()) == entries()[7]
    following = ratings.nearest(owner.player, entries(), {entries()[7].id})
    assert following
    assert 0 < abs((ratings.begun(following.id) or 0) - value) < 20
    assert ratings.nearest(owner.player, entries(), {entry.id for entry in entries()}) is None


def test_a_puzzle_tells_the_rating_and_leads_to_one_near_it(owner: Person) -> None:
    entry = entries()[-1]
    page = ""
    tried = list[str]()
    for turn in entry.puzzle.turns:
        form = {"tried": ",".join(tried), "move": turn.right[0]}
        page = owner.client.post(entry.get_absolute_url(), form, follow=True).text
        tried.append(turn.right[0])
    mine = ratings.of_player(owner.player)
    change = PuzzleAttempt.objects.get().change
    assert f"Your rating: {round(mine.value)} (+{change})" in page
    following = ratings.nearest(owner.player, entries(), {entry.id})
    assert following
    assert following.get_absolute_url() in page


def test_withdrawn_puzzles_and_merged_players_keep_what_counts(
    owner: Person, stranger: Person
) -> None:
    gone = f"{KINDS[0].slug}-00000000"
    PuzzleAttempt.objects.create(player=owner.player, puzzle=gone, solved=timezone.now())
    assert ratings.of_player(owner.player) == ratings.update(ratings.NEWCOMER, [])
    attempts.note(stranger.player, entries()[0], "solved")
    rating = ratings.of_player(stranger.player)
    merge_players(source=stranger.player, target=owner.player)
    assert ratings.of_player(owner.player) == rating
    assert player_data(owner.player)["puzzle_rating"] == rating.value
