"""Thinking time is asked for within a quota: hints by a player, analyses by an address too."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Evaluation, Game
from games.rate_limits import RateLimit
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def a_finished_game(owner: Person) -> Game:
    """A game of a kind that can be analysed, given up at once."""
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    seat, _ = next_legal_move(game)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    return game


def test_analyses_per_address_are_limited(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.ANALYSES_PER_ADDRESS", RateLimit(1, 60))
    games = [a_finished_game(owner) for _ in range(2)]
    responses = [Client().post(f"/g/{game.id}/analysis/") for game in games]
    assert [response.status_code for response in responses] == [302, 429]
    assert "Too many requests" in responses[1].text
    assert not Evaluation.objects.filter(game=games[1]).exists()


def test_an_analysis_counts_for_the_player_who_asked(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    games = [a_finished_game(owner) for _ in range(2)]
    responses = [owner.client.post(f"/g/{game.id}/analysis/") for game in games]
    assert [response.status_code for response in responses] == [302, 429]


def test_too_many_hints_are_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.analysis.HINTS_PER_PLAYER", RateLimit(1, 60))
    game = make_game(owner, rules=next(rules for rules in all_rules().values() if rules.analysis))
    Game.objects.filter(pk=game.pk).update(hints=True)
    headers = {"HX-Request": "true"}
    responses = [owner.client.post(f"/g/{game.id}/hint/", headers=headers) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
    assert "Too many requests" in responses[1].text


def test_htmx_swaps_in_the_refusal_of_a_hint(owner):
    assert '"403|409|422|429","swap":true' in owner.client.get("/").text
