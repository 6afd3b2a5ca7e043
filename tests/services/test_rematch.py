"""Rematches: the next game of the same players."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from games.contract import RESIGN, Result, Rules, text
from games.core.registry import all_rules
from games.models import Game, Holder, Move, Seat
from games.services import lobby, seats
from games.views.play import moves
from tests.support.game_factory import make_finished_game, make_game
from tests.support.game_requests import get_game_page, post_move, post_resign, post_undo
from tests.support.html import attributes_of, select
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def test_a_rematch_begins_with_swapped_seats_when_the_opponent_accepts(owner, opponent):
    game = make_finished_game(owner, opponent)
    response = owner.client.post(f"/g/{game.id}/rematch/")
    new = Game.objects.get(rematch_of=game)
    assert response["Location"] == new.get_absolute_url()
    assert not new.begun
    assert not new.seats.filter(players=opponent.player).exists()
    opponent.client.post(f"/g/{game.id}/rematch/")
    new.refresh_from_db()
    assert new.begun
    before = game.seats.first()
    assert before.players.get() == owner.player
    assert new.seats.first().players.get() == opponent.player


def test_a_rematch_of_one_person_begins_at_once(owner):
    game = make_finished_game(owner)
    owner.client.post(f"/g/{game.id}/rematch/")
    assert Game.objects.get(rematch_of=game).begun


def ended_against(owner: Person, level: int, *results: bool) -> Game:
    """Return the last of some games that the owner has won or lost against a level."""
    mine, other = seat_keys(two_player_rules())
    for won in results:
        game = make_game(owner, seating={mine: "me", other: f"computer-{level}"})
        winner, loser = (mine, other) if won else (other, mine)
        result = Result(frozenset({winner}), text("An end.")).to_json()
        # The position itself is not over, so the end is that of a resignation.
        Move.objects.create(game=game, ply=1, seat=loser, text=RESIGN)
        games, over = Game.objects.filter(pk=game.pk), Game.Status.OVER
        games.update(computer_to_move=False, status=over, ply=1, result_json=result)
        Holder.objects.filter(seat__game=game).update(ended=timezone.now())
    return game


def offered(owner: Person, game: Game) -> str | None:
    """Return the name of the level on offer at the end of a game."""
    found = select(get_game_page(owner, game), "button", id="b-next-level")
    return attributes_of(found[0])["value"] if found else None


FIRST, SECOND, *_, BELOW, HIGHEST = two_player_rules().ladder


@pytest.mark.parametrize(
    ("level", "results", "expected"),
    [
        (FIRST, [True, True], SECOND),
        (SECOND, [False, False, False], FIRST),
        (BELOW, [True, True], HIGHEST),
        (FIRST, [True], None),
        (SECOND, [False, False], None),
        (HIGHEST, [True, True], None),
        (FIRST, [False, False, False], None),
    ],
)
def test_the_end_of_a_game_offers_the_next_opponent_after_a_run(owner, level, results, expected):
    game = ended_against(owner, level, *results)
    assert offered(owner, game) == (expected and str(expected))


def test_the_opponent_on_offer_is_named_and_begins_the_next_game(owner):
    game = ended_against(owner, FIRST, True, True)
    name = two_player_rules().ladder[SECOND].name
    assert f"Play {name}</button>" in get_game_page(owner, game)
    owner.client.post(f"/g/{game.id}/rematch/", {"level": SECOND})
    new = Game.objects.get(rematch_of=game)
    assert {seat.computer for seat in new.seats.all()} == {None, SECOND}


@pytest.mark.parametrize("level", ["99", "-1", "x"])
def test_an_unknown_level_is_refused(owner, level):
    game = ended_against(owner, FIRST, True)
    assert owner.client.post(f"/g/{game.id}/rematch/", {"level": level}).status_code == 422
    assert not Game.objects.filter(rematch_of=game).exists()


def test_players_on_one_device_accept_a_rematch_together(owner, opponent):
    rules = next(rules for rules in all_rules().values() if len(three_seats(rules)) == 3)
    first, *others = three_seats(rules)
    seating = {first: "me", **dict.fromkeys(others, "invite")}
    game = make_game(owner, opponent, opponent, rules=rules, seating=seating, players=3)
    for person in (opponent, opponent, owner):
        post_resign(person, game)
    owner.client.post(f"/g/{game.id}/rematch/")
    opponent.client.post(f"/g/{game.id}/rematch/")
    new = Game.objects.get(rematch_of=game)
    assert new.seats.filter(players=opponent.player).count() == 2
    assert not new.begun


def test_in_a_rematch_of_teams_everybody_keeps_their_seat_and_may_change_it(owner, opponent):
    rules = all_rules()[kinds_with_shared_seats()[0]]
    keys = seat_keys(rules)
    game = make_game(owner, opponent, rules=rules, seating=dict.fromkeys(keys, "invite"))
    token = seats.invitation_token(Seat.objects.get(game=game, key=keys[0]))
    seats.claim_seat(token=token, player=owner.player)
    post_resign(owner, game)
    for person in (owner, opponent):
        person.client.post(f"/g/{game.id}/rematch/")
    new = Game.objects.get(rematch_of=game)
    assert [new.seats.get(key=key).players.get() for key in keys[:2]] == [
        owner.player,
        opponent.player,
    ]
    for person, key in ((owner, keys[3]), (opponent, keys[0])):
        lobby.sit_down(game_id=new.pk, seat_key=key, player=person.player)
    assert new.seats.get(key=keys[0]).players.get() == opponent.player


def three_seats(rules: Rules) -> list[str]:
    """Return the seats of a kind for three players; none of other kinds."""
    names = {option.name for option in rules.options}
    specs = rules.seats(rules.clean({"players": 3})) if "players" in names else ()
    return [spec.key for spec in specs]


def test_both_requests_for_a_rematch_lead_to_the_same_game(owner, opponent):
    game = make_finished_game(owner, opponent)
    addresses = {
        person.client.post(f"/g/{game.id}/rematch/")["Location"] for person in (owner, opponent)
    }
    assert len(addresses) == 1


def test_a_running_game_has_no_rematch(owner, opponent):
    game = make_game(owner, opponent)
    assert owner.client.post(f"/g/{game.id}/rematch/").status_code == 422


def test_a_stranger_cannot_start_a_rematch(owner, opponent, stranger):
    game = make_finished_game(owner, opponent)
    assert stranger.client.post(f"/g/{game.id}/rematch/").status_code == 403


def test_a_stranger_is_not_led_to_an_existing_rematch(owner, opponent, stranger):
    game = make_finished_game(owner, opponent)
    owner.client.post(f"/g/{game.id}/rematch/")
    assert stranger.client.post(f"/g/{game.id}/rematch/").status_code == 403


def test_a_rematch_allows_hints_where_the_first_game_did(owner):
    for allowed in (True, False):
        game = make_finished_game(owner)
        Game.objects.filter(pk=game.pk).update(hints=allowed)
        owner.client.post(f"/g/{game.id}/rematch/")
        assert Game.objects.get(rematch_of=game).hints is allowed


def test_a_listed_seat_without_a_holder_is_listed_in_the_rematch(owner):
    first, second = seat_keys(two_player_rules())
    for choice, is_listed in (("listed", True), ("invite", False)):
        game = make_game(owner, seating={first: "me", second: choice})
        post_resign(owner, game)
        owner.client.post(f"/g/{game.id}/rematch/")
        empty = Game.objects.get(rematch_of=game).seats.get(holders__isnull=True)
        assert empty.listed is is_listed


def test_options_that_the_rules_no_longer_accept_refuse_the_rematch(owner):
    game = make_finished_game(owner)
    option = next(option for option in game.rules.options if option.kind == "number")
    Game.objects.filter(pk=game.pk).update(options={**game.options, option.name: 999})
    response = owner.client.post(f"/g/{game.id}/rematch/")
    assert response.status_code == 422
    assert "A rematch isn’t possible: " in response.text
    assert not Game.objects.filter(rematch_of=game).exists()


def test_a_rematch_of_a_game_deleted_during_the_request_is_not_found(owner, monkeypatch):
    game = make_finished_game(owner)
    find_game = moves.find_game

    def find_and_delete(request, game_id):
        game = find_game(request, game_id)
        Game.objects.filter(pk=game_id).delete()
        return game

    monkeypatch.setattr(moves, "find_game", find_and_delete)
    assert owner.client.post(f"/g/{game.id}/rematch/").status_code == 404


def test_the_other_players_are_shown_the_button_of_the_rematch(owner, opponent):
    game = make_finished_game(owner, opponent)
    version = Game.objects.get(pk=game.pk).version
    owner.client.post(f"/g/{game.id}/rematch/")
    board = opponent.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text
    assert Game.objects.get(pk=game.pk).version > version
    question = re.search(r'<p class="again">(.*?)</p>', board, re.DOTALL)[1]
    assert "<span>Olive wants a rematch.</span>" in question
    assert '<button class="button" form="again" id="b-rematch">' in question
    assert "Olive wants a rematch. </div>" in board


def test_spectators_are_led_to_watch_the_rematch(owner, opponent, client):
    game = make_finished_game(owner, opponent)
    assert "Watch the rematch" not in client.get(game.get_absolute_url()).text
    owner.client.post(f"/g/{game.id}/rematch/")
    page = client.get(game.get_absolute_url()).text
    new = Game.objects.get(rematch_of=game)
    assert f'href="{new.get_absolute_url()}">Watch the rematch</a>' in page
    assert "b-rematch" not in page


def test_a_game_resumed_by_an_undo_can_have_another_rematch(owner):
    game, other = make_finished_game(owner), make_finished_game(owner)
    for asked in (game, other):
        owner.client.post(f"/g/{asked.id}/rematch/")
    first = Game.objects.get(rematch_of=game)
    post_undo(owner, game)
    post_move(owner, game)
    post_resign(owner, game)
    assert 'id="b-rematch"' in get_game_page(owner, game)
    owner.client.post(f"/g/{game.id}/rematch/")
    assert Game.objects.get(rematch_of=game) != first
    assert Game.objects.filter(rematch_of=other).exists()


def test_an_undo_in_a_rematch_keeps_its_link_to_the_first_game(owner):
    game = make_finished_game(owner)
    owner.client.post(f"/g/{game.id}/rematch/")
    rematch = Game.objects.get(rematch_of=game)
    post_move(owner, rematch)
    post_undo(owner, rematch)
    assert Game.objects.get(rematch_of=game) == rematch
