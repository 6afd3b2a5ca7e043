"""Seats: who may take one, by which link, and what a link's preview must not do."""

from __future__ import annotations

import re
import unicodedata

import pytest
from django.http import HttpResponse
from django.test import Client

from games import services
from games.models import Game, Holder, Player, Seat
from games.refusals import SeatTaken
from games.registry import all_rules
from tests.support.game_factory import (
    invitation_path,
    make_game,
    make_game_with_open_seat,
    open_seat,
)
from tests.support.kinds import kinds_with_shared_seats, kinds_with_two_information_sets
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def link(game: Game) -> str:
    return invitation_path(open_seat(game))


def test_the_owner_sees_the_link_and_its_qr_code(game, owner):
    page = owner.client.get(game.get_absolute_url()).text
    assert link(game) in page
    assert f"{link(game)}code.svg" in page
    code = owner.client.get(f"{link(game)}code.svg")
    assert b"<svg" in code.content
    assert code["Content-Type"] == "image/svg+xml"


def test_a_link_that_is_none_has_no_qr_code(client):
    assert client.get("/join/0123456789abcdef/code.svg").status_code == 404


def test_nobody_else_sees_the_link(game, stranger, client):
    for browser in (stranger.client, client):
        assert link(game) not in browser.get(game.get_absolute_url()).text


def test_the_database_does_not_hold_the_token(game):
    seat = open_seat(game)
    token = services.invitation_token(seat)
    assert token not in {seat.token_hash, seat.token_salt}
    assert len(bytes.fromhex(token)) == 16


def test_looking_at_an_invitation_does_not_spend_it(game, client):
    answer = client.get(link(game))
    assert "Take this seat" in answer.text
    assert Player.objects.count() == 1
    assert open_seat(game)


def test_taking_a_seat_makes_a_player_and_leads_to_the_clean_address(game, client):
    answer = client.post(link(game), {"name": "Nora"})
    assert answer["Location"] == game.get_absolute_url()
    assert Holder.objects.filter(seat__game=game, player__name="Nora").exists()
    assert client.cookies["player"]["httponly"]


def test_a_link_works_once(game, client, stranger):
    address = link(game)
    client.post(address, {"name": "Nora"})
    answer = stranger.client.post(address, {})
    assert answer.status_code == 404
    assert "There is no such invitation (any more)" in answer.text


def test_who_takes_a_seat_by_a_link_twice_comes_to_the_game_both_times(game, client):
    address = link(game)
    answers = [client.post(address, {"name": "Nora"}) for _ in range(2)]
    assert [answer.get("Location") for answer in answers] == [game.get_absolute_url()] * 2
    assert sorted(map(str, Player.objects.filter(seats__game=game))) == ["Nora", "Olive"]


@pytest.mark.parametrize("method", ["get", "head"])
def test_who_opens_the_link_of_ones_seat_again_comes_to_the_game(game, stranger, opponent, method):
    address = link(game)
    stranger.client.post(address)
    assert getattr(stranger.client, method)(address).get("Location") == game.get_absolute_url()
    for other in (opponent.client, Client()):
        assert getattr(other, method)(address).status_code == 404


def test_who_has_a_seat_by_a_link_by_the_time_it_is_ones_turn_keeps_it(game, stranger, opponent):
    seat = open_seat(game)
    token = services.invitation_token(seat)
    for _ in range(2):
        assert services.claim_seat(token=token, player=stranger.player) == seat
    with pytest.raises(SeatTaken):
        services.claim_seat(token=token, player=opponent.player)
    assert [str(player) for player in seat.players.all()] == ["Stan"]


def test_a_link_that_is_used_up_is_shown_to_nobody(game, owner, stranger, client):
    address = link(game)
    stranger.client.post(address)
    assert client.get(address).status_code == 404
    assert stranger.client.get(f"{address}code.svg").status_code == 404
    assert "/join/" not in owner.client.get(game.get_absolute_url()).text


