"""The stream of a lobby: the board's stream, with lobbies instead of boards."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from games.live.source import Database
from games.models import Game
from games.presentation.visibility import Viewer
from games.services import lobby
from tests.support.game_factory import make_lobby
from tests.support.kinds import kinds_with_shared_seats
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def sent_to(game: Game, *viewers: Viewer) -> list[str]:
    """Return the HTML that the stream sends to each viewer."""
    boards = Database().boards(game.pk, viewers)
    assert boards is not None
    return [boards.by_viewer[viewer].plain["body"].decode() for viewer in viewers]


@pytest.fixture
def game(owner: Person) -> Game:
    return make_lobby(owner, rules=all_rules()[kinds_with_shared_seats()[0]])


def test_host_guest_and_spectator_are_sent_different_lobbies(game, owner, stranger):
    host, guest, watcher = sent_to(
        game,
        Viewer(owner.player.pk, lobby="guest"),
        Viewer(stranger.player.pk, lobby="guest"),
        Viewer(stranger.player.pk, lobby="watch"),
    )
    assert 'id="b-begin"' in host
    assert 'id="b-begin"' not in guest
    assert 'id="b-sit-' in guest
    assert 'id="b-sit-' not in watcher


def test_no_viewer_is_sent_a_board_before_the_game_begins(game, opponent):
    secret = next(spec.key for spec in game.specs if spec.secret)
    lobby.sit_down(game_id=game.pk, seat_key=secret, player=opponent.player)
    for html in sent_to(game, Viewer(opponent.player.pk), Viewer(opponent.player.pk, secret)):
        assert 'data-lobby="open"' in html
        assert 'class="grid' not in html


def test_the_stream_of_a_lobby_says_that_the_game_has_begun(game, owner):
    lobby.begin(game_id=game.pk, player=owner.player)
    (html,) = sent_to(game, Viewer(owner.player.pk, lobby="guest"))
    assert 'data-lobby="begun"' in html
    assert f'data-game="{game.get_absolute_url()}"' in html
