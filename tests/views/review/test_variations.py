"""Moves tried out on the analysis of a game: their boards, values and limits."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from games.contract import Rules
from games.core import rate_limits
from games.core.registry import all_rules
from games.models import Evaluation, Game, Move
from games.state.evaluations import read_block, read_evaluations
from games.state.snapshot import read_snapshot
from games.state.variations import LONGEST, read_variation
from tests.support.analyses import analyse, run_all_jobs
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import kinds_with_analysis, one_step_rules_with_hints
from tests.support.players import Person
from tests.support.snapshots import position_at, report_of

pytestmark = pytest.mark.django_db

each_kind = pytest.mark.parametrize("slug", kinds_with_analysis())
ANALYSABLE = kinds_with_analysis()[0]


def make_finished_game(owner: Person, slug: str = ANALYSABLE, plies: int = 3) -> Game:
    """Return a game that was resigned after so many moves."""
    game = make_game_with_moves(owner, plies, rules=all_rules()[slug])
    post_resign(owner, game)
    return game


def get_page(person: Person, game: Game, **query: object) -> str:
    """Return the page of a position, with the addresses on it as they are read."""
    page = person.client.get(f"/g/{game.id}/analysis/", query).text
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page)


def address_of(game: Game, **query: object) -> str:
    return f"/g/{game.id}/analysis/?{urlencode(query, safe=',{}')}"


def other_moves(game: Game, ply: int) -> list[str]:
    """Return the legal moves after ``ply`` moves that were not played."""
    position = position_at(game, ply)
    played = game.moves.get(ply=ply + 1).text
    return [m for m in position.legal_moves(min(position.to_move())) if m != played]


def moves_from(game: Game, ply: int, count: int) -> list[str]:
    """Return ``count`` legal moves after a position, the first of which was not played."""
    position, moves = position_at(game, ply), [other_moves(game, ply)[0]]
    for _ in range(count - 1):
        position.play(min(position.to_move()), moves[-1])
        moves.append(position.legal_moves(min(position.to_move()))[-1])
    return moves


def labels(page: str) -> list[str]:
    """Return the names of the cells of a board, without the choices on them."""
    board = page.split("<tbody>")[1].split("</tbody>")[0]
    return [label.split(";")[0] for label in re.findall(r'aria-label="([^"]*)"', board)]


@each_kind
def test_a_tried_move_leads_to_the_address_of_its_variation(slug, owner, stranger):
    game = make_finished_game(owner, slug)
    move = other_moves(game, 1)[0]
    query = {"ply": 1, "move": move}
    response = stranger.client.get(f"/g/{game.id}/analysis/", query)
    assert response.status_code == 302
    assert response["Location"] == address_of(game, ply=1, line=move)
    page = stranger.client.get(response["Location"]).text
    assert re.search(rf"aria-current=.step.>\s*2. {move}</a>", page)


@each_kind
def test_a_variation_shows_the_board_after_its_moves(slug, owner):
    game = make_finished_game(owner, slug)
    moves = moves_from(game, 1, 2)
    page = get_page(owner, game, ply=1, line=",".join(moves))
    own = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=own.pk).update(setup=game.setup)
    position = position_at(game, 1)
    for move in moves:
        position.play(min(position.to_move()), move)
    seen = [cell for row in position.view(None)["rows"] for cell in row]
    assert labels(page) == [html.escape(f"{c['name']}, {c['label']}") for c in seen]


def test_trying_the_move_that_was_played_follows_the_game(owner):
    game = make_finished_game(owner)
    query = {"ply": 1, "move": game.moves.get(ply=2).text}
    response = owner.client.get(f"/g/{game.id}/analysis/", query)
    assert response["Location"].endswith("/analysis/?ply=2")


def test_trying_the_next_move_of_a_variation_keeps_the_moves_after_it(owner):
    game = make_finished_game(owner)
    moves = moves_from(game, 0, 3)
    query = {"ply": 0, "line": ",".join(moves), "made": 1, "move": moves[1]}
    response = owner.client.get(f"/g/{game.id}/analysis/", query)
    assert response["Location"] == address_of(game, ply=0, line=",".join(moves), made=2)


def test_steps_lead_through_a_variation(owner):
    game = make_finished_game(owner)
    line = ",".join(moves_from(game, 0, 2))
    page = html.unescape(get_page(owner, game, ply=0, line=line, made=1))
    address = address_of(game, ply=0, line=line).split("/")[-1]
    assert f'data-address="{address}&made={{}}"' in page
    links = re.findall(r'rel="(prev|next)"\s+href="([^"]*)"', page)
    assert links == [("prev", f"{address}&made=0"), ("next", f"{address}&made=2")]


@pytest.mark.parametrize("line", ["nonsense", ",,,", "a1,a1", "ٱ", "resign", "0" * 5000])
def test_a_variation_ends_before_its_first_illegal_move(owner, line):
    game = make_finished_game(owner)
    move = other_moves(game, 0)[0]
    usual = labels(get_page(owner, game, ply=0, line=move))
    assert labels(get_page(owner, game, ply=0, line=f"{move},{line}")) == usual


def test_an_illegal_move_is_not_tried(owner):
    game = make_finished_game(owner)
    response = owner.client.get(f"/g/{game.id}/analysis/", {"ply": 0, "move": "z99"})
    assert response.status_code == 200
    assert labels(response.text) == labels(get_page(owner, game, ply=0))


def test_a_variation_has_a_longest_length(owner):
    game = make_finished_game(owner, one_step_rules_with_hints().slug)
    moves = moves_from(game, 0, LONGEST + 1)
    variation = read_variation(read_snapshot(game.pk), 0, ",".join(moves))
    assert variation.made == LONGEST
    page = get_page(owner, game, ply=0, line=",".join(moves[:LONGEST]))
    assert 'name="move"' not in page


@each_kind
def test_looking_at_a_variation_writes_nothing(slug, owner):
    game = make_finished_game(owner, slug)
    before = list(Move.objects.values_list("pk")), Evaluation.objects.count()
    get_page(owner, game, ply=0, line=other_moves(game, 0)[0])
    assert (list(Move.objects.values_list("pk")), Evaluation.objects.count()) == before


def stored_values(game: Game, ply: int) -> dict[str, Any]:
    """Return the values of a position of the game."""
    known = read_evaluations(read_snapshot(game.pk)).at(ply)
    return {**((known and known.values) or {})}


def card(page: str) -> str:
    """Return the sentence on the last move of a board."""
    return html.unescape(page.split('class="whose">')[1].split("</p>")[0])


@each_kind
def test_one_of_the_best_moves_of_an_analysed_game_has_its_value_at_once(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug])
    analyse(owner, game)
    stored = {value["move"] for value in stored_values(game, 1)["moves"]}
    move = next(other for other in other_moves(game, 1) if other in stored)
    assert f"2. {move}:" in card(get_page(owner, game, ply=1, line=move))


@each_kind
def test_any_other_move_gets_its_value_when_it_is_looked_at(slug, owner, stranger):
    game = make_game_with_moves(owner, 8, rules=all_rules()[slug])
    analyse(owner, game)
    ply, move = next(
        (ply, move)
        for ply in range(8)
        for move in set(other_moves(game, ply))
        - {value["move"] for value in stored_values(game, ply)["moves"]}
    )
    assert "Score the moves here" in get_page(stranger, game, ply=ply, line=move)
    stranger.client.post(f"/g/{game.id}/analysis/position/", {"ply": ply, "line": move})
    run_all_jobs()
    page = get_page(stranger, game, ply=ply, line=move)
    assert f"{ply + 1}. {move}:" in card(page)
    assert "Score the moves here" not in page


@each_kind
def test_the_values_after_tried_moves_are_asked_for_by_their_readers(slug, owner, stranger):
    game = make_finished_game(owner, slug)
    line = ",".join(moves_from(game, 1, 2))
    assert "Score the moves here" in get_page(stranger, game, ply=1, line=line)
    stranger.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1, "line": line})
    assert "Analysing" in get_page(stranger, game, ply=1, line=line)
    run_all_jobs()
    page = get_page(stranger, game, ply=1, line=line)
    assert "All moves in this position" in page
    assert "Analysing" not in page


@each_kind
def test_tried_moves_are_no_part_of_the_report(slug, owner):
    game = make_finished_game(owner, slug)
    line = other_moves(game, 1)[0]
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1, "line": line})
    run_all_jobs()
    assert len(read_block(game.pk)) == 2
    assert report_of(game).asked == 0


@each_kind
def test_the_better_move_leads_to_its_line(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug])
    analyse(owner, game)
    values = stored_values(game, 0)
    line = values["line"]
    assert line[0] == values["moves"][0]["move"]
    assert read_variation(read_snapshot(game.pk), 0, ",".join(line)).made == len(line) > 2


def test_each_move_but_the_best_leads_to_the_answers_to_it(owner):
    game = make_game(owner, rules=one_step_rules_with_hints(), size=6)
    for _ in range(6):
        post_move(owner, game)
    analyse(owner, game)
    lines = report_of(game).lines
    assert {bool(line.verdict) for line in lines} == {True, False}
    for line in lines:
        page, ply = html.unescape(get_page(owner, game, ply=line.move.ply)), line.move.ply
        assert ("Show the refutation" in page) == bool(line.verdict)
        assert ("Why not this move?" in page) == bool(line.better and not line.verdict)
        if line.better:
            answers = ",".join(stored_values(game, ply)["line"])
            assert f"?ply={ply}&line={answers}&made=1" in page


def test_any_move_can_be_asked_why_not_with_one_request(owner):
    game = make_game(owner, rules=one_step_rules_with_hints(), size=6)
    for _ in range(6):
        post_move(owner, game)
    analyse(owner, game)
    run_all_jobs()
    best = stored_values(game, 1)["moves"][0]["move"]
    move = next(move for move in other_moves(game, 1) if move != best)
    assert "Why not" not in html.unescape(get_page(owner, game, ply=1, line=move))
    before = Evaluation.objects.count()
    owner.client.post(f"/g/{game.id}/analysis/position/", {"ply": 1, "line": move})
    assert Evaluation.objects.count() - before <= 2
    run_all_jobs()
    page = html.unescape(get_page(owner, game, ply=1, line=move))
    assert "Why not this move?" in page or "Show the refutation" in page
    assert f"&line={move}," in page


def test_the_values_of_positions_are_limited(owner, settings, monkeypatch):
    settings.RATE_LIMITS = True
    monkeypatch.setattr(rate_limits.POSITIONS_PER_PLAYER, "limit", 1)
    game = make_finished_game(owner)
    address = f"/g/{game.id}/analysis/position/"
    assert owner.client.post(address, {"ply": 1}).status_code == 302
    assert owner.client.post(address, {"ply": 1}).status_code == 429


@each_kind
def test_no_move_is_tried_in_a_running_game_of_two_players(slug, owner, opponent, stranger):
    game = make_game(owner, opponent, rules=all_rules()[slug])
    post_move(owner, game)
    for person in (owner, opponent, stranger):
        address = f"/g/{game.id}/analysis/"
        assert person.client.get(address, {"ply": 0, "line": "a1"}).status_code == 422
        response = person.client.post(f"{address}position/", {"ply": 0})
        assert response.status_code == 422
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize(
    "rules", [rules for rules in all_rules().values() if not rules.analysis], ids=lambda r: r.slug
)
def test_games_without_analysis_have_no_variations(rules: Rules, owner):
    game = make_game(owner, rules=rules)
    address = f"/g/{game.id}/analysis/"
    assert owner.client.get(address, {"ply": 0, "line": "a1"}).status_code == 404
    assert owner.client.post(f"{address}position/", {"ply": 0}).status_code == 404
