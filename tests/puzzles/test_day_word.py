"""The clue of the day: one word for the meant cards, judged by the table of the worker."""

from __future__ import annotations

import zlib
from datetime import date, timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.core.registry import all_rules
from games.models import DayWord, Evaluation, Game, GivenWord, Thought
from games.people.personal_data import player_data
from games.worker.day_words import make_day_words
from games.worker.jobs import run_one_job
from tests.support.players import Person, new_person
from tests.support.puzzles import squares_in

pytestmark = pytest.mark.django_db

RULES = next(rules for rules in all_rules().values() if rules.word_task)
ADDRESS = reverse("day_word", args=[RULES.slug])
CARDS = ["anchor", "ship", "river", "bottle", "piano", "castle"]
TABLE = "ocean\t+abcdef abdcef abecdf\nsea\t+abcdef abcdef abcdef\nfloozy\tabcdef abcdef abcdef"


def deal(day: date | None = None, language: str = "en") -> DayWord:
    table = zlib.compress(TABLE.encode())
    at = {"day": day or timezone.localdate(), "kind": RULES.slug, "language": language}
    return DayWord.objects.create(**at, cards=CARDS, meant=[0, 1, 2, 3], table=table)


def give(client: Client, word: str, day: str = "") -> str:
    response = client.post(ADDRESS, {"word": word, "day": day}, follow=True)
    return " ".join(unescape(response.text).split())


def test_a_clue_shows_the_cards_that_each_listener_takes(stranger: Person) -> None:
    deal()
    before = stranger.client.get(ADDRESS).text
    assert "ocean" not in before
    assert all(card in before for card in CARDS)
    page = give(stranger.client, "Ocean")
    assert RULES.word_task
    for listener in RULES.word_task.listeners:
        assert str(listener) in page
    assert page.count("<s>") == 1
    assert 'piano<span class="hidden"> (not meant)' in page
    given = GivenWord.objects.get()
    assert (given.word, given.found, given.square) == ("ocean", 4, "🟩")
    assert player_data(stranger.player)["day_words"][0]["word"] == "ocean"


def test_the_first_known_clue_of_a_day_counts(stranger: Person) -> None:
    deal()
    assert "The listeners don’t know this word." in give(stranger.client, "qwrtz")
    give(stranger.client, "oceans")
    page = give(stranger.client, "sea")
    assert "<strong>ocean</strong>" in page
    assert GivenWord.objects.count() == 1


def test_clues_of_others_are_shown_after_ones_own_if_two_gave_them(
    stranger: Person, owner: Person
) -> None:
    deal()
    for number, word in enumerate(["ocean", "ocean", "sea", "floozy", "floozy"]):
        give(new_person(f"P{number}").client, word)
    assert "2 people" not in owner.client.get(ADDRESS).text
    page = give(stranger.client, "sea")
    assert "2 people" in page
    assert "ocean" in page
    assert "floozy" not in page
    DayWord.objects.all().delete()
    deal(language="nl")
    other = new_person("other").client.get(ADDRESS).text
    assert "ocean" not in other


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("one two three four five six seven eight nine ten", "A clue is one word, without spaces."),
        ("", "Type a word for your clue."),
        (" ", "Type a word for your clue."),
        ("anchor", "is one of the cards on the table."),
        ("anchors", "is a form of “anchor”"),
        ("x" * 5000, "A clue can have at most 30 letters."),
        ("<b>", "only letters"),
        ("1\t+", "A clue is one word, without spaces."),
        ("fuck", "The listeners don’t know this word."),
    ],
)
def test_a_bad_clue_is_refused_by_a_sentence_and_does_not_count(
    word: str, sentence: str, stranger: Person
) -> None:
    deal()
    response = stranger.client.post(ADDRESS, {"word": word})
    assert response.status_code in {400, 422}
    assert sentence in unescape(response.text)
    assert not GivenWord.objects.exists()


def test_a_page_opened_before_midnight_counts_for_its_day(stranger: Person) -> None:
    now = timezone.localdate()
    yesterday = deal(now - timedelta(days=1))
    deal()
    give(stranger.client, "ocean", yesterday.day.isoformat())
    assert GivenWord.objects.get().day == yesterday.day
    assert GivenWord.objects.get().common


def test_cards_of_an_earlier_day_are_played_after_and_not_compared(stranger: Person) -> None:
    now = timezone.localdate()
    earlier = deal(now - timedelta(days=3)).day.isoformat()
    deal()
    assert f"{ADDRESS}?day={earlier}" in stranger.client.get(f"/puzzles/today/{earlier}/").text
    assert "anchor" in stranger.client.get(ADDRESS, {"day": earlier}).text
    assert "Clues of others that day" in give(stranger.client, "ocean", earlier)
    assert not GivenWord.objects.get().common
    assert "🟩" in squares_in(stranger.client.get(f"/puzzles/today/{earlier}/").text)
    bad = [(now - timedelta(days=days)).isoformat() for days in (2, 31, -1)]
    for day in (*bad, "0001-01-01", "nonsense"):
        for response in (
            stranger.client.get(ADDRESS, {"day": day}),
            stranger.client.post(ADDRESS, {"word": "sea", "day": day}),
        ):
            assert response.status_code == 404
            assert "There are no puzzles for that day." in response.text
    assert GivenWord.objects.count() == 1
    assert not Evaluation.objects.exists()


def test_a_day_without_cards_and_a_kind_without_clues_have_no_task(client: Client) -> None:
    assert "not dealt yet" in client.get(ADDRESS).text
    assert "not dealt yet" in give(client, "ocean")
    other = next(rules.slug for rules in all_rules().values() if not rules.word_task)
    assert client.get(reverse("day_word", args=[other])).status_code == 404


def test_clues_give_the_computers_nothing_to_do(stranger: Person) -> None:
    deal()
    for word in ("qwrtz", "anchor", "ocean", "sea"):
        give(stranger.client, word)
    rows = (Game, Evaluation, Thought)
    assert not any(model.objects.exists() for model in rows)
    assert not run_one_job()


def test_the_square_of_the_clue_is_among_those_of_today(stranger: Person) -> None:
    deal()
    give(stranger.client, "ocean")
    for address in (reverse("today"), "/"):
        assert "⬜🟩" in squares_in(stranger.client.get(address).text)
    assert ADDRESS in stranger.client.get(reverse("today")).text


def test_the_worker_makes_the_tables_of_today_and_tomorrow_once() -> None:
    now = timezone.localdate()
    deal()
    deal(now - timedelta(days=31))
    steps = make_day_words()
    assert [next(steps) for _ in range(4)] == [True, True, True, False]
    days = DayWord.objects.values_list("day", "language")
    tomorrow = now + timedelta(days=1)
    assert set(days) == {(day, code) for day in (now, tomorrow) for code in ("en", "nl")}
    assert next(make_day_words()) is False
    row = DayWord.objects.get(day=tomorrow, language="en")
    lines = zlib.decompress(row.table).decode().split("\n")
    assert len(lines) > 5_000
    assert len(row.cards) == 25
    # Some legal word leads its team to all four.
    first = {chr(ord("a") + place) for place in row.meant}
    assert any(set(line.split("\t+")[-1][:4]) == first for line in lines)
