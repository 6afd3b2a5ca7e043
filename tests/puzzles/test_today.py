"""The puzzles of a day: stored, harder towards Sunday, with squares to share, a streak and thirty
days to be played after."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.core.registry import all_rules
from games.models import DayPuzzle, PuzzleAttempt, PuzzleRecord
from games.puzzles import attempts, catalogue, today
from games.puzzles.catalogue import Entry
from games.storage.cache import clear_all
from tests.support.players import Person
from tests.support.puzzles import squares_in

pytestmark = pytest.mark.django_db

KINDS = [rules.slug for rules in all_rules().values() if rules.puzzles]
MONDAY = date(2030, 3, 4)


def entries(day: date | None = None) -> list[Entry]:
    return today.puzzles_of(day or timezone.localdate(), "en")


def try_moves(client: Client, entry: Entry, **form: str) -> str:
    response = client.post(entry.get_absolute_url(), form, follow=True)
    assert response.status_code == 200
    return response.text


def solve(client: Client, entry: Entry, opened: str = "") -> str:
    tried, page = list[str](), ""
    for turn in entry.puzzle.turns:
        page = try_moves(client, entry, tried=",".join(tried), move=turn.right[0], opened=opened)
        tried.append(turn.right[0])
    return page


def wrong_move(entry: Entry) -> str:
    right = {move for turn in entry.puzzle.turns for move in turn.right}
    legal = entry.start.legal_moves(min(entry.start.to_move()))
    return next(move for move in legal if move not in right and move not in entry.book.unoffered)


def test_a_day_has_a_puzzle_of_each_kind_in_the_language_of_the_reader() -> None:
    for language in ("en", "nl"):
        found = today.puzzles_of(MONDAY, language)
        assert {entry.rules.slug for entry in found} == set(KINDS)
        assert {entry.puzzle.language for entry in found} <= {"", language}


def test_the_puzzles_of_thirty_days_are_others_each_day() -> None:
    days = [entries(MONDAY + timedelta(days=days)) for days in range(30)]
    ids = [entry.id for found in days for entry in found]
    assert len(set(ids)) == len(ids)


def test_puzzles_are_easy_on_monday_and_hard_on_sunday() -> None:
    def level(day: int) -> int:
        weeks = [MONDAY + timedelta(days=7 * week + day) for week in range(8)]
        return sum(entry.puzzle.level for each in weeks for entry in entries(each))

    assert level(0) < level(6)


def test_the_puzzles_of_a_day_are_stored_and_no_release_moves_them() -> None:
    before = [entry.id for entry in entries(MONDAY)]
    row = DayPuzzle.objects.get(day=MONDAY, puzzle=before[0])
    other = catalogue.entries(entries(MONDAY)[0].rules, "en")[-1]
    DayPuzzle.objects.filter(pk=row.pk).update(puzzle=other.id)
    clear_all()
    assert [entry.id for entry in entries(MONDAY)] == [other.id, *before[1:]]


def test_squares_show_first_tries_later_tries_and_failures(stranger: Person) -> None:
    first, second, third, _ = entries()
    solve(stranger.client, first)
    try_moves(stranger.client, second, move=wrong_move(second))
    page = solve(stranger.client, second)
    assert "🟩🟨⬜⬜" in squares_in(page)
    assert entries()[2].get_absolute_url() in page
    try_moves(stranger.client, third, solution="1")
    page = stranger.client.get(reverse("today")).text
    number = (timezone.localdate() - today.FIRST).days + 1
    # The last square is that of the board of the day.
    assert f"#{number}\n🟩🟨🟥⬜⬜\nhttp" in page
    assert "🟩🟨🟥⬜" in squares_in(stranger.client.get("/").text)
    assert "1 day in a row" in " ".join(stranger.client.get("/").text.split())


def test_the_last_puzzle_of_a_day_leads_to_the_squares(stranger: Person) -> None:
    for entry in entries():
        page = solve(stranger.client, entry)
    assert "Share your squares" in page


def test_a_puzzle_opened_before_midnight_counts_for_its_day(
    stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "localdate", lambda: date(2030, 3, 4))
    entry = entries()[0]
    opened = today.stamp(entry, timezone.localdate())
    assert opened in stranger.client.get(entry.get_absolute_url()).text
    monkeypatch.setattr(timezone, "localdate", lambda: date(2030, 3, 5))
    solve(stranger.client, entry, opened=opened)
    assert PuzzleAttempt.objects.get().day == date(2030, 3, 4)
    assert attempts.streak_of(stranger.player, date(2030, 3, 5)) == 1


def test_a_forged_or_old_stamp_counts_for_no_day(
    stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "localdate", lambda: date(2030, 3, 4))
    first, second, *_ = entries()
    old = today.stamp(first, timezone.localdate())
    monkeypatch.setattr(timezone, "localdate", lambda: date(2030, 3, 6))
    solve(stranger.client, first, opened=old)
    solve(stranger.client, second, opened="2030-03-04:forged")
    assert {attempt.day for attempt in PuzzleAttempt.objects.all()} == {None}


def test_others_are_told_only_if_more_than_a_handful_have_tried(stranger: Person) -> None:
    entry = entries()[0]
    sentence = "% of the players solved it at once."
    PuzzleRecord.objects.create(puzzle=entry.id, tried=3, solved=1)
    assert sentence not in solve(stranger.client, entry)
    PuzzleRecord.objects.update(tried=50, solved=19)
    assert f"38{sentence}" in solve(stranger.client, entry)
    assert f"38{sentence}" in stranger.client.get(reverse("today")).text


def test_the_last_thirty_days_can_be_played_after(client: Client) -> None:
    now = timezone.localdate()
    page = client.get(reverse("today")).text
    for back in (1, 30):
        address = reverse("today_of", args=[(now - timedelta(days=back)).isoformat()])
        assert address in page
        assert entries(now - timedelta(days=back))[0].get_absolute_url() in client.get(address).text


@pytest.mark.parametrize("back", [-1, 31, 9999])
def test_a_day_that_is_not_kept_leads_to_today(client: Client, back: int) -> None:
    day = timezone.localdate() - timedelta(days=back)
    page = client.get(reverse("today_of", args=[day.isoformat()]))
    assert page.status_code == 404
    assert "There are no puzzles for that day." in page.text
    assert client.get("/puzzles/today/2026-02-31/").status_code == 404


def test_a_withdrawn_puzzle_of_a_day_leads_on_and_leaves_the_others(client: Client) -> None:
    row = DayPuzzle.objects.filter(day=timezone.localdate(), puzzle=entries()[0].id)
    row.update(puzzle=f"{KINDS[0]}-00000000")
    clear_all()
    assert client.get(f"/puzzles/{KINDS[0]}-00000000/").status_code == 410
    assert len(entries()) == len(KINDS) - 1
    assert client.get(reverse("today")).status_code == 200


def test_a_day_without_puzzles_leads_to_those_of_today(client):
    answer = client.get("/puzzles/today/2020-01-01/")
    assert answer.status_code == 404
    assert '<a class="button" href="/puzzles/today/">Today’s puzzles</a>' in answer.text
