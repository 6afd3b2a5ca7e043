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


def test_an_unknown_link_has_no_qr_code(client):
    assert client.get("/join/0123456789abcdef/code.svg").status_code == 404


def test_other_players_do_not_see_the_link(game, stranger, client):
    for browser in (stranger.client, client):
        assert link(game) not in browser.get(game.get_absolute_url()).text


def test_the_database_does_not_hold_the_token(game):
    seat = open_seat(game)
    token = services.invitation_token(seat)
    assert token not in {seat.token_hash, seat.token_salt}
    assert len(bytes.fromhex(token)) == 16


def test_a_get_of_an_invitation_does_not_spend_it(game, client):
    response = client.get(link(game))
    assert "Take this seat" in response.text
    assert Player.objects.count() == 1
    assert open_seat(game)


def test_claiming_a_seat_creates_a_player_and_leads_to_the_clean_address(game, client):
    response = client.post(link(game), {"name": "Nora"})
    assert response["Location"] == game.get_absolute_url()
    assert Holder.objects.filter(seat__game=game, player__name="Nora").exists()
    assert client.cookies["player"]["httponly"]


def test_a_link_works_once(game, client, stranger):
    address = link(game)
    client.post(address, {"name": "Nora"})
    response = stranger.client.post(address, {})
    assert response.status_code == 404
    assert "There is no such invitation (any more)" in response.text


def test_a_repeated_claim_by_link_leads_to_the_game(game, client):
    address = link(game)
    responses = [client.post(address, {"name": "Nora"}) for _ in range(2)]
    assert [response.get("Location") for response in responses] == [game.get_absolute_url()] * 2
    assert sorted(map(str, Player.objects.filter(seats__game=game))) == ["Nora", "Olive"]


@pytest.mark.parametrize("method", ["get", "head"])
def test_the_holder_who_opens_the_link_again_is_led_to_the_game(game, stranger, opponent, method):
    address = link(game)
    stranger.client.post(address)
    assert getattr(stranger.client, method)(address).get("Location") == game.get_absolute_url()
    for other in (opponent.client, Client()):
        assert getattr(other, method)(address).status_code == 404


def test_a_seat_claimed_during_the_wait_for_the_lock_stays_its_holders(game, stranger, opponent):
    seat = open_seat(game)
    token = services.invitation_token(seat)
    for _ in range(2):
        assert services.claim_seat(token=token, player=stranger.player) == seat
    with pytest.raises(SeatTaken):
        services.claim_seat(token=token, player=opponent.player)
    assert [str(player) for player in seat.players.all()] == ["Stan"]


def test_a_spent_link_is_not_shown(game, owner, stranger, client):
    address = link(game)
    stranger.client.post(address)
    assert client.get(address).status_code == 404
    assert stranger.client.get(f"{address}code.svg").status_code == 404
    assert "/join/" not in owner.client.get(game.get_absolute_url()).text


def test_a_spent_link_does_not_return_a_seat_that_moved_to_another_device(game, client, stranger):
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


def test_an_unknown_link_is_a_page_with_a_sentence(client):
    response = client.get("/join/00000000000000000000000000000000/")
    assert response.status_code == 404
    assert "There is no such invitation (any more)" in response.text
    assert "Ask for a new one" in response.text


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
def test_a_name_with_invisible_characters_is_refused(game, client, name, sentence):
    response = client.post(link(game), {"name": name})
    assert response.status_code == 422
    assert sentence in response.text
    assert open_seat(game)


@pytest.mark.parametrize(
    "name", ["Zoë", "Nguyễn Văn Ánh", "เกษตร น้ำ", "पीड़ीं", "أحمدُ", "Ann ❤\ufe0f", "Bo ☀\ufe0f", "🦉"]
)
def test_a_name_in_any_script_is_stored_unchanged(game, client, name):
    assert client.post(link(game), {"name": name}).status_code == 302
    kept = Player.objects.get(seats__game=game, seats__index=1).name
    assert kept == unicodedata.normalize("NFC", name)


def test_markup_in_a_name_is_shown_as_text(game, client):
    client.post(link(game), {"name": "<b onload=x>Bob"})
    page = client.get(game.get_absolute_url()).text
    assert "&lt;b onload=x&gt;Bob" in page
    assert "<b onload" not in page


def test_a_refused_claim_creates_no_player(game, client):
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


def test_the_link_for_another_device_greets_the_player_by_name(moving, client):
    page = client.get(f"/join/{services.invitation_token(moving)}/").text
    assert "on this device" in page
    assert 'value="Olive"' in page
    assert "invited" not in page


def test_the_link_for_another_device_is_shown_to_the_holder_alone(owner, opponent, stranger):
    game = make_game(owner, opponent)
    seat = game.seats.get(players=opponent.player)
    seat = services.offer_move(game_id=game.id, seat_key=seat.key, player=opponent.player)
    shown = [invitation_path(seat) in page_of(who, game) for who in (owner, opponent, stranger)]
    assert shown == [False, True, False]


def test_the_link_for_another_device_opened_on_the_same_one_moves_nothing(moving, owner):
    address = invitation_path(moving)
    assert "on this device" in owner.client.get(address).text
    assert owner.client.post(address)["Location"] == moving.game.get_absolute_url()
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_an_unknown_seat_cannot_move_to_another_device(game, owner):
    for sent in ({"seat": "nowhere"}, {"stay": "nowhere"}, {}):
        assert owner.client.post(f"/g/{game.id}/device/", sent).status_code == 404


