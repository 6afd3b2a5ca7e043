"""A run: three minutes or three faults, by the server's clock and the player's row."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.contract import Rules
from games.core.registry import all_rules
from games.models import Evaluation, PuzzleAttempt, PuzzleRun
from games.puzzles import ratings
from games.puzzles.catalogue import Entry
from games.puzzles.runs import LASTS, MOST_FAULTS, Standing, puzzle_of
from tests.puzzles.test_today import wrong_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db

KINDS = [rules for rules in all_rules().values() if rules.puzzles]
ADDRESS = reverse("puzzle_run", args=[KINDS[0].slug])


def begin(client: Client, address: str = ADDRESS) -> str:
    return client.post(address, {"begin": "1"}, follow=True).text


def present() -> Entry:
    row = PuzzleRun.objects.get()
    rules = next(rules for rules in KINDS if rules.slug == row.kind)
    return puzzle_of(rules, Standing(row))


def send(client: Client, move: str, place: int | None = None, **form: str) -> str:
    row = PuzzleRun.objects.get()
    place = row.solved + row.faults if place is None else place
    address = reverse("puzzle_run", args=[row.kind])
    response = client.post(address, {"move": move, "place": place, **form}, follow=True)
    assert response.status_code == 200
    return response.text


def solve(client: Client) -> str:
    tried, page = list[str](), ""
    for turn in present().puzzle.turns:
        page = send(client, turn.right[0], tried=",".join(tried))
        tried.append(turn.right[0])
    return page


@pytest.mark.parametrize("rules", KINDS, ids=lambda rules: rules.slug)
def test_a_run_leads_from_puzzle_to_puzzle_of_a_kind(rules: Rules, stranger: Person) -> None:
    address = reverse("puzzle_run", args=[rules.slug])
    assert address in stranger.client.get(reverse("puzzles")).text
    assert address in stranger.client.get(reverse("puzzles_of", args=[rules.slug])).text
    assert "How many puzzles do you solve" in stranger.client.get(address).text
    begin(stranger.client, address)
    first = present()
    assert "Solved: 1" in solve(stranger.client)
    assert present() != first
    page = send(stranger.client, wrong_move(present()))
    assert "Solved: 1" in page
    assert "♥♥♡" in page


def test_the_third_fault_ends_a_run_and_the_best_stays(client: Client) -> None:
    begin(client)
    for _ in range(2):
        solve(client)
    for _ in range(MOST_FAULTS):
        page = send(client, wrong_move(present()))
    assert "2 puzzles solved." in page
    assert "Your best: 2." in page
    begin(client)
    for _ in range(MOST_FAULTS):
        page = send(client, wrong_move(present()))
    assert "0 puzzles solved." in page
    assert "Your best: 2." in page


def test_the_clock_of_the_server_ends_a_run(client: Client) -> None:
    begin(client)
    row = PuzzleRun.objects.get()
    PuzzleRun.objects.update(started=row.started - LASTS + timedelta(seconds=30))
    assert 'data-left="29"' in client.get(ADDRESS).text
    entry = present()
    PuzzleRun.objects.update(started=row.started - LASTS)
    page = send(client, entry.puzzle.turns[0].right[0])
    assert "0 puzzles solved." in page
    asked = client.post(ADDRESS, {"move": "x"}, headers={"HX-Request": "true"})
    assert asked["HX-Redirect"] == ADDRESS


def test_another_tab_and_a_form_sent_again_count_nothing(client: Client) -> None:
    begin(client)
    wrong = wrong_move(present())
    send(client, wrong, place=0)
    for place in (0, 7, -1):
        send(client, wrong, place=place)
    assert PuzzleRun.objects.get().faults == 1


def test_the_next_puzzle_comes_with_the_verdict(client: Client) -> None:
    begin(client)
    form = {"move": wrong_move(present()), "place": "0"}
    answer = client.post(ADDRESS, form, headers={"HX-Request": "true"}).text
    assert "Not this one." in answer
    assert 'name="place" value="1"' in " ".join(answer.split())
    again = client.post(ADDRESS, form, headers={"HX-Request": "true"}).text
    assert "That puzzle is behind you." in again


def test_an_address_does_not_judge_a_move_of_a_run(client: Client) -> None:
    begin(client)
    for move in (wrong_move(present()), present().puzzle.turns[0].right[0]):
        page = client.get(ADDRESS, {"tried": move}, follow=True).text
        assert "Not this one." not in page
        assert "Solved!" not in page
    assert PuzzleRun.objects.get().faults == 0


def test_asking_for_the_solution_is_a_fault_and_shows_nothing(client: Client) -> None:
    assert "Show solution" not in begin(client)
    client.post(ADDRESS, {"solution": "1", "place": "0"})
    assert PuzzleRun.objects.get().faults == 1
    assert "The solution, move by move." not in client.get(ADDRESS).text


@pytest.mark.parametrize("move", ["", "zz99", "resign", "x" * 5000])
def test_a_typed_move_that_is_none_is_no_fault(client: Client, move: str) -> None:
    begin(client)
    page = client.post(ADDRESS, {"move": move, "place": "0"})
    assert page.status_code == 422
    assert PuzzleRun.objects.get().faults == 0


def test_runs_grow_harder_and_count_for_nothing_else(owner: Person) -> None:
    begin(owner.client)
    row, at = PuzzleRun.objects.get(), list[float]()
    for row.solved in (0, 10, 20, 39, 400):
        at.append(ratings.begun(puzzle_of(KINDS[0], Standing(row)).id) or 0)
    assert at[:4] == sorted(at[:4])
    assert at[4] > at[2]
    send(owner.client, wrong_move(present()))
    assert not PuzzleAttempt.objects.exists()
    assert not Evaluation.objects.exists()


def test_a_kind_without_puzzles_has_no_runs(client: Client) -> None:
    assert client.get("/puzzles/chess/run/").status_code == 404
