"""Thinking time is asked for within a quota: hints by a player, analyses by an address too."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Evaluation, Game
from games.rate_limits import RateLimit
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.posts import next_legal_move

pytestmark = pytest.mark.django_db


def a_finished_game(owner: Person) -> Game:
    """A game of a kind that can be analysed, given up at once."""
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    seat, _ = next_legal_move(game)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    return game


def test_an_address_does_not_have_games_analysed_without_end(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.ANALYSES_PER_ADDRESS", RateLimit(1, 60))
    games = [a_finished_game(owner) for _ in range(2)]
    answers = [Client().post(f"/g/{game.id}/analysis/") for game in games]
    assert [answer.status_code for answer in answers] == [302, 429]
    assert "too often" in answers[1].text
    assert not Evaluation.objects.filter(game=games[1]).exists()


def test_an_analysis_is_a_wish_of_its_player(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    games = [a_finished_game(owner) for _ in range(2)]
    answers = [owner.client.post(f"/g/{game.id}/analysis/") for game in games]
    assert [answer.status_code for answer in answers] == [302, 429]


def test_too_many_hints_are_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    Game.objects.filter(pk=game.pk).update(hints=True)
    headers = {"HX-Request": "true"}
    answers = [owner.client.post(f"/g/{game.id}/hint/", headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert "too often" in answers[1].text


def test_htmx_shows_that_sentence(owner):
    assert '"403|409|422|429","swap":true' in owner.client.get("/").text