def test_a_moved_seat_keeps_its_players_name(moving, client):
    client.post(f"/join/{services.invitation_token(moving)}/", {"name": ""})
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_a_device_with_a_name_keeps_it_when_a_seat_arrives(moving, stranger):
    stranger.client.post(f"/join/{services.invitation_token(moving)}/", {"name": ""})
    assert [str(p) for p in moving.players.all()] == ["Stan"]


def test_the_device_that_a_seat_left_is_told_of_the_move(moving, owner, client):
    address = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', page_of(owner, moving.game))[1]
    assert "has moved" not in owner.client.get(address).text
    client.post(f"/join/{services.invitation_token(moving)}/", {})
    assert "This seat has moved to another device." in owner.client.get(address).text
    anew = re.search(r'hx-get="(/g/\w+/seats/[^"]*)"', page_of(owner, moving.game))[1]
    assert "has moved" not in owner.client.get(anew).text


def stay(who: Person, seat: Seat) -> HttpResponse:
    """Say that the seat does not move to another device after all."""
    return who.client.post(f"/g/{seat.game_id}/device/", {"stay": seat.key})


def test_cancelling_the_move_keeps_the_seat_and_revokes_the_link(moving, owner, client):
    address = f"/join/{services.invitation_token(moving)}/"
    assert "Not after all" in page_of(owner, moving.game)
    for _ in range(2):
        assert stay(owner, moving).get("Location") == moving.game.get_absolute_url()
    shown = page_of(owner, moving.game)
    assert address not in shown and "Not after all" not in shown
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert client.get(f"{address}code.svg").status_code == 404
    assert [str(p) for p in moving.players.all()] == ["Olive"]


def test_after_a_cancelled_move_a_new_link_moves_the_seat(moving, owner, client):
    spent = services.invitation_token(moving)
    stay(owner, moving)
    services.offer_move(game_id=moving.game.id, seat_key=moving.key, player=owner.player)
    moving.refresh_from_db()
    client.post(f"/join/{services.invitation_token(moving)}/", {"name": "Nora"})
    assert services.invitation_token(moving) != spent
    assert [str(p) for p in moving.players.all()] == ["Nora"]


def test_only_the_holder_can_cancel_the_move_of_a_seat(moving, stranger, client):
    address = f"/join/{services.invitation_token(moving)}/"
    assert stay(stranger, moving).status_code == 403
    assert client.post(f"/g/{moving.game_id}/device/", {"stay": moving.key}).status_code == 403
    assert client.get(address).status_code == 200


def test_cancelling_after_the_move_does_not_return_the_seat(moving, owner, stranger):
    stranger.client.post(f"/join/{services.invitation_token(moving)}/")
    assert stay(owner, moving).status_code == 403
    assert [str(p) for p in moving.players.all()] == ["Stan"]


def test_an_invitation_cannot_be_cancelled_as_a_move_of_a_seat(game, owner):
    address = link(game)
    assert "Not after all" not in page_of(owner, game)
    assert stay(owner, open_seat(game)).status_code == 403
    assert address in page_of(owner, game)


def page_of(who: Person, game: Game) -> str:
    return who.client.get(game.get_absolute_url()).text


def test_a_player_cannot_move_the_seat_of_another(game, owner, stranger):
    seat = game.seats.get(players=owner.player)
    response = stranger.client.post(f"/g/{game.id}/device/", {"seat": seat.key})
    assert response.status_code == 403


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_a_holder_without_secrets_cannot_claim_a_seat_with_secrets(slug, owner, client):
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
def test_the_link_of_a_shared_seat_admits_several_players(slug, owner):
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


def test_the_link_of_a_shared_seat_leads_its_holder_to_the_game_and_stays_valid(
    team, stranger, client
):
    address = f"/join/{services.invitation_token(team)}/"
    assert stranger.client.get(address).get("Location") == team.game.get_absolute_url()
    assert "Take this seat" in client.get(address).text


def test_a_holder_of_a_shared_seat_is_not_offered_to_move_it(team, stranger):
    page = stranger.client.get(team.game.get_absolute_url()).text
    assert "Move to another device" not in page


def test_moving_a_shared_seat_is_refused_with_a_reference_to_its_invitation(team, stranger, owner):
    link = f"/join/{services.invitation_token(team)}/"
    response = stranger.client.post(f"/g/{team.game.id}/device/", {"seat": team.key})
    assert response.status_code == 422
    assert "A team’s invitation link works on any device" in response.text
    assert link in owner.client.get(team.game.get_absolute_url()).text


def test_cancelling_leaves_the_invitation_of_a_shared_seat_valid(team, stranger, client):
    address = f"/join/{services.invitation_token(team)}/"
    assert stay(stranger, team).status_code == 302
    assert "Take this seat" in client.get(address).text


def test_a_seat_holder_is_offered_to_move_to_another_device(game, owner):
    assert "Move to another device" in owner.client.get(game.get_absolute_url()).text


def test_every_link_on_the_page_has_one_token_of_128_bits(game, owner):
    page = owner.client.get(game.get_absolute_url()).text
    assert re.search(r"/join/[0-9a-f]{32}/", page)


def test_further_invitations_come_after_the_board(team, owner):
    page = owner.client.get(team.game.get_absolute_url()).text
    address = f"/join/{services.invitation_token(team)}/"
    assert page.index('id="board"') < page.index("Invite more people") < page.index(address)


def test_refreshed_links_include_the_further_invitations(team, owner):
    fresh = owner.client.get(f"/g/{team.game.id}/seats/").text
    further = re.split('<div id="more-links"[^>]* hx-swap-oob=', fresh)[1]
    assert f"/join/{services.invitation_token(team)}/" in further
