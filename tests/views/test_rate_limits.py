"""Rate limits of players and addresses."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import rate_limits
from games.models import Game
from games.rate_limits import RateLimit, RateLimited
from games.web.client_address import address_key
from tests.support.game_factory import make_game
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules


def test_hits_within_the_limit_are_allowed():
    limit = RateLimit(3, 60)
    for _ in range(3):
        limit.hit("a")


def test_one_more_hit_is_refused():
    limit = RateLimit(3, 60)
    for _ in range(3):
        limit.hit("a")
    with pytest.raises(RateLimited):
        limit.hit("a")


def test_keys_are_counted_separately():
    limit = RateLimit(1, 60)
    limit.hit("a")
    limit.hit("b")


def test_hits_expire():
    limit = RateLimit(1, 0.0)
    for _ in range(5):
        limit.hit("a")


def test_the_least_recently_used_keys_are_forgotten(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 10)
    limit = RateLimit(1, 60)
    for number in range(100):
        limit.hit(str(number))
    assert len(limit._hits) == 10
    with pytest.raises(RateLimited):
        limit.hit("99")
    limit.hit("0")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:0:0:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("", "nonsense", True),
    ],
)
def test_ipv6_addresses_are_counted_by_their_network(one, other, same):
    assert (address_key(one) == address_key(other)) is same


@pytest.mark.django_db
def test_too_many_games_are_refused_with_a_sentence(client, monkeypatch):
    monkeypatch.setattr("games.views.new.GAMES_PER_ADDRESS", RateLimit(1, 60))
    rules = two_player_rules()
    sent = {o.name: str(o.default) for o in rules.options if o.kind in {"number", "choice"}}
    responses = [client.post(f"/new/{rules.slug}/", sent) for _ in range(2)]
    assert [response.status_code for response in responses] == [302, 429]
    assert "Too many requests" in responses[1].text
    assert Game.objects.count() == 1


def play_again(somebody):
    """End a new game of somebody's, and ask for the next one."""
    game = make_game(somebody)
    seat, _ = next_legal_move(game)
    somebody.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    return game, somebody.client.post(f"/g/{game.id}/rematch/").status_code


@pytest.mark.parametrize("whose", ["GAMES_PER_PLAYER", "GAMES_PER_ADDRESS"])
def test_a_rematch_counts_as_a_new_game(owner, monkeypatch, whose):
    monkeypatch.setattr(f"games.views.moves.{whose}", RateLimit(1, 60))
    assert [play_again(owner)[1] for _ in range(2)] == [302, 429]


def test_rematches_count_for_the_address_of_the_player_who_asks(owner, opponent, monkeypatch):
    monkeypatch.setattr("games.views.moves.GAMES_PER_ADDRESS", RateLimit(1, 60))
    assert [play_again(who)[1] for who in (owner, opponent)] == [302, 429]


@pytest.mark.parametrize("whose", ["GAMES_PER_PLAYER", "GAMES_PER_ADDRESS"])
def test_following_to_an_existing_rematch_is_not_counted(owner, monkeypatch, whose):
    monkeypatch.setattr(f"games.views.moves.{whose}", RateLimit(1, 60))
    game, _ = play_again(owner)
    assert owner.client.post(f"/g/{game.id}/rematch/").status_code == 302


def test_too_many_pictures_are_refused_with_a_sentence(owner, monkeypatch):
    monkeypatch.setattr("games.views.boards.PICTURES_PER_ADDRESS", RateLimit(1, 60))
    address = reverse("picture", args=[make_game(owner).id, 0])
    responses = [owner.client.get(address) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
    assert responses[1]["Content-Type"].startswith("text/plain")
    assert "Too many requests" in responses[1].text
