"""The render cache: one rendering per version and perspective, shared by all threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.utils import translation

from games.live.source import Database
from games.models import Game
from games.presentation import game_page
from games.presentation.visibility import Perspective, Viewer
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.players import new_person

SPECTATOR = Perspective()


@pytest.fixture
def rendered(monkeypatch):
    """Return a list that collects the perspectives that are rendered."""
    perspectives = []
    render = game_page._render
    monkeypatch.setattr(
        game_page, "_render", lambda *given: perspectives.append(given[1]) or render(*given)
    )
    return perspectives


def update(game: Game, seen_by: Perspective = SPECTATOR) -> bytes:
    return game_page.render_update(read_snapshot(game.pk), seen_by)


@pytest.mark.django_db
def test_each_perspective_on_a_version_is_rendered_once(rendered):
    game = make_game(new_person("Olive"))
    dutch, holder = Perspective(language="nl"), Perspective(confirm="always")
    for _ in range(2):
        assert update(game) == update(game)
        with translation.override("nl"):
            update(game, dutch)
        update(game, holder)
    assert rendered == [SPECTATOR, dutch, holder]


@pytest.mark.django_db
def test_the_next_version_is_rendered_anew(rendered):
    game = make_game(new_person("Olive"))
    update(game)
    Game.objects.update(version=game.version + 1)
    update(game)
    assert len(rendered) == 2


@pytest.mark.django_db
def test_threads_that_ask_at_once_share_one_rendering(rendered):
    snapshot = read_snapshot(make_game(new_person("Olive")).pk)
    start = Barrier(4)

    def render(_: int) -> bytes:
        start.wait()
        return game_page.render_update(snapshot, SPECTATOR)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(render, range(4)))) == 1
    assert len(rendered) == 1


@pytest.mark.django_db
def test_the_cache_of_responses_counts_bytes_sent(rendered, client):
    game = make_game(new_person("Olive"))
    body = client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).content
    assert game_page._renderings.size == len(body)
    assert update(game) == body


@pytest.mark.django_db
def test_the_cache_of_events_counts_bytes():
    database, game = Database(), make_game(new_person("Olive"))
    (event,) = database.boards(game.id, [Viewer()]).by_viewer.values()
    assert database._events.size == event.size > len(update(game))
