"""The link to the next game, which a player of games over days follows after a move."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.models import Game
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person

LINK = 'href="/me/next/"'


def make_slow_game(owner: Person, opponent: Person, waiting: int = 0) -> Game:
    """Return a game of three days a move that has waited for the owner for some days."""
    game = make_game(owner, opponent)
    clock = Clock.new(TimeControl(days=3), game.specs)
    since = timezone.now() - timedelta(days=waiting)
    Game.objects.filter(pk=game.pk).update(clock=clock.to_json(), updated=since)
    return game


def page_of(person: Person, game: Game) -> str:
    return str(person.client.get(game.get_absolute_url()).text)


def test_a_move_over_days_is_followed_by_the_game_that_has_waited_longest(
    owner: Person, opponent: Person
) -> None:
    first, second, last = (make_slow_game(owner, opponent, days) for days in (0, 2, 1))
    assert LINK not in page_of(owner, first)
    post_move(owner, first)
    assert LINK in page_of(owner, first)
    assert owner.client.get("/me/next/").url == second.get_absolute_url()
    post_move(owner, second)
    assert owner.client.get("/me/next/").url == last.get_absolute_url()
    post_move(owner, last)
    assert owner.client.get("/me/next/").url == "/me/"


def test_only_players_of_games_over_days_are_led_on(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    live = make_game(owner, opponent)
    post_move(owner, live)
    assert LINK not in page_of(owner, live)
    slow = make_slow_game(owner, opponent)
    post_move(owner, slow)
    assert LINK not in page_of(stranger, slow)
    assert stranger.client.get("/me/next/").url == "/me/"
