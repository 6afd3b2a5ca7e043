"""A course: steps in their order, with the results of the visitor; for each game that has one."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils.html import escape

from games.contract import Rules
from games.core.registry import all_rules
from games.models import PuzzleAttempt, PuzzleRating
from games.models.puzzles import MOST_TRIES
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from tests.puzzles.test_solving import wrong_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db

COURSES = [rules for rules in all_rules().values() if catalogue.course(rules.slug)]
each_course = pytest.mark.parametrize("rules", COURSES, ids=lambda rules: rules.slug)


def send(person: Person, entry: Entry, *moves: str) -> str:
    """Play moves one after the other, and return the last page."""
    page = ""
    for number, move in enumerate(moves):
        form = {"tried": ",".join(moves[:number]), "move": move}
        page = person.client.post(entry.get_absolute_url(), form, follow=True).text
    return page


def solve(person: Person, entry: Entry) -> str:
    return send(person, entry, *(turn.right[0] for turn in entry.puzzle.turns))


@each_course
def test_each_solved_step_leads_to_the_next_and_the_last_one_back(
    rules: Rules, stranger: Person
) -> None:
    course = reverse("course", args=[rules.slug])
    steps = catalogue.course(rules.slug)
    for number, entry in enumerate(steps, start=1):
        following = next(iter(steps[number:]), None)
        page = stranger.client.get(entry.get_absolute_url()).text
        assert f"Step {number} of {len(steps)}" in page
        assert entry.lesson
        assert f'<p class="whose">{escape(str(entry.lesson.title))}.</p>' in page
        page = solve(stranger, entry)
        assert "Solved!" in page
        address = following.get_absolute_url() if following else course
        assert re.search(f'href="{address}"\\s+id="next"', page)
    page = stranger.client.get(course).text
    assert page.count("solved at once") == len(steps)


@each_course
def test_the_pages_of_a_kind_lead_to_its_course(rules: Rules, stranger: Person) -> None:
    course = reverse("course", args=[rules.slug])
    pages = [reverse("puzzles")]
    pages += [reverse(name, args=[rules.slug]) for name in ("puzzles_of", "rules")]
    assert all(f'href="{course}"' in stranger.client.get(page).text for page in pages)


@each_course
def test_the_course_shows_the_results_of_its_visitor_alone(
    rules: Rules, owner: Person, stranger: Person
) -> None:
    course, (first, second, *_) = reverse("course", args=[rules.slug]), catalogue.course(rules.slug)
    solve(owner, first)
    mine, theirs = (person.client.get(course).text for person in (owner, stranger))
    assert "1 of 10 steps solved" in mine
    assert f'<a class="button big" href="{second.get_absolute_url()}">' in mine
    assert "0 of 10 steps solved" in theirs
    assert f'<a class="button big" href="{first.get_absolute_url()}">' in theirs


@each_course
def test_a_step_can_be_tried_again_without_end_and_changes_no_rating(
    rules: Rules, stranger: Person
) -> None:
    entry = catalogue.course(rules.slug)[0]
    for _ in range(MOST_TRIES + 1):
        page = send(stranger, entry, wrong_move(entry))
        assert "Try again" in page
        assert "left." not in page
    assert "Solved!" in solve(stranger, entry)
    assert PuzzleAttempt.objects.get().mistakes == MOST_TRIES + 1
    assert not PuzzleRating.objects.exists()


@each_course
def test_no_list_has_the_steps_of_a_course(rules: Rules) -> None:
    steps = {entry.id for entry in catalogue.course(rules.slug)}
    listed = [*catalogue.entries(rules), *catalogue.ranked(rules.slug, "")]
    assert steps.isdisjoint(entry.id for entry in listed)


def test_a_kind_without_a_course_has_no_page_of_one(stranger: Person) -> None:
    kinds = [rules for rules in all_rules().values() if rules not in COURSES]
    addresses = [reverse("course", args=[rules.slug]) for rules in kinds]
    assert {stranger.client.get(address).status_code for address in addresses} == {404}
