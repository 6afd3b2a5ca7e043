"""Missed moves: those that other players made since the viewer's own last move."""

from __future__ import annotations

import pytest

from games.contract import Rules
from games.core.registry import all_rules
from games.models import Game
from games.presentation.game_page import build_page
from games.presentation.sight import sight
from games.presentation.turn import MissedMoves, missed_moves
from games.presentation.visibility import Perspective
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person, new_person
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db


def many_seats() -> Rules:
    """Return the rules of a game with up to four seats."""
    return next(
        rules for rules in all_rules().values() for option in rules.options if option.high == 4
    )


@pytest.fixture
def game(owner: Person) -> Game:
    """Return a game of four seats on one device, in which all but the last one have moved."""
    rules = many_seats()
    [option] = [option for option in rules.options if option.high == 4]
    game = make_game(owner, rules=rules, **{option.name: 4})
    for _ in range(3):
        assert post_move(owner, game).status_code == 302
    game.refresh_from_db()
    return game


def events_at(game: Game, ply: int) -> list[object]:
    """Return the events of the move that led to ``ply``."""
    return list(position_at(game, ply).view(None)["events"])


def missed_by(game: Game, *seats: str) -> MissedMoves:
    """Return the moves that the holder of these seats has missed."""
    seen_by = Perspective(seats=frozenset(seats))
    return missed_moves(sight(read_snapshot(game.pk), seen_by, None))


def test_missed_moves_are_listed_in_order(game):
    found = missed_by(game, game.specs[3].key)
    assert [list(news) for news in found.sentences] == [events_at(game, 1), events_at(game, 2)]
    assert found.cells == {
        cell for ply in (1, 2) for cell in position_at(game, ply).view(None)["last"]
    }


def test_an_eliminated_player_has_no_missed_moves(game, owner):
    eliminated = game.specs[3].key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": eliminated, "ply": 3})
    for _ in range(3):
        assert post_move(owner, game).status_code == 302
    game.refresh_from_db()
    assert game.ply == 7
    assert not position_at(game, 7).is_active(eliminated)
    assert missed_by(game, eliminated) == MissedMoves()


def test_moves_before_a_players_own_last_move_are_not_missed(game):
    for move in read_snapshot(game.pk).moves[-2:]:
        assert missed_by(game, move.seat) == MissedMoves()


def test_a_spectator_has_no_missed_moves(game):
    assert missed_by(game) == MissedMoves()


def test_only_the_last_of_many_missed_moves_are_listed(game, monkeypatch):
    monkeypatch.setattr("games.presentation.turn.MOST_MISSED", 1)
    found = missed_by(game, game.specs[3].key)
    assert [list(news) for news in found.sentences] == [events_at(game, 2)]


def test_the_board_lists_and_marks_the_moves_of_both_opponents(owner):
    rules = many_seats()
    [option] = [option for option in rules.options if option.high == 4]
    friends = [new_person("Basil"), new_person("Cyril")]
    game = make_game(owner, *friends, rules=rules, **{option.name: 3})
    for person in (owner, *friends):
        assert post_move(person, game).status_code == 302
    game.refresh_from_db()
    mine = Perspective(frozenset({game.specs[0].key}))
    board = build_page(read_snapshot(game.pk), mine).board
    marked = {square.name for row in board.rows for square in row if square.last}
    assert marked == {cell for ply in (2, 3) for cell in position_at(game, ply).view(None)["last"]}
    assert owner.client.get(f"/g/{game.id}/").text.count('<li class="news">') == 2
