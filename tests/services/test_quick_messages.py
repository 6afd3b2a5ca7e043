"""Ready-made messages between players: in each reader's language, rate-limited, and hidden on
request."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.registry import all_rules
from games.models import Game
from games.services import setup
from games.services.marks import QUICK_MESSAGES
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move, post_resign
from tests.support.kinds import kinds_with_two_information_sets, seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent)


def say(person: Person, game: Game, word: str, seat: str = "", **headers: str) -> Any:
    mine = game.seats.filter(players=person.player).first()
    sent = {"seat": seat or (mine.key if mine else ""), "word": word}
    return person.client.post(f"/g/{game.id}/say/", sent, headers=headers)


def test_a_message_reaches_each_player_in_the_players_language(owner, opponent, game):
    assert say(owner, game, "luck").status_code == 302
    assert "Olive: Good luck!" in get_game_page(opponent, game)
    dutch = opponent.client.get(game.get_absolute_url(), headers={"Accept-Language": "nl"}).text
    assert "Olive: Succes!" in dutch


def test_watchers_read_no_messages(owner, stranger, game):
    say(owner, game, "luck")
    assert "Good luck!" not in get_game_page(stranger, game)


def test_a_message_can_be_hidden(owner, opponent, game):
    say(owner, game, "luck")
    opponent.client.post("/settings/", {"messages": "hide"})
    page = get_game_page(opponent, game)
    assert "Olive: Good luck!" not in page


def test_a_message_is_read_out_once_and_no_move_with_it(owner, opponent, game):
    post_move(owner, game)
    page = say(opponent, game, "thanks", **{"HX-Request": "true"}).text
    status = page[page.index('id="status"') :]
    assert "Otto: Thanks!" in status


@pytest.mark.parametrize("word", ["", "ocean 3", "<b>"])
def test_other_words_are_refused(owner, game, word):
    assert say(owner, game, word).status_code == 422


def test_only_the_holder_of_a_seat_sends_its_messages(owner, stranger, game):
    assert say(stranger, game, "hello").status_code == 403
    other = seat_keys(two_player_rules())[1]
    assert say(owner, game, "hello", seat=other).status_code == 403


def test_the_seventh_message_of_a_minute_is_refused(owner, game):
    statuses = [say(owner, game, "hello").status_code for _ in range(7)]
    assert statuses == [302] * 6 + [429]


def test_messages_can_be_sent_after_the_end(owner, opponent, game):
    post_resign(owner, game)
    say(opponent, game, "game")
    assert "Otto: Good game!" in get_game_page(owner, game)


def test_a_message_does_not_count_as_activity(owner, opponent, game):
    game.refresh_from_db()
    before = game.updated
    say(owner, game, "hello")
    game.refresh_from_db()
    assert game.updated == before


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_a_seat_with_secrets_sends_no_messages_while_its_side_moves_openly(owner, opponent, slug):
    rules = all_rules()[slug]
    seating = {spec.key: "me" if spec.secret else "invite" for spec in rules.seats(rules.clean({}))}
    game = setup.create_game(
        player=owner.player, new=setup.NewGame(rules=rules, options={}, seating=seating)
    )
    [secret] = game.to_move
    assert say(owner, game, "hello", seat=secret).status_code == 302
    post_move(owner, game)
    game.refresh_from_db()
    assert secret not in game.to_move
    response = say(owner, game, "hello", seat=secret)
    assert response.status_code == 422
    assert "they could be a hint" in response.text


def test_a_solo_player_has_nobody_to_send_messages_to(owner):
    assert 'id="b-say"' not in get_game_page(owner, make_game(owner))


def test_every_message_is_on_the_page(owner, game):
    page = get_game_page(owner, game)
    assert all(f'value="{word}"' in page for word in QUICK_MESSAGES)
