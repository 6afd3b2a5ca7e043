"""Games in which computers play."""

from __future__ import annotations

from games.models import Game
from tests.support.game_factory import make_game
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person


def make_game_between_computers(owner: Person) -> Game:
    """Return a game between computers."""
    keys = seat_keys(two_player_rules())
    return make_game(owner, seating=dict.fromkeys(keys, "computer-1"))


def make_game_against_computer(owner: Person) -> Game:
    """Return a game in which a computer is to move and the owner holds the other seat."""
    keys = seat_keys(two_player_rules())
    games = [
        make_game(owner, seating={key: "computer-1" if key == computer else "me" for key in keys})
        for computer in keys
    ]
    [game] = [game for game in games if game.computer_to_move]
    return game
