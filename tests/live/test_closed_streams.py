"""Streams of games that are closed to watchers."""

from __future__ import annotations

from typing import Any

import pytest

from games.live.events import HEARTBEAT, SHUT, Boards, board_event
from games.live.source import Database
from games.live.stream import Stream
from games.models import Game
from games.presentation.visibility import Viewer
from games.services import lobby
from tests.support.game_factory import make_game
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    """Return a closed game of two people."""
    game = make_game(owner, opponent)
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    return game


def boards(game: Game, *viewers: Viewer) -> Boards:
    found = Database().boards(game.pk, viewers)
    assert found is not None
    return found


def test_players_are_sent_the_board_of_a_closed_game(game, owner, opponent):
    viewers = [Viewer(person.player.pk) for person in (owner, opponent)]
    for event in boards(game, *viewers).by_viewer.values():
        assert b'id="board"' in event.plain["body"]


@pytest.mark.parametrize("lobby", ["", "guest", "watch"])
def test_streams_of_watchers_end_when_a_game_is_closed(game, stranger, lobby):
    viewers = [Viewer(stranger.player.pk, lobby=lobby), Viewer(lobby=lobby)]
    assert all(event is SHUT for event in boards(game, *viewers).by_viewer.values())
    assert not SHUT.plain["more_body"] and not SHUT.gzipped["more_body"]
    assert SHUT.plain["body"] == b"event: shut\ndata: \n\n"


def test_no_stream_of_a_closed_game_is_opened_for_watchers(game, owner, stranger):
    database = Database()
    assert not database.is_closed(game.id)
    database.versions([game.id])
    assert database.is_closed(game.id)
    assert database.admits(game.id, Viewer(owner.player.pk))
    assert not database.admits(game.id, Viewer(stranger.player.pk))
    assert not database.admits(game.id, Viewer(lobby="guest"))
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=False)
    database.versions([game.id])
    assert not database.is_closed(game.id)


def test_nothing_follows_the_end_of_a_stream():
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    stream = Stream(send, gzipped=False)
    stream.open(1)
    for event in (SHUT, HEARTBEAT, board_event(9, b"secret")):
        stream.write(event)
    stream.finish()
    assert sent == [SHUT.plain]
