"""The pages of an analysis: the right to request one, and its page for each move."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from games.contract import MoveValue, text
from games.core.registry import all_rules
from games.models import Evaluation, Game
from games.services import computers
from games.worker import jobs
from tests.support.analyses import analyse, run_all_jobs
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import get_game_page, post_move, post_resign
from tests.support.kinds import kinds_with_analysis, seat_keys
from tests.support.players import Person
from tests.support.snapshots import ask_evaluations, report_of

pytestmark = pytest.mark.django_db

each_kind = pytest.mark.parametrize("slug", kinds_with_analysis())


def make_analysed_game(owner: Person, slug: str) -> Game:
    """Return a game that was resigned after four moves and analysed."""
    game = make_game_with_moves(owner, 4, rules=all_rules()[slug])
    analyse(owner, game)
    return game


def get_analysis_page(person: Person, game: Game, ply: object) -> str:
    page = person.client.get(f"/g/{game.id}/analysis/", {"ply": ply}).text
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


@each_kind
def test_every_move_of_a_finished_game_gets_a_value(slug, owner):
    game = make_analysed_game(owner, slug)
    page = owner.client.get(f"/g/{game.id}/analysis/").text
    assert not Evaluation.objects.filter(done=False).exists()
    assert "<polyline" in page
    assert "to go." not in page
    for move in game.moves.exclude(text="resign"):
        row = page.split(f"{move.ply}. {move.text}</a>")[1].split("</tr>")[0]
        assert "–" not in row.split("<td>")[2]


@each_kind
def test_a_repeated_request_is_one_request(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug])
    post_resign(owner, game)
    for _ in range(2):
        owner.client.post(f"/g/{game.id}/analysis/")
    assert Evaluation.objects.filter(game=game).count() == game.ply + 1


@each_kind
def test_a_running_game_of_two_players_is_not_analysed(slug, owner, opponent, stranger):
    game = make_game(owner, opponent, rules=all_rules()[slug])
    post_move(owner, game)
    for person in (owner, opponent, stranger):
        response = person.client.post(f"/g/{game.id}/analysis/")
        assert response.status_code == 422
        assert f"/g/{game.id}/analysis/" not in get_game_page(person, game)
    assert not Evaluation.objects.exists()


@each_kind
def test_a_solo_player_may_analyse_a_running_game(slug, owner, stranger):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug])
    assert f"/g/{game.id}/analysis/" in get_game_page(owner, game)
    assert stranger.client.post(f"/g/{game.id}/analysis/").status_code == 422
    assert owner.client.post(f"/g/{game.id}/analysis/").status_code == 302
    run_all_jobs()
    assert report_of(game).complete
    assert all(line.shown for line in report_of(game).lines)


def test_a_running_game_with_an_open_seat_is_not_analysed(owner):
    rules = all_rules()[kinds_with_analysis()[0]]
    first, second = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={first: "me", second: "invite"})
    post_move(owner, game)
    assert owner.client.post(f"/g/{game.id}/analysis/").status_code == 422


@each_kind
def test_the_page_of_a_ply_shows_the_values_of_its_moves(slug, owner):
    game = make_game_with_moves(owner, 3, rules=all_rules()[slug])
    post_resign(owner, game)
    ask_evaluations(game, [1])
    run_all_jobs()
    assert "moves in this position" in owner.client.get(f"/g/{game.id}/1/").text


@each_kind
def test_an_analysis_reuses_the_values_of_a_hint(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    run_all_jobs()
    post_resign(owner, game)
    assert "Analyse this game" in owner.client.get(f"/g/{game.id}/analysis/").text
    owner.client.post(f"/g/{game.id}/analysis/")
    assert "Analyse this game" not in owner.client.get(f"/g/{game.id}/analysis/").text


@each_kind
def test_each_move_is_shown_beside_the_board_after_it(slug, owner, stranger):
    game = make_analysed_game(owner, slug)
    for move in game.moves.exclude(text="resign"):
        page = get_analysis_page(stranger, game, move.ply)
        assert f'aria-current="true">{move.ply}. {move.text}</a>' in page
        assert f'href="?ply={move.ply + 1}"' in page
        assert board_of(page) == board_of(stranger.client.get(f"/g/{game.id}/{move.ply}/").text)


def board_of(page: str) -> list[str]:
    """Return the names of the cells, without the moves that can be tried on them."""
    board = page.split("<tbody>")[1].split("</tbody>")[0]
    names = re.findall(r'aria-label="([^"]*)"', board)
    return [name.split(";")[0].replace(", better move", "") for name in names]


@each_kind
def test_the_first_position_has_a_page_of_the_analysis(slug, owner):
    page = get_analysis_page(owner, make_analysed_game(owner, slug), 0)
    assert 'aria-current="true"' not in page
    assert 'href="?ply=1"' in page


@each_kind
def test_an_unknown_ply_has_no_page_of_the_analysis(slug, owner):
    game = make_analysed_game(owner, slug)
    usual = get_analysis_page(owner, game, "").split('id="analysis"')[1]
    for ply in ("99", "-1", "x", "1e3", "٣"):
        assert get_analysis_page(owner, game, ply).split('id="analysis"')[1] == usual, ply


def page_without_values(owner: Person, *, pending: bool = False) -> str:
    """Return the page of an analysis without values, or with the last position pending."""
    game = make_game_with_moves(owner, 2, rules=all_rules()[kinds_with_analysis()[0]])
    post_resign(owner, game)
    ask_evaluations(game, range(game.ply + 1))
    for evaluation in game.evaluations.order_by("ply")[: game.ply if pending else None]:
        computers.store_evaluation(evaluation=evaluation, values=None)
    return owner.client.get(f"/g/{game.id}/analysis/").text


def test_an_analysis_without_any_value_says_so(owner):
    assert "couldn’t evaluate any position" in page_without_values(owner)


def test_a_pending_analysis_does_not_report_missing_values(owner):
    assert "couldn’t evaluate any position" not in page_without_values(owner, pending=True)


@pytest.mark.parametrize("known", [True, False])
def test_stored_values_tell_whether_they_are_exact(known):
    value = MoveValue(value=0.0, shown=text("+0"), known=known)
    assert jobs._as_json("a1", value)["known"] is known


@pytest.mark.parametrize("hint", [True, False])
def test_analysis_of_regions_gets_the_time_of_moves(hint, owner, monkeypatch):
    given = {}
    timed = SimpleNamespace(
        MISTAKE=1,
        evaluate=lambda position, *, seconds: given.setdefault("moves", seconds) and {},
        regions=lambda position, *, seconds=None: given.update(regions=seconds) or [],
    )
    monkeypatch.setattr(jobs, "computer_module", lambda kind: timed)
    ask_evaluations(make_game(owner), [0], hint=hint)
    run_all_jobs()
    assert given["regions"] == given["moves"]
