"""Hints are offered where there are any, and where there are none it is said why."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils.translation import override

from games.contract import Text
from games.models import Evaluation, Game
from games.registry import all_rules
from games.translation import translate
from games.worker import run_one_job
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.posts import next_legal_move, post_move, post_undo
from tests.support.random_games import cell_names as cells_of
from tests.support.snapshots import ask_evaluations, current_position
from tests.views.test_analysis import ANALYSED, a_short_game, each_kind, legal, think, three_seats

pytestmark = pytest.mark.django_db


@pytest.fixture
def of_three(owner: Person) -> Game:
    """A game with hints that cannot be valued while three are in it."""
    rules, players = three_seats()
    game = make_game(owner, rules=rules, **players)
    Game.objects.filter(pk=game.pk).update(hints=True)
    game.refresh_from_db()
    return game


def page(who: Person, game: Game) -> str:
    return who.client.get(game.get_absolute_url()).text


def test_no_hint_is_offered_without_values_of_moves(of_three, owner):
    assert 'id="b-hint"' not in page(owner, of_three)


def test_a_player_with_hints_is_told_why_there_is_none_yet(of_three, owner, stranger):
    assert "Hints: The computer can only evaluate moves once two players are left." in page(
        owner, of_three
    )
    assert "Hints:" not in page(stranger, of_three)


def test_no_analysis_is_offered_of_a_game_without_evaluable_positions(of_three, owner):
    address = f"/g/{of_three.id}/analysis/"
    post_move(owner, of_three)
    of_three.refresh_from_db()
    assert address not in page(owner, of_three)
    for response in (owner.client.get(address), owner.client.post(address)):
        assert (response.status_code, "two players are left" in response.text) == (422, True)
    assert not of_three.evaluations.exists()


def test_an_analysis_is_offered_after_an_evaluable_position(of_three, owner):
    for _ in range(2):
        seat, _ = next_legal_move(of_three)
        owner.client.post(f"/g/{of_three.id}/resign/", {"seat": seat, "ply": of_three.ply})
        assert f"/g/{of_three.id}/analysis/" in page(owner, of_three)
    assert "Analyse this game" in owner.client.get(f"/g/{of_three.id}/analysis/").text


def test_a_hint_is_offered_from_the_first_evaluable_position(of_three, owner):
    seat, _ = next_legal_move(of_three)
    owner.client.post(f"/g/{of_three.id}/resign/", {"seat": seat, "ply": of_three.ply})
    assert 'id="b-hint"' in page(owner, of_three)


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rules().items() if rules.analysis])
def test_a_hint_is_offered_in_a_game_of_two_players(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=True, version=game.version + 1)
    assert 'id="b-hint"' in page(owner, game)


def test_a_request_for_an_impossible_hint_is_refused_with_the_reason(of_three, owner):
    owner.client.post(f"/g/{of_three.id}/hint/")
    while run_one_job():
        pass
    assert "two players are left" in owner.client.get(f"/g/{of_three.id}/hint/").text


def test_an_analysis_is_complete_without_inevaluable_positions(of_three, owner):
    post_move(owner, of_three)
    seat, _ = next_legal_move(of_three)
    owner.client.post(f"/g/{of_three.id}/resign/", {"seat": seat, "ply": of_three.ply})
    of_three.refresh_from_db()
    ask_evaluations(of_three, [0, 1])
    while run_one_job():
        pass
    Game.objects.filter(pk=of_three.pk).update(status=Game.Status.OVER)
    assert owner.client.get(f"/g/{of_three.id}/analysis/").status_code == 200


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rules().items() if rules.analysis])
def test_a_hint_has_the_cells_of_its_move(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    while run_one_job():
        pass
    hint = owner.client.get(f"/g/{game.id}/hint/").text
    cells = re.search(r'data-cells="([^"]+)"', hint)[1].split()
    named = cells_of(current_position(game))
    best = re.search(r"Hint: ([^<]+)<", hint)[1]
    assert cells
    assert set(cells) <= set(named)
    assert set(cells) >= set(best.split()) & set(named)


@each_kind
def test_an_allowed_hint_names_a_legal_move(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    page = owner.client.get(f"/g/{game.id}/hint/").text
    values = Evaluation.objects.get().values
    hint = page.split("Hint: ")[1].split("</strong>")[0]
    assert hint.count(values["moves"][0]["move"]) == 1
    assert values["moves"][0]["value"] >= values["moves"][-1]["value"]


@each_kind
def test_a_hint_describes_its_clicks_in_the_words_of_the_board(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    position, tokens = current_position(game), Evaluation.objects.get().values["moves"][0]["move"]
    said, chosen = [], []
    for token in tokens.split():
        stage = position.stage(min(position.to_move()), chosen)
        said += [str(step.label) for step in stage.steps if step.text == token]
        chosen.append(token)
    page = unescape(owner.client.get(f"/g/{game.id}/hint/").text)
    assert f"Hint: {' · '.join(said)}" in page


@each_kind
@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_hint_consists_of_sentences(slug, language, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    best = Evaluation.objects.get().values["moves"][0]
    page = owner.client.get(f"/g/{game.id}/hint/", headers={"Accept-Language": language}).text
    told = unescape(re.search(r"Hint: (.*?)</p>", page)[1])
    with override(language):
        shown = translate(Text.from_json(best["shown"]))
        why = f" {translate(Text.from_json(best['why']))}" if best["why"] else ""
    assert told.endswith(f".</strong> {shown[0].upper()}{shown[1:]}.{why}")
    assert told.endswith(".")


def test_an_old_hint_without_stored_steps_names_the_move(owner):
    game = a_short_game(owner, ANALYSED[0], plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    values = Evaluation.objects.get().values
    del values["steps"]
    Evaluation.objects.update(values=values)
    page = owner.client.get(f"/g/{game.id}/hint/").text
    assert f"Hint: {values['moves'][0]['move']}.</strong>" in page


@each_kind
def test_a_hint_that_is_not_allowed_is_refused_with_a_sentence(slug, owner):
    game = a_short_game(owner, slug, plies=2)
    response = owner.client.post(f"/g/{game.id}/hint/")
    assert response.status_code == 422
    assert "Hints were not allowed" in response.text


@each_kind
def test_a_stranger_gets_no_hint(slug, owner, stranger):
    game = a_short_game(owner, slug, plies=2, hints=True)
    assert stranger.client.post(f"/g/{game.id}/hint/").status_code == 403
    assert not Evaluation.objects.exists()


@each_kind
def test_a_hint_for_an_undone_move_is_not_shown(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    ask_evaluations(game, [2], hint=True)
    think()
    post_undo(owner, game)
    game.refresh_from_db()
    _, move = next_legal_move(game)
    other = next(m for m in legal(game) if m != move)
    post_move(owner, game, move=other)
    assert "Hint:" not in owner.client.get(f"/g/{game.id}/hint/").text


@each_kind
def test_polling_for_a_hint_gets_204_until_it_is_ready(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    headers = {"HX-Request": "true"}
    asked = owner.client.post(f"/g/{game.id}/hint/", headers=headers)
    assert "Thinking about a hint" in asked.text
    for _ in range(2):
        waits = owner.client.get(f"/g/{game.id}/hint/", headers=headers)
        assert (waits.status_code, waits.content) == (204, b"")
    think()
    assert "Hint: " in owner.client.get(f"/g/{game.id}/hint/", headers=headers).text
