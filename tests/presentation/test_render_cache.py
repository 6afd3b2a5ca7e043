"""What answers a move is made once for all who see the same, from whatever thread they ask."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest
from django.db import connection

from games.live.source import Database
from games.live.subscriptions import Subscription
from games.models import Game
from games.presentation import render_cache
from games.presentation.game_page import ViewerContext
from games.presentation.visibility import Viewer
from games.replay import position_at
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.players import new_person

WATCHING = ViewerContext(Viewer())


@pytest.fixture
def made(monkeypatch):
    """The answers that were made, not found."""
    clear_all()
    seen = []
    make = render_cache._make
    monkeypatch.setattr(
        render_cache, "_make", lambda *asked: seen.append(asked[2:]) or make(*asked)
    )
    return seen


def ask(game: Game, seen: ViewerContext = WATCHING, language: str = "en") -> bytes:
    return render_cache.answer(game, position_at(game, game.ply), seen, language)


@pytest.mark.django_db
def test_each_way_of_seeing_a_version_is_made_once(made):
    game = make_game(new_person("Olive"))
    holder = ViewerContext(Viewer(), confirm="always")
    for _ in range(2):
        assert ask(game) == ask(game)
        ask(game, language="nl")
        ask(game, holder)
    assert made == [(WATCHING, "en"), (WATCHING, "nl"), (holder, "en")]


@pytest.mark.django_db
def test_the_next_version_is_made_anew(made):
    game = make_game(new_person("Olive"))
    ask(game)
    game.version += 1
    ask(game)
    assert len(made) == 2


@pytest.mark.django_db(transaction=True)
def test_threads_that_ask_at_once_share_one_making(made):
    game = make_game(new_person("Olive"))
    position = position_at(game, game.ply)
    _ = game.seating
    start = Barrier(4)

    def at_once(_: int) -> bytes:
        start.wait()
        # Its thread ends, and would leave the database it asked with a connection too many.
        with closing(connection):
            return render_cache.answer(game, position, WATCHING, "en")

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(at_once, range(4)))) == 1
    assert len(made) == 1


@pytest.mark.django_db
def test_answers_are_kept_by_their_size_as_they_are_sent(made, client):
    game = make_game(new_person("Olive"))
    sent = client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).content
    assert render_cache._kept._total_size == len(sent)
    assert ask(game) == sent


@pytest.mark.django_db
def test_events_are_kept_by_their_size():
    database, game = Database(), make_game(new_person("Olive"))
    (event,) = database.snapshot(game.id, [Subscription()]).boards.values()
    assert database._events._total_size == event.size > len(ask(game))
