"""Draws by agreement: offered, accepted, declined, withdrawn, and ended by a move; and games that
all sides call off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.contract import DRAW, VOID
from games.core.registry import all_rules
from games.models import Game
from games.services import lobby
from games.state.outcomes import outcome_of
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import Table
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import default_specs, kinds_with_shared_seats, three_player_options
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db

RULES = next(rules for rules in all_rules().values() if rules.draws)


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    return make_game(owner, opponent, rules=RULES)


def offer(person: Person, game: Game, of: str = "", **changes: Any) -> Any:
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone, **changes}
    response = person.client.post(f"/g/{game.id}/draw/{of}", sent)
    game.refresh_from_db()
    return response


def answer(person: Person, game: Game, agree: str, of: str = "", **changes: Any) -> Any:
    game.refresh_from_db()
    sent = {"agree": agree, "ply": game.ply, "undone": game.undone, **changes}
    response = person.client.post(f"/g/{game.id}/draw/answer/{of}", sent)
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


OFF = "?of=void"


def test_a_game_that_both_sides_call_off_counts_for_nobody(owner, opponent, stranger, game):
    assert 'id="b-call-off"' in get_game_page(owner, game)
    assert offer(owner, game, OFF).status_code == 302
    page = get_game_page(opponent, game)
    assert "wants to call the game off. It would count for nobody." in page
    assert 'id="b-yes-void"' in page and 'id="b-yes-void"' not in get_game_page(stranger, game)
    assert answer(opponent, game, "yes", OFF).status_code == 302
    assert game.over and game.result is not None and game.result.void
    snapshot = read_snapshot(game.id)
    assert snapshot.fault is None
    for person in (owner, opponent):
        (seat,) = snapshot.seats_of(person.player.pk)
        assert outcome_of(game, snapshot.seating, person.player.pk, seat) == (game.kind, "", None)
        assert "The game was called off." in get_game_page(person, game)
    assert "Called off" in owner.client.get("/me/finished/").text
    assert f"/g/{game.id}/" not in owner.client.get("/me/finished/?result=drawn").text


def test_a_move_leaves_the_question_to_call_off_open(owner, opponent, game):
    offer(opponent, game, OFF)
    post_move(owner, game)
    assert 'id="b-yes-void"' in get_game_page(owner, game)
    answer(owner, game, "yes", OFF)
    assert game.over


def test_one_no_and_the_asker_end_the_question_to_call_off(owner, opponent, game):
    offer(owner, game, OFF)
    answer(opponent, game, "no", OFF)
    assert "wants to play on." in get_game_page(owner, game)
    offer(owner, game, OFF)
    answer(owner, game, "no", OFF)
    assert answer(opponent, game, "yes", OFF).status_code == 422
    assert not game.over


def test_every_side_has_to_call_a_game_off(owner, opponent, stranger):
    rules, options = three_player_options()
    game = make_game(owner, opponent, stranger, rules=rules, **options)
    offer(owner, game, OFF)
    answer(opponent, game, "yes", OFF)
    assert not game.over and 'id="b-yes-void"' not in get_game_page(opponent, game)
    # To ask for the same is a yes.
    offer(stranger, game, OFF)
    assert game.over


def test_one_person_of_a_side_is_enough_to_call_off(owner, opponent, stranger):
    rules = all_rules()[kinds_with_shared_seats()[0]]
    people = (owner, opponent, stranger)
    sides = [spec.side for spec in default_specs(rules)[:3]]
    game = make_game(*people, rules=rules)
    alone = next(side for side in sides if sides.count(side) == 1)
    asker = people[sides.index(alone)]
    partners = [person for person in people if person is not asker]
    offer(asker, game, OFF)
    assert 'id="b-yes-void"' in get_game_page(partners[1], game)
    answer(partners[0], game, "yes", OFF)
    assert game.over


@pytest.mark.parametrize("act", ["resign", "void"])
def test_a_latecomer_does_not_end_the_game_for_a_side_that_has_others(owner, act):
    """A loser joins the other team in a private window, and speaks for it."""
    table = Table(owner)
    late, path = new_person("Late"), f"/g/{table.game.pk}"
    lobby.sit_down(game_id=table.game.pk, seat_key=table.open[1], player=late.player)
    form = {"seat": table.open[1], "ply": 0, "agree": "yes"}
    if act == "void":
        assert owner.client.post(f"{path}/draw/?of=void", {"ply": 0}).status_code == 302
    address = f"{path}/resign/" if act == "resign" else f"{path}/draw/answer/?of=void"
    assert late.client.post(address, form).status_code == 422
    assert not Game.objects.get(pk=table.game.pk).over
    assert table.people[table.open[1]].client.post(address, form).status_code == 302
    assert Game.objects.get(pk=table.game.pk).over


@pytest.mark.parametrize("others", ["me", "computer-1"])
def test_nobody_calls_a_game_without_other_people_off(owner, others):
    first, second = (spec.key for spec in default_specs(RULES))
    game = make_game(owner, rules=RULES, seating={first: "me", second: others})
    assert "b-call-off" not in get_game_page(owner, game)
    assert offer(owner, game, OFF).status_code == 422
    assert not game.over


def test_a_side_that_is_awaited_for_days_is_not_asked(owner, opponent, game):
    offer(owner, game, OFF)
    assert not game.over
    answer(owner, game, "no", OFF)
    post_move(owner, game)
    assert not game.over
    long_ago = timezone.now() - settings.ABSENT_AFTER - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(updated=long_ago)
    clear_all()
    assert offer(owner, game, OFF).status_code == 302
    assert game.over and game.result is not None and game.result.void


def test_the_move_that_calls_off_cannot_be_played(owner, game):
    assert post_move(owner, game, move=VOID).status_code == 422