def test_whose_seat_has_moved_on_does_not_get_it_back_by_the_link_it_came_with(
    game, client, stranger
):
    address = link(game)
    stranger.client.post(address)
    seat = game.seats.get(players=stranger.player)
    stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    moved = f"/join/{services.invitation_token(seat)}/"
    client.post(moved, {"name": "Nora"})
    for spent in (address, moved):
        assert stranger.client.get(spent).status_code == 404
        assert stranger.client.post(spent).status_code == 404
    assert client.get(moved).get("Location") == game.get_absolute_url()
    assert [str(player) for player in seat.players.all()] == ["Nora"]


def test_a_made_up_link_is_a_page_that_says_so(client):
    answer = client.get("/join/00000000000000000000000000000000/")
    assert answer.status_code == 404
    assert "There is no such invitation (any more)" in answer.text
    assert "Ask for a new one" in answer.text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 31, "at most 30 characters"),
        ("x" * 50_000, "at most 30 characters"),
        ("a\u202eb", "invisible characters"),
        ("a\u200bb", "invisible characters"),
        ("a\x01b", "invisible characters"),
        ("Z\u0336\u0337\u0338\u0335", "too many accents"),
        ("\u3164", "invisible characters"),
        ("a\u115f", "invisible characters"),
        ("\u2800", "invisible characters"),
        ("\ufe0f", "invisible characters"),
        ("Ann\ufe0f", "invisible characters"),
        ("❤\ufe0f\ufe0f", "invisible characters"),
        ("x\u0315\u0316\u034f" * 9, "invisible characters"),
        ("a" + 20 * "\u0489", "too many accents"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(game, client, name, sentence):
    answer = client.post(link(game), {"name": name})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert open_seat(game)


@pytest.mark.parametrize(
    "name", ["Zoë", "Nguyễn Văn Ánh", "เกษตร น้ำ", "पीड़ीं", "أحمدُ", "Ann ❤\ufe0f", "Bo ☀\ufe0f", "🦉"]
)
def test_a_name_of_any_script_is_kept_as_it_is_written(game, client, name):
    assert client.post(link(game), {"name": name}).status_code == 302
    kept = Player.objects.get(seats__game=game, seats__index=1).name
    assert kept == unicodedata.normalize("NFC", name)


def test_markup_in_a_name_is_shown_as_text(game, client):
    client.post(link(game), {"name": "<b onload=x>Bob"})
    page = client.get(game.get_absolute_url()).text
    assert "&lt;b onload=x&gt;Bob" in page
    assert "<b onload" not in page


def test_who_is_refused_a_seat_is_not_made_a_player(game, client):
    client.post(f"/g/{game.id}/sit/", {"seat": open_seat(game).key, "name": "Nora"})
    assert not Player.objects.filter(name="Nora").exists()


def test_a_seat_moves_to_another_device_and_leaves_the_first(game, owner, client):
    seat = game.seats.get(players=owner.player)
    owner.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    address = f"/join/{services.invitation_token(seat)}/"
    assert address in owner.client.get(game.get_absolute_url()).text
    client.post(address, {"name": "Olive’s phone"})
    assert [str(p) for p in seat.players.all()] == ["Olive’s phone"]


@pytest.fixture
def moving(game: Game, owner: Person) -> Seat:
    """The owner's seat, which is about to move to another device."""
    seat = game.seats.get(players=owner.player)
    owner.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    seat.refresh_from_db()
    return seat


def test_another_device_is_not_spoken_to_as_a_stranger(moving, client):
    page = client.get(f"/join/{services.invitation_token(moving)}/").text
    assert "on this device" in page
    assert 'value="Olive"' in page
    assert "invited" not in page


def test_the_link_that_moves_a_seat_is_shown_to_its_holder_alone(owner, opponent, stranger):
    game = make_game(owner, opponent)
    seat = game.seats.get(players=opponent.player)
    seat = services.offer_move(game_id=game.id, seat_key=seat.key, player=opponent.player)
    shown = [invitation_path(seat) in page_of(who, game) for who in (owner, opponent, stranger)]
    assert shown == [False, True, False]


def test_who_opens_it_on_the_device_that_has_the_seat_is_asked_and_keeps_it(moving, owner):
    address = invitation_path(moving)
    assert "on this device" in owner.client.get(address).text
    assert owner.client.post(address)["Location"] == moving.game.get_absolute_url()
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_a_seat_that_is_not_there_does_not_move(game, owner):
    for sent in ({"seat": "nowhere"}, {"stay": "nowhere"}, {}):
        assert owner.client.post(f"/g/{game.id}/device/", sent).status_code == 404


def test_who_moves_to_another_device_keeps_the_name(moving, client):
    client.post(f"/join/{services.invitation_token(moving)}/", {"name": ""})
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_a_device_that_has_a_name_keeps_it(moving, stranger):
    stranger.client.post(f"/join/{services.invitation_token(moving)}/", {"name": ""})
    assert [str(p) for p in moving.players.all()] == ["Stan"]


def test_the_device_that_a_seat_left_is_told_where_it_went(moving, owner, client):
    address = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', page_of(owner, moving.game))[1]
    assert "has moved" not in owner.client.get(address).text
    client.post(f"/join/{services.invitation_token(moving)}/", {})
    assert "This seat has moved to another device." in owner.client.get(address).text
    anew = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', page_of(owner, moving.game))[1]
    assert "has moved" not in owner.client.get(anew).text


def stay(who: Person, seat: Seat) -> HttpResponse:
    """Say that the seat does not move to another device after all."""
    return who.client.post(f"/g/{seat.game_id}/device/", {"stay": seat.key})


def test_who_does_not_move_after_all_keeps_the_seat_and_the_link_is_dead(moving, owner, client):
    address = f"/join/{services.invitation_token(moving)}/"
    assert "Not after all" in page_of(owner, moving.game)
    for _ in range(2):
        assert stay(owner, moving).get("Location") == moving.game.get_absolute_url()
    shown = page_of(owner, moving.game)
    assert address not in shown and "Not after all" not in shown
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert client.get(f"{address}code.svg").status_code == 404
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_who_has_thought_better_of_it_can_move_with_another_link_later(moving, owner, client):
    spent = services.invitation_token(moving)
    stay(owner, moving)
    services.offer_move(game_id=moving.game.id, seat_key=moving.key, player=owner.player)
    moving.refresh_from_db()
    client.post(f"/join/{services.invitation_token(moving)}/", {"name": "Nora"})
    assert services.invitation_token(moving) != spent
    assert [str(p) for p in moving.players.all()] == ["Nora"]


def test_only_who_holds_a_seat_keeps_it_from_moving(moving, stranger, client):
    address = f"/join/{services.invitation_token(moving)}/"
    assert stay(stranger, moving).status_code == 403
    assert client.post(f"/g/{moving.game_id}/device/", {"stay": moving.key}).status_code == 403
    assert client.get(address).status_code == 200


def test_what_has_moved_already_does_not_come_back(moving, owner, stranger):
    stranger.client.post(f"/join/{services.invitation_token(moving)}/")
    assert stay(owner, moving).status_code == 403
    assert [str(p) for p in moving.players.all()] == ["Stan"]


def test_an_invitation_cannot_be_thought_better_of(game, owner):
    address = link(game)
    assert "Not after all" not in page_of(owner, game)
    assert stay(owner, open_seat(game)).status_code == 403
    assert address in page_of(owner, game)


def page_of(who: Person, game: Game) -> str:
    return who.client.get(game.get_absolute_url()).text


def test_nobody_moves_the_seat_of_somebody_else(game, owner, stranger):
    seat = game.seats.get(players=owner.player)
    answer = stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    assert answer.status_code == 403


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_who_guesses_cannot_also_take_a_seat_that_sees_secrets(slug, owner, client):
    rules = all_rules()[slug]
    specs = rules.seats(rules.clean({}))
    secret = next(spec.key for spec in specs if spec.secret)
    plain = next(spec.key for spec in specs if not spec.secret)
    game = make_game(owner, rules=rules, seating={spec.key: "invite" for spec in specs})
    for key, status in ((plain, 302), (secret, 422)):
        token = services.invitation_token(game.seats.get(key=key))
        assert client.post(f"/join/{token}/", {}).status_code == status
    assert not game.seats.get(key=secret).holders.exists()


@pytest.mark.parametrize("slug", kinds_with_shared_seats())
def test_the_link_of_a_team_invites_more_than_one(slug, owner):
    rules = all_rules()[slug]
    team = next(spec.key for spec in rules.seats(rules.clean({})) if spec.shared)
    seats = {spec.key: "invite" for spec in rules.seats(rules.clean({}))}
    game = make_game(owner, rules=rules, seating=seats)
    token = services.invitation_token(game.seats.get(key=team))
    for name in ("Ann", "Ben"):
        Client().post(f"/join/{token}/", {"name": name})
    assert game.seats.get(key=team).holders.count() == 2


@pytest.fixture
def team(owner: Person, stranger: Person) -> Seat:
    """The seat of a team, which the stranger has joined."""
    rules = all_rules()[kinds_with_shared_seats()[0]]
    specs = rules.seats(rules.clean({}))
    game = make_game(owner, rules=rules, seating={spec.key: "invite" for spec in specs})
    seat = game.seats.get(key=next(spec.key for spec in specs if spec.shared))
    services.claim_seat(token=services.invitation_token(seat), player=stranger.player)
    return seat


def test_one_of_a_team_comes_to_the_game_by_its_link_and_others_are_still_invited(
    team, stranger, client
):
    address = f"/join/{services.invitation_token(team)}/"
    assert stranger.client.get(address).get("Location") == team.game.get_absolute_url()
    assert "Take this seat" in client.get(address).text


def test_one_of_a_team_is_not_offered_to_move_to_another_device(team, stranger):
    page = stranger.client.get(team.game.get_absolute_url()).text
    assert "Move to another device" not in page


def test_one_of_a_team_who_would_move_is_told_to_use_its_invitation(team, stranger, owner):
    link = f"/join/{services.invitation_token(team)}/"
    answer = stranger.client.post(f"/g/{team.game.id}/device/", {"seat": team.key})
    assert answer.status_code == 422
    assert "The invitation to a team works on every device" in answer.text
    assert link in owner.client.get(team.game.get_absolute_url()).text


def test_the_invitation_to_a_team_goes_on_when_one_of_it_would_not_move(team, stranger, client):
    address = f"/join/{services.invitation_token(team)}/"
    assert stay(stranger, team).status_code == 302
    assert "Take this seat" in client.get(address).text


def test_the_holder_of_a_seat_is_offered_to_move_to_another_device(game, owner):
    assert "Move to another device" in owner.client.get(game.get_absolute_url()).text


def test_every_link_on_the_page_has_one_token_of_128_bits(game, owner):
    page = owner.client.get(game.get_absolute_url()).text
    assert re.search(r"/join/[0-9a-f]{32}/", page)


def test_further_invitations_come_after_the_board(team, owner):
    page = owner.client.get(team.game.get_absolute_url()).text
    address = f"/join/{services.invitation_token(team)}/"
    assert page.index('id="board"') < page.index("Invite more people") < page.index(address)


def test_links_that_are_asked_for_anew_come_with_the_further_ones(team, owner):
    fresh = owner.client.get(f"/g/{team.game.id}/seats/").text
    further = re.split('<div id="more-links"[^>]* hx-swap-oob=', fresh)[1]
    assert f"/join/{services.invitation_token(team)}/" in further
