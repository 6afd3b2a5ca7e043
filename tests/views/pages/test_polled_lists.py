"""Polls of the front page: 304 without rendering the lists, or the new lists if they have
changed."""

from __future__ import annotations

import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.game_requests import poll_lists, post_resign
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def queries_of_a_poll(person: Person, tag: str) -> int:
    """Return the number of queries of a poll that finds nothing new."""
    with CaptureQueriesContext(connection) as queries:
        assert poll_lists(person, tag).status_code == 304
    return len(queries)


@pytest.fixture
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything happen in the same second and minute."""
    monkeypatch.setattr(
        "games.state.lists.time", SimpleNamespace(monotonic=lambda: 7, time=lambda: 7)
    )


@pytest.mark.usefixtures("one_second")
def test_polls_of_visitors_share_one_reading_of_the_open_games(client):
    tag = client.get("/", headers={"HX-Request": "true"})["ETag"]
    with CaptureQueriesContext(connection) as queries:
        again = client.get("/", headers={"HX-Request": "true", "If-None-Match": tag})
    assert (again.status_code, len(queries)) == (304, 0)


@pytest.mark.usefixtures("one_second")
def test_polls_of_visitors_share_one_answer(client, stranger):
    first = client.get("/", headers={"HX-Request": "true"})
    with CaptureQueriesContext(connection) as queries:
        second = poll_lists(stranger)
    assert second["ETag"] == first["ETag"]
    assert not [query for query in queries if "listed" in query["sql"]]


@pytest.mark.usefixtures("one_second")
def test_a_poll_without_news_reads_the_versions_of_games_alone(owner, opponent):
    for _ in range(3):
        make_game(owner, opponent)
    tag = poll_lists(owner)["ETag"]
    assert queries_of_a_poll(owner, tag) <= 3


@pytest.mark.parametrize("ends", [True, False])
def test_a_poll_shows_another_game_and_its_end(owner, opponent, ends):
    game = make_game(owner, opponent)
    tag = poll_lists(owner)["ETag"]
    if ends:
        post_resign(opponent, game)
    else:
        make_game(owner, opponent)
    assert poll_lists(owner, tag).status_code == 200


def test_a_poll_shows_a_new_open_game(owner, stranger):
    tag = poll_lists(stranger)["ETag"]
    rules = two_player_rules()
    first, second = seat_keys(rules)
    make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    clear_all()
    assert poll_lists(stranger, tag).status_code == 200


@pytest.mark.parametrize(("hours", "status"), [(0, 304), (2, 200)])
def test_lists_are_sent_again_when_their_times_change(owner, opponent, monkeypatch, hours, status):
    make_game(owner, opponent)
    tag = poll_lists(owner)["ETag"]
    Game.objects.update(updated=timezone.now() - timedelta(hours=hours))
    later = SimpleNamespace(monotonic=time.monotonic, time=lambda: time.time() + 60)
    monkeypatch.setattr("games.state.lists.time", later)
    assert poll_lists(owner, tag).status_code == status
