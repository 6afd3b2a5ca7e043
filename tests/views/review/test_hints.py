"""Hints: to whom they are offered, when they are ready, and their sentences."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.utils.translation import override

from games.contract import Text
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Evaluation, Game
from games.services import setup
from tests.support.analyses import run_all_jobs, stored_values
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import (
    get_game_page,
    next_legal_move,
    post_move,
    post_resign,
    post_undo,
)
from tests.support.kinds import kinds_with_analysis, three_player_options
from tests.support.players import Person
from tests.support.random_games import cell_names
from tests.support.snapshots import ask_evaluations, current_position, legal_moves

pytestmark = pytest.mark.django_db

each_kind = pytest.mark.parametrize("slug", kinds_with_analysis())


@pytest.fixture
def of_three(owner: Person) -> Game:
    """Return a game of three with hints, which is evaluable when two players are left."""
    rules, options = three_player_options()
    game = make_game(owner, rules=rules, **options)
    Game.objects.filter(pk=game.pk).update(hints=True)
    game.refresh_from_db()
    return game


def test_a_kind_without_analysis_has_no_hints_though_a_host_asks_for_them(owner):
    rules = next(rules for rules in all_rules().values() if not rules.analysis)
    new = setup.NewGame(rules=rules, options={}, seating={}, hints=True)
    assert not setup.create_game(player=owner.player, new=new).hints


def test_no_hint_is_offered_without_values_of_moves(of_three, owner):
    assert 'id="b-hint"' not in get_game_page(owner, of_three)


def test_a_player_with_hints_is_told_why_there_is_none_yet(of_three, owner, stranger):
    assert (
        "Hints: The computer can only evaluate moves once two players are left."
        in get_game_page(owner, of_three)
    )
    assert "Hints:" not in get_game_page(stranger, of_three)


def test_players_are_told_why_their_game_has_no_analysis(of_three, owner, stranger):
    refusal = "No analysis. The computer can only evaluate moves once two players are left."
    assert refusal not in get_game_page(owner, of_three)
    post_move(owner, of_three)
    assert refusal in get_game_page(owner, of_three)
    assert refusal not in get_game_page(stranger, of_three)
    assert refusal in owner.client.get(f"/g/{of_three.id}/1/").text


def test_no_analysis_is_offered_of_a_game_without_evaluable_positions(of_three, owner):
    address = f"/g/{of_three.id}/analysis/"
    post_move(owner, of_three)
    of_three.refresh_from_db()
    assert address not in get_game_page(owner, of_three)
    for response in (owner.client.get(address), owner.client.post(address)):
        assert (response.status_code, "two players are left" in response.text) == (422, True)
    assert not of_three.evaluations.exists()


def test_an_analysis_is_offered_after_an_evaluable_position(of_three, owner):
    for _ in range(2):
        post_resign(owner, of_three)
        assert f"/g/{of_three.id}/analysis/" in get_game_page(owner, of_three)
    assert "Analyse this game" in owner.client.get(f"/g/{of_three.id}/analysis/").text


def test_a_hint_is_offered_from_the_first_evaluable_position(of_three, owner):
    post_resign(owner, of_three)
    assert 'id="b-hint"' in get_game_page(owner, of_three)


@each_kind
def test_a_hint_is_offered_in_a_game_of_two_players(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=True, version=game.version + 1)
    assert 'id="b-hint"' in get_game_page(owner, game)


def test_a_request_for_an_impossible_hint_is_refused_with_the_reason(of_three, owner):
    owner.client.post(f"/g/{of_three.id}/hint/")
    run_all_jobs()
    assert "two players are left" in owner.client.get(f"/g/{of_three.id}/hint/").text


def test_an_analysis_is_complete_without_inevaluable_positions(of_three, owner):
    post_move(owner, of_three)
    post_resign(owner, of_three)
    ask_evaluations(of_three, [0, 1])
    run_all_jobs()
    Game.objects.filter(pk=of_three.pk).update(status=Game.Status.OVER)
    assert owner.client.get(f"/g/{of_three.id}/analysis/").status_code == 200


def words_of(response: HttpResponse) -> str:
    """Return the HTML of a response with one space for each run of white space."""
    return " ".join(response.text.split())


@each_kind
def test_a_hint_has_the_cells_of_its_move(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    run_all_jobs()
    hint = words_of(owner.client.get(f"/g/{game.id}/hint/"))
    cells = re.search(r'data-cells="([^"]+)"', hint)[1].split()
    named = cell_names(current_position(game))
    best = re.search(r"Hint: ([^<]+)<", hint)[1]
    assert cells
    assert set(cells) <= set(named)
    assert set(cells) >= set(best.split()) & set(named)


@each_kind
def test_an_allowed_hint_names_a_legal_move(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    run_all_jobs()
    page = words_of(owner.client.get(f"/g/{game.id}/hint/"))
    values = stored_values()
    hint = page.split("Hint: ")[1].split("</strong>")[0]
    assert hint.count(values["moves"][0]["move"]) == 1
    assert values["moves"][0]["value"] >= values["moves"][-1]["value"]


@each_kind
def test_a_hint_describes_its_clicks_in_the_words_of_the_board(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    run_all_jobs()
    position, tokens = current_position(game), stored_values()["moves"][0]["move"]
    labels, chosen = [], []
    for token in tokens.split():
        stage = position.stage(min(position.to_move()), chosen)
        labels += [str(step.label) for step in stage.steps if step.text == token]
        chosen.append(token)
    page = unescape(words_of(owner.client.get(f"/g/{game.id}/hint/")))
    sentence = position.tell_move(tokens) or " · ".join(labels)
    assert f"Hint: {sentence}" in page


@each_kind
@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_hint_consists_of_sentences(slug, language, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    run_all_jobs()
    best = stored_values()["moves"][0]
    headers = {"Accept-Language": language}
    page = words_of(owner.client.get(f"/g/{game.id}/hint/", headers=headers))
    sentence = unescape(re.search(r"Hint: (.*?) ?</p>", page)[1])
    with override(language):
        shown = translate(Text.from_json(best["shown"]))
        why = f" {translate(Text.from_json(best['why']))}" if best["why"] else ""
    assert sentence.endswith(f".</strong> {shown[0].upper()}{shown[1:]}.{why}")
    assert sentence.endswith(".")


@each_kind
def test_a_hint_that_is_not_allowed_is_refused_with_a_sentence(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug])
    response = owner.client.post(f"/g/{game.id}/hint/")
    assert response.status_code == 422
    assert "Hints are off" in response.text


@each_kind
def test_a_stranger_gets_no_hint(slug, owner, stranger):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    assert stranger.client.post(f"/g/{game.id}/hint/").status_code == 403
    assert not Evaluation.objects.exists()


@each_kind
def test_a_hint_for_an_undone_move_is_not_shown(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    ask_evaluations(game, [2], hint=True)
    run_all_jobs()
    post_undo(owner, game)
    game.refresh_from_db()
    _, move = next_legal_move(game)
    other = next(m for m in legal_moves(game) if m != move)
    post_move(owner, game, move=other)
    assert "Hint:" not in owner.client.get(f"/g/{game.id}/hint/").text


@each_kind
def test_polling_for_a_hint_gets_204_until_it_is_ready(slug, owner):
    game = make_game_with_moves(owner, 2, rules=all_rules()[slug], hints=True)
    headers = {"HX-Request": "true"}
    response = owner.client.post(f"/g/{game.id}/hint/", headers=headers)
    assert "Looking for a hint" in response.text
    for _ in range(2):
        poll = owner.client.get(f"/g/{game.id}/hint/", headers=headers)
        assert (poll.status_code, poll.content) == (204, b"")
    run_all_jobs()
    assert "Hint: " in words_of(owner.client.get(f"/g/{game.id}/hint/", headers=headers))
