"""Draws by agreement: offered, accepted, declined, withdrawn, and ended by a move."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract import DRAW
from games.core.registry import all_rules
from games.models import Game
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import default_specs
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RULES = next(rules for rules in all_rules().values() if rules.draws)


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent, rules=RULES)


def offer(person: Person, game: Game, **changes: Any) -> Any:
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone, **changes}
    response = person.client.post(f"/g/{game.id}/draw/", sent)
    game.refresh_from_db()
    return response


def answer(person: Person, game: Game, agree: str, **changes: Any) -> Any:
    game.refresh_from_db()
    sent = {"agree": agree, "ply": game.ply, "undone": game.undone, **changes}
    response = person.client.post(f"/g/{game.id}/draw/answer/", sent)
    game.refresh_from_db()
    return response


def test_an_accepted_offer_ends_the_game_as_a_draw(owner, opponent, game):
    assert offer(owner, game).status_code == 302
    assert 'id="b-yes-draw"' in get_game_page(opponent, game)
    assert answer(opponent, game, "yes").status_code == 302
    assert game.over and game.result is not None
    assert not game.result.winners
    assert "Draw by agreement." in get_game_page(owner, game)
    assert read_snapshot(game.id).fault is None


def undo(person: Person, game: Game, address: str = "", **sent: str) -> None:
    game.refresh_from_db()
    sent |= {"ply": str(game.ply), "undone": str(game.undone)}
    assert person.client.post(f"/g/{game.id}/undo/{address}", sent).status_code == 302
    game.refresh_from_db()


def test_an_offer_stands_while_the_other_side_asks_for_a_takeback(owner, opponent, game):
    for person in (owner, opponent):
        post_move(person, game)
        game.refresh_from_db()
    offer(owner, game)
    undo(opponent, game)
    page = get_game_page(opponent, game)
    assert 'id="b-yes-draw"' in page and 'id="b-cancel-undo"' in page
    assert 'id="b-cancel-draw"' in get_game_page(owner, game)
    asker = game.moves.get(ply=2).seat
    undo(owner, game, "answer/", agree="no", asker=asker)
    assert "declined the takeback" in get_game_page(opponent, game)
    assert 'id="b-yes-draw"' in get_game_page(opponent, game)
    answer(opponent, game, "yes")
    assert game.over


def test_an_offer_stands_through_messages_and_the_hosts_changes(owner, opponent, game):
    offer(owner, game)
    seat = game.seats.first().key
    owner.client.post(f"/g/{game.id}/say/", {"seat": seat, "word": "hello"})
    owner.client.post(f"/g/{game.id}/watchers/", {"closed": "on"})
    assert 'id="b-yes-draw"' in get_game_page(opponent, game)


def test_an_offer_that_the_version_before_has_stored_is_answered(owner, opponent, game):
    seat = game.seats.first().key
    banner = {"message": "%(seat)s offers a draw.", "params": {"seat": seat}, "draw": seat}
    Game.objects.filter(pk=game.pk).update(banner=banner, version=game.version + 1)
    page = get_game_page(opponent, game)
    assert 'id="b-yes-draw"' in page and page.count("offers a draw.") == 1
    owner.client.post(f"/g/{game.id}/say/", {"seat": seat, "word": "hello"})
    assert 'id="b-yes-draw"' in get_game_page(opponent, game)
    answer(opponent, game, "no")
    assert "declined the draw" in get_game_page(owner, game)
    assert 'id="b-cancel-draw"' not in get_game_page(owner, game)


def test_a_takeback_that_the_version_before_has_asked_is_answered(owner, opponent, game):
    post_move(owner, game)
    seat = game.moves.get(ply=1).seat
    asked = {"asker": seat, "accepted": []}
    Game.objects.filter(pk=game.pk).update(undo_request=asked, version=game.version + 9)
    undo(opponent, game, "answer/", agree="yes", asker=seat)
    assert (game.ply, game.undo_request, game.questions) == (0, None, None)


def test_two_offers_are_an_agreement(owner, opponent, game):
    offer(owner, game)
    assert not game.over
    offer(opponent, game)
    assert game.over


def test_a_declined_offer_leaves_the_game_as_it_is(owner, opponent, game):
    offer(owner, game)
    assert answer(opponent, game, "no").status_code == 302
    assert not game.over
    assert "declined the draw." in get_game_page(owner, game)
    assert answer(opponent, game, "yes").status_code == 422


def test_an_offer_can_be_withdrawn(owner, opponent, game):
    offer(owner, game)
    assert answer(owner, game, "no").status_code == 302
    assert answer(opponent, game, "yes").status_code == 422
    assert not game.over


def test_nobody_accepts_their_own_offer(owner, game):
    offer(owner, game)
    offer(owner, game)
    assert answer(owner, game, "yes").status_code == 422
    assert not game.over


def test_a_move_ends_an_offer(owner, opponent, game):
    offer(opponent, game)
    post_move(owner, game)
    assert answer(owner, game, "yes").status_code == 422
    assert answer(owner, game, "yes", ply=0).status_code == 409
    assert not game.over


def test_a_message_leaves_an_offer_open(owner, opponent, game):
    offer(owner, game)
    seat = game.seats.get(players=opponent.player).key
    opponent.client.post(f"/g/{game.id}/say/", {"seat": seat, "word": "moment"})
    answer(opponent, game, "yes")
    assert game.over


def test_watchers_see_an_offer_without_its_buttons(owner, stranger, game):
    offer(owner, game)
    page = get_game_page(stranger, game)
    assert "offers a draw." in page
    assert "b-yes-draw" not in page
    assert answer(stranger, game, "yes").status_code == 403


def test_no_draw_is_offered_to_a_computer(owner):
    first, second = (spec.key for spec in default_specs(RULES))
    game = make_game(owner, rules=RULES, seating={first: "me", second: "computer-1"})
    assert "b-offer-draw" not in get_game_page(owner, game)
    assert offer(owner, game).status_code == 422


def test_games_without_draws_by_agreement_offer_none(owner, opponent):
    rules = next(rules for rules in all_rules().values() if not rules.draws)
    game = make_game(owner, opponent, rules=rules)
    assert "b-offer-draw" not in get_game_page(owner, game)
    assert offer(owner, game).status_code == 422


def test_the_move_of_an_agreement_cannot_be_played(owner, game):
    assert post_move(owner, game, move=DRAW).status_code == 422
