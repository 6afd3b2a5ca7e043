"""A puzzle's page: tries, refutations, the solution, and bad input; for a puzzle of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import cast
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Evaluation, Game, PuzzleAttempt, PuzzleRecord
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import challenge_of, judge
from games.state.snapshot import read_snapshot
from games.worker.jobs import run_one_job
from tests.support.players import Person

pytestmark = pytest.mark.django_db

KINDS = [rules.slug for rules in all_rules().values() if rules.puzzles]


def first(slug: str) -> Entry:
    return catalogue.entries(all_rules()[slug], "en")[0]


def wrong_move(entry: Entry) -> str:
    """Return a legal move that is in no solution."""
    position = entry.puzzle.position(entry.rules.start)
    right = {move for turn in entry.puzzle.turns for move in turn.right}
    return next(move for move in position.legal_moves(min(position.to_move())) if move not in right)


def post(client: Client, entry: Entry, **form: str) -> str:
    """Send a form to a puzzle, and return the page that follows."""
    response = client.post(entry.get_absolute_url(), form, follow=True)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("slug", KINDS)
def test_a_puzzle_is_solved_move_by_move(slug: str, stranger: Person) -> None:
    entry, tried, page = first(slug), list[str](), ""
    for turn in entry.puzzle.turns:
        page = post(stranger.client, entry, tried=",".join(tried), move=turn.right[0])
        tried.append(turn.right[0])
    assert "Solved!" in page
    assert PuzzleAttempt.objects.get(player=stranger.player).is_clean


@pytest.mark.parametrize("slug", KINDS)
def test_a_wrong_move_is_refuted_with_a_reason(slug: str, stranger: Person) -> None:
    entry = first(slug)
    move = wrong_move(entry)
    answer = judge(challenge_of(entry), [move])
    page = post(stranger.client, entry, move=move)
    assert answer.state == "wrong"
    assert answer.refuting
    assert answer.refuting.said
    assert "Not this one." in page
    assert "Try again" in page
    assert PuzzleAttempt.objects.get(player=stranger.player).mistakes == 1


def early(entry: Entry) -> str:
    """Return a later move of the solution that is possible at once, and wrong; '' without one."""
    first, *later = entry.puzzle.turns
    position = entry.puzzle.position(entry.rules.start)
    legal = position.legal_moves(min(position.to_move()))
    moves = (turn.right[0] for turn in later if not entry.puzzle.any_order)
    return next((move for move in moves if move in legal and move not in first.right), "")


def test_a_later_move_of_the_solution_is_wrong_at_first() -> None:
    entries = (entry for slug in KINDS for entry in catalogue.entries(all_rules()[slug], "en"))
    entry = next(entry for entry in entries if early(entry))
    assert judge(challenge_of(entry), [early(entry)]).state == "wrong"


@pytest.mark.parametrize("slug", KINDS)
def test_the_solution_can_be_stepped_through(slug: str, stranger: Person) -> None:
    entry = first(slug)
    asked = stranger.client.post(entry.get_absolute_url(), {"solution": "1"})
    key = parse_qs(urlsplit(asked["Location"]).query)["key"]
    for ply in range(len(entry.puzzle.solution) + 1):
        shown = stranger.client.get(entry.get_absolute_url(), {"solution": ply, "key": key})
        assert f"{ply} / {len(entry.puzzle.solution)}" in shown.text


@pytest.mark.parametrize("key", ["", "0" * 16, "é"])
def test_opening_an_address_shows_no_solution_but_its_button(key: str, stranger: Person) -> None:
    entry = first(KINDS[0])
    page = stranger.client.get(entry.get_absolute_url(), {"solution": "1", "key": key}).text
    assert "Show solution" in page
    assert "The solution, move by move." not in page
    assert not PuzzleAttempt.objects.exists()


def test_the_address_of_a_solution_shows_it_to_nobody_else(
    stranger: Person, opponent: Person
) -> None:
    asked = stranger.client.post(first(KINDS[0]).get_absolute_url(), {"solution": "1"})
    assert "The solution, move by move." in stranger.client.get(asked["Location"]).text
    assert "The solution, move by move." not in opponent.client.get(asked["Location"]).text


@pytest.mark.parametrize("slug", KINDS)
def test_wrong_tries_give_the_computers_nothing_to_do(slug: str, stranger: Person) -> None:
    entry = first(slug)
    for _ in range(20):
        post(stranger.client, entry, move=wrong_move(entry))
    assert not Evaluation.objects.exists()
    assert not run_one_job()


def test_looking_at_the_solution_is_recorded(stranger: Person) -> None:
    entry = first(KINDS[0])
    # The form of a board whose moves are marked first has an empty mark.
    page = post(stranger.client, entry, solution="1", mark="")
    assert "The solution, move by move." in page
    assert PuzzleAttempt.objects.get(player=stranger.player).revealed


def test_a_mark_is_no_try_and_offers_its_move(stranger: Person) -> None:
    entry = next(first(slug) for slug in KINDS if first(slug).puzzle.any_order)
    move = wrong_move(entry)
    page = post(stranger.client, entry, mark=move)
    assert re.search(rf'name="move"\s+value="{move}"\s+id="b-reveal"', page)
    assert not PuzzleAttempt.objects.exists()


def test_after_three_wrong_tries_the_solution_is_left(stranger: Person) -> None:
    entry = first(KINDS[0])
    pages = [post(stranger.client, entry, move=wrong_move(entry)) for _ in range(3)]
    assert ['id="retry"' in page for page in pages] == [True, True, False]
    assert "The first try counted. Two more are for learning." in pages[0]
    assert "1 try left." in pages[1]
    assert "Show solution" in pages[2]


def test_cards_may_be_chosen_in_any_order(stranger: Person) -> None:
    entry = next(
        entry
        for slug in KINDS
        for entry in catalogue.entries(all_rules()[slug], "en")
        if entry.puzzle.any_order
    )
    moves = [turn.right[0] for turn in reversed(entry.puzzle.turns)]
    assert judge(challenge_of(entry), moves).state == "solved"


def test_a_page_with_a_secret_key_shows_nothing_of_it(client: Client) -> None:
    """The pages of two puzzles that differ in the key alone are the same."""
    entry = next(
        entry
        for slug in KINDS
        for entry in catalogue.entries(all_rules()[slug], "en")
        if entry.puzzle.any_order
    )
    page = client.get(entry.get_absolute_url()).content.decode()
    key = str(entry.puzzle.setup["key"])
    assert key not in page
    assert "assassin" not in page.casefold()


@pytest.mark.parametrize("move", ["z9", "resign", "", "a1 b2 c3", "x" * 500])
def test_an_illegal_try_says_why(move: str, client: Client) -> None:
    entry = first(KINDS[0])
    response = client.post(entry.get_absolute_url(), {"move": move})
    assert response.status_code == 422
    assert 'class="refused"' in response.content.decode()
    assert not PuzzleAttempt.objects.exists()


@pytest.mark.parametrize("tried", ["z9", "a1,a1,a1", ",,,", "resign", "9" * 5000])
def test_nonsense_in_an_address_is_dropped(tried: str, client: Client) -> None:
    entry = first(KINDS[0])
    address = f"{entry.get_absolute_url()}?{urlencode({'tried': tried})}"
    assert client.get(address).status_code == 200


def test_a_withdrawn_puzzle_keeps_its_address_and_leads_on(stranger: Person) -> None:
    PuzzleRecord.objects.create(pk=f"{KINDS[0]}-00000000")
    page = stranger.client.get(reverse("puzzle", args=[f"{KINDS[0]}-00000000"]))
    assert page.status_code == 410
    assert reverse("puzzles_of", args=[KINDS[0]]) in page.text


def test_moves_that_solve_no_puzzle_are_not_offered(client: Client) -> None:
    entry = next(first(slug) for slug in KINDS if first(slug).book.unoffered)
    page = client.get(entry.get_absolute_url()).content.decode()
    for move in entry.book.unoffered:
        assert f'value="{move}"' not in page
        assert client.post(entry.get_absolute_url(), {"move": move}).status_code == 422


def test_a_solver_sees_boards_and_first_tries_of_the_latest_puzzles(stranger: Person) -> None:
    entry = first(KINDS[0])
    post(stranger.client, entry, move=wrong_move(entry))
    page = stranger.client.get(reverse("puzzles")).text
    assert "0 solved, 0 at the first try." in page
    _, history = page.split('id="history"')
    assert "<svg" in history.split("</section>")[0]


def test_an_unknown_puzzle_is_not_found(client: Client) -> None:
    address = reverse("puzzle", args=[f"{KINDS[0]}-00000000"])
    assert client.get(address).status_code == 404


def test_a_visitor_without_cookies_gets_an_answer_to_every_try(client: Client) -> None:
    entry = first(KINDS[0])
    page = post(Client(), entry, move=wrong_move(entry))
    assert "Not this one." in page


def test_the_pages_of_puzzles_open(client: Client) -> None:
    for slug in KINDS:
        page = client.get(reverse("puzzles_of", args=[slug]), {"theme": "", "grade": "2"})
        assert page.status_code == 200
    for name in ("puzzles", "puzzle_sheet", "puzzle_feed"):
        assert client.get(reverse(name)).status_code == 200


def test_the_page_of_a_theme_shows_its_idea(client: Client) -> None:
    for slug in KINDS:
        book, address = all_rules()[slug].puzzles, reverse("puzzles_of", args=[slug])
        assert book
        for key, theme in book.themes.items():
            page = unescape(client.get(address, {"theme": key, "page": "99"}).text)
            assert f"<figcaption>{theme.caption}</figcaption>" in page
            assert page.count('class="arrow"') == len(theme.arrows)
        for query in ({}, {"theme": "none"}):
            assert "<figcaption>" not in client.get(address, {**query, "page": "99"}).text


def test_a_puzzle_has_a_picture(client: Client) -> None:
    for slug in KINDS:
        response = client.get(reverse("puzzle_picture", args=[first(slug).id]))
        assert response.content.startswith(b"\x89PNG")


@pytest.fixture(params=["moves", "themes"])
def damaged(request: pytest.FixtureRequest) -> Iterator[Entry]:
    """Put a puzzle that cannot be read before the others of its kind."""
    good = first(KINDS[0])
    puzzle = replace(good.puzzle, key="00000000", **{request.param: ("gone",)})
    entry = replace(good, puzzle=puzzle)
    listed = cast("list[Entry]", catalogue._all(KINDS[0]))
    listed.insert(0, entry)
    catalogue._by_key.cache_clear()
    yield entry
    listed.remove(entry)
    catalogue._by_key.cache_clear()


def test_a_puzzle_that_cannot_be_read_is_left_out_and_logged(
    damaged: Entry, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get(damaged.get_absolute_url()).status_code == 404
    last = catalogue.entries(damaged.rules, damaged.puzzle.language)[-1]
    for path in ("/", reverse("puzzles"), reverse("puzzles_of", args=[KINDS[0]]), last.id):
        address = path if path.startswith("/") else last.get_absolute_url()
        page = client.get(address)
        assert page.status_code == 200
        assert damaged.id not in page.content.decode()
    assert f"The puzzle {damaged.id} is left out" in caplog.text


def test_a_line_that_is_no_puzzle_is_left_out_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    entry, path = first(KINDS[0]), tmp_path / "puzzles"
    path.write_text(f"nonsense\n{{}}\n[]\n{entry.book.write_line(entry.puzzle)}\n", "utf-8")
    assert list(replace(entry.book, path=path).puzzles()) == [entry.puzzle.key]
    assert "Line 1 of" in caplog.text


DETERMINED = [slug for slug in KINDS if challenge_of(first(slug)).origin]
SECRET = [slug for slug in KINDS if slug not in DETERMINED]


@pytest.mark.parametrize("slug", DETERMINED)
def test_a_refuted_try_is_played_out_against_a_computer(slug: str, stranger: Person) -> None:
    entry = first(slug)
    move = wrong_move(entry)
    answer = judge(challenge_of(entry), [move], at=1)
    form = {"tried": move, "at": "1", "with": "computer"}
    page = stranger.client.post(entry.get_absolute_url(), form, follow=True)
    game = Game.objects.get()
    assert page.redirect_chain == [(game.get_absolute_url(), 302)]
    assert read_snapshot(game.pk).at(game.ply).view(None) == answer.position.view(None)
    (own,) = entry.start.to_move()
    for seat in game.seats.all():
        assert bool(seat.computer) == (seat.key != own)


@pytest.mark.parametrize("slug", DETERMINED)
def test_a_refuted_try_is_analysed_in_a_game_on_no_list(slug: str, stranger: Person) -> None:
    entry = first(slug)
    form = {"tried": wrong_move(entry), "with": "device"}
    page = stranger.client.post(entry.get_absolute_url(), form, follow=True)
    game = Game.objects.get()
    assert page.redirect_chain[0][0].startswith(reverse("analysis", args=[game.pk]))
    assert page.status_code == 200
    assert game.get_absolute_url() not in stranger.client.get(reverse("my_games")).text


@pytest.mark.parametrize(
    ("slug", "opponent"),
    [(DETERMINED[0], "computer"), (DETERMINED[0], "nobody"), (SECRET[0], "computer")],
)
def test_no_game_begins_where_it_would_tell_a_secret_or_the_answer(
    slug: str, opponent: str, stranger: Person
) -> None:
    entry = first(slug)
    tried = "" if slug in DETERMINED and opponent == "computer" else wrong_move(entry)
    form = {"tried": tried, "with": opponent, "solution": "1"}
    assert stranger.client.post(entry.get_absolute_url(), form).status_code == 400
    assert not Game.objects.exists()


@pytest.mark.parametrize("slug", DETERMINED)
def test_a_refutation_is_stepped_through_and_drawn(slug: str, stranger: Person) -> None:
    entries = catalogue.entries(all_rules()[slug], "en")
    tries = ((entry, wrong_move(entry)) for entry in entries)
    entry, move, line = next(
        (entry, move, line)
        for entry, move in tries
        if len(line := judge(challenge_of(entry), [move]).line) > 1 and line[1].cells
    )
    for at in range(len(line) + 1):
        page = stranger.client.get(entry.get_absolute_url(), {"tried": move, "at": at}).text
        assert f"{at} / {len(line)}" in page
        assert page.count("mark-key") == (len(line[at - 1].cells) if at else 0)
    assert not PuzzleAttempt.objects.exists()
