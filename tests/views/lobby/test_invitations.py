"""Invitation links: their viewers, claiming a seat by one, and the name of its player."""

from __future__ import annotations

import re
import unicodedata

import pytest
from django.test import Client

from games.core.refusals import SeatTaken
from games.models import Game, Holder, Player
from games.services import lobby, seats
from tests.support.game_factory import invitation_path, make_game_with_open_seat, open_seat
from tests.support.game_requests import get_game_page
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_open_seat(owner)


def invitation_link(game: Game) -> str:
    return invitation_path(open_seat(game))


def test_the_owner_sees_the_link_and_its_qr_code(game, owner):
    page = get_game_page(owner, game)
    assert invitation_link(game) in page
    assert f"{invitation_link(game)}code.svg" in page
    code = owner.client.get(f"{invitation_link(game)}code.svg")
    assert b"<svg" in code.content
    assert code["Content-Type"] == "image/svg+xml"


def test_an_unknown_link_has_no_qr_code(client):
    assert client.get("/join/0123456789abcdef/code.svg").status_code == 404


def test_other_players_do_not_see_the_link(game, stranger, client):
    for visitor in (stranger.client, client):
        assert invitation_link(game) not in visitor.get(game.get_absolute_url()).text


def test_the_database_does_not_hold_the_token(game):
    seat = open_seat(game)
    token = seats.invitation_token(seat)
    assert token not in {seat.token_hash, seat.token_salt}
    assert len(bytes.fromhex(token)) == 16


def test_a_get_of_an_invitation_does_not_spend_it(game, client):
    response = client.get(invitation_link(game))
    assert "Take this seat" in response.text
    assert Player.objects.count() == 1
    assert open_seat(game)


def test_claiming_a_seat_creates_a_player_and_leads_to_the_clean_address(game, client):
    response = client.post(invitation_link(game), {"name": "Nora"})
    assert response["Location"] == game.get_absolute_url()
    assert Holder.objects.filter(seat__game=game, player__name="Nora").exists()
    assert client.cookies["player"]["httponly"]


@pytest.mark.services
def test_a_link_works_once(game, client, stranger):
    address = invitation_link(game)
    client.post(address, {"name": "Nora"})
    response = stranger.client.post(address, {})
    assert response.status_code == 410
    assert "This invitation is no longer valid" in response.text
    assert f'href="{game.get_absolute_url()}"' in response.text


def test_a_repeated_claim_by_link_leads_to_the_game(game, client):
    address = invitation_link(game)
    responses = [client.post(address, {"name": "Nora"}) for _ in range(2)]
    assert [response.get("Location") for response in responses] == [game.get_absolute_url()] * 2
    assert sorted(map(str, Player.objects.filter(seats__game=game))) == ["Nora", "Olive"]


@pytest.mark.parametrize("method", ["get", "head"])
def test_the_holder_who_opens_the_link_again_is_led_to_the_game(game, stranger, opponent, method):
    address = invitation_link(game)
    stranger.client.post(address)
    assert getattr(stranger.client, method)(address).get("Location") == game.get_absolute_url()
    for other in (opponent.client, Client()):
        assert getattr(other, method)(address).status_code == 410


@pytest.mark.services
def test_a_seat_claimed_during_the_wait_for_the_lock_stays_its_holders(game, stranger, opponent):
    seat = open_seat(game)
    token = seats.invitation_token(seat)
    for _ in range(2):
        assert seats.claim_seat(token=token, player=stranger.player) == seat
    with pytest.raises(SeatTaken):
        seats.claim_seat(token=token, player=opponent.player)
    assert [str(player) for player in seat.players.all()] == ["Stan"]


def test_a_spent_link_is_not_shown(game, owner, stranger, client):
    address = invitation_link(game)
    stranger.client.post(address)
    assert client.get(address).status_code == 410
    assert stranger.client.get(f"{address}code.svg").status_code == 404
    assert "/join/" not in get_game_page(owner, game)


@pytest.mark.parametrize("path", ["join", "invite"])
def test_a_link_that_leads_nowhere_any_more_is_gone_with_a_sentence(path, client):
    response = client.get(f"/{path}/{'0' * 32}/")
    assert response.status_code == 410
    assert "This invitation is no longer valid" in response.text
    assert "Ask the host for a new one" in response.text


@pytest.mark.parametrize("path", ["join", "invite"])
def test_a_link_that_was_cut_off_is_told_to_be_incomplete(path, client):
    response = client.get(f"/{path}/{'0' * 31}/")
    assert response.status_code == 404
    assert "The link is incomplete" in response.text


def test_a_spent_link_to_a_closed_game_does_not_lead_to_it(game, owner, stranger, client):
    address = invitation_link(game)
    stranger.client.post(address)
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    response = client.get(address)
    assert response.status_code == 410
    assert game.id not in response.text


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
def test_an_unacceptable_name_is_refused_with_the_reason(game, client, name, sentence):
    response = client.post(invitation_link(game), {"name": name})
    assert response.status_code == 422
    assert sentence in response.text
    assert open_seat(game)


@pytest.mark.services
@pytest.mark.parametrize(
    "name", ["Zoë", "Nguyễn Văn Ánh", "เกษตร น้ำ", "पीड़ीं", "أحمدُ", "Ann ❤\ufe0f", "Bo ☀\ufe0f", "🦉"]
)
def test_a_name_in_any_script_is_stored_unchanged(game, client, name):
    assert client.post(invitation_link(game), {"name": name}).status_code == 302
    stored = Player.objects.get(seats__game=game, seats__index=1).name
    assert stored == unicodedata.normalize("NFC", name)


def test_markup_in_a_name_is_shown_as_text(game, client):
    client.post(invitation_link(game), {"name": "<b onload=x>Bob"})
    page = client.get(game.get_absolute_url()).text
    assert "&lt;b onload=x&gt;Bob" in page
    assert "<b onload" not in page


@pytest.mark.services
def test_a_refused_claim_creates_no_player(game, client):
    client.post(f"/g/{game.id}/sit/", {"seat": open_seat(game).key, "name": "Nora"})
    assert not Player.objects.filter(name="Nora").exists()


def test_every_link_on_the_page_has_one_token_of_128_bits(game, owner):
    page = get_game_page(owner, game)
    assert re.search(r"/join/[0-9a-f]{32}/", page)
