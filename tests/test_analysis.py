"""Hints and the look back at a game, with the real computers, in this process."""

from __future__ import annotations

import pytest

from games import services
from games.models import Evaluation, Game
from games.registry import all_rules
from games.thinking import think_once
from tests.cast import Person, a_game, next_move, person, post_move

pytestmark = pytest.mark.django_db

ANALYSED = [slug for slug, rules in all_rules().items() if rules.analysis]
each_kind = pytest.mark.parametrize("slug", ANALYSED)


@pytest.fixture
def owner() -> Person:
    return person("Olive")


@pytest.fixture
def stranger() -> Person:
    return person("Stan")


def a_short_game(owner: Person, slug: str, *, plies: int, hints: bool = False) -> Game:
    game = a_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=hints)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    return game


def resign(owner: Person, game: Game) -> None:
    seat, _ = next_move(game)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": game.ply})
    game.refresh_from_db()


def think() -> None:
    while think_once():
        pass


@each_kind
def test_every_move_of_a_finished_game_gets_a_value(slug, owner):
    game = a_short_game(owner, slug, plies=4)
    resign(owner, game)
    owner.client.post(f"/g/{game.id}/analysis/")
    think()
    page = owner.client.get(f"/g/{game.id}/analysis/").text
    assert not Evaluation.objects.filter(done=False).exists()
    assert "<polyline" in page
    assert "to go." not in page
    for move in game.moves.exclude(text="resign"):
        row = page.split(f"{move.ply}. {move.text}</a>")[1].split("</tr>")[0]
        assert "–" not in row.split("<td>")[2]


@each_kind
def test_asking_twice_is_asking_once(slug, owner):
    game = a_short_game(owner, slug, plies=2)
    resign(owner, game)
    for _ in range(2):
        owner.client.post(f"/g/{game.id}/analysis/")
    assert Evaluation.objects.filter(game=game).count() == game.ply + 1


@each_kind
def test_a_running_game_is_not_analysed_for_anybody(slug, owner, stranger):
    game = a_short_game(owner, slug, plies=2)
    for somebody in (owner, stranger):
        answer = somebody.client.post(f"/g/{game.id}/analysis/")
        assert answer.status_code == 422
    assert not Evaluation.objects.exists()


@each_kind
def test_a_hint_names_a_legal_move_when_the_players_allowed_it(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    page = owner.client.get(f"/g/{game.id}/hint/").text
    values = Evaluation.objects.get().values
    assert f"Hint: {values['moves'][0]['move']}" in page
    assert values["moves"][0]["value"] >= values["moves"][-1]["value"]


@each_kind
def test_a_hint_that_was_not_allowed_is_refused_with_a_sentence(slug, owner):
    game = a_short_game(owner, slug, plies=2)
    answer = owner.client.post(f"/g/{game.id}/hint/")
    assert answer.status_code == 422
    assert "Hints were not allowed" in answer.text


@each_kind
def test_a_stranger_gets_no_hint(slug, owner, stranger):
    game = a_short_game(owner, slug, plies=2, hints=True)
    assert stranger.client.post(f"/g/{game.id}/hint/").status_code == 422
    assert not Evaluation.objects.exists()


@each_kind
def test_a_hint_for_a_move_that_was_taken_back_is_not_shown(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    services.ask_evaluations(game=game, plies=[2], hint=True)
    think()
    owner.client.post(f"/g/{game.id}/undo/")
    game.refresh_from_db()
    _, move = next_move(game)
    other = next(m for m in legal(game) if m != move)
    post_move(owner, game, move=other)
    assert "Hint:" not in owner.client.get(f"/g/{game.id}/hint/").text


def legal(game: Game) -> list[str]:
    from games.positions import position_at

    position = position_at(game, game.ply)
    return list(position.legal_moves(min(position.to_move())))


@each_kind
def test_the_page_of_a_ply_shows_what_was_possible_there(slug, owner):
    game = a_short_game(owner, slug, plies=3)
    resign(owner, game)
    services.ask_evaluations(game=game, plies=[1])
    think()
    assert "What each move was worth here" in owner.client.get(f"/g/{game.id}/1/").text
