"""The lobby's pages: the view and the rights of each visitor before and after a game begins."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import Game, Holder, Player
from games.services import play, seats, setup
from games.services.seats import invitation_token, offer_seat
from tests.support.game_factory import make_lobby
from tests.support.kinds import (
    importable_rules,
    kinds_with_shared_seats,
    seat_keys,
    two_player_rules,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db

FIRST, SECOND = seat_keys(two_player_rules())
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(owner: Person) -> Game:
    return make_lobby(owner)


@pytest.fixture
def team_game(owner: Person) -> Game:
    return make_lobby(owner, rules=all_rules()[kinds_with_shared_seats()[0]])


def invite_path(game: Game) -> str:
    return f"/invite/{seats.lobby_token(game)}/"


def secret_seat(game: Game) -> str:
    return next(spec.key for spec in game.specs if spec.secret)


def test_the_lobby_tells_the_settings_and_that_an_open_seat_is_listed(owner, client):
    rules, option = next(
        (rules, option)
        for rules in all_rules().values()
        for option in rules.options
        if not option.advanced and option.kind == "number"
    )
    game = make_lobby(owner, rules=rules)
    page = client.get(invite_path(game)).text
    assert f"<dt>{option.label}:</dt>" in page
    assert "listed on the front page" not in page
    game.seats.filter(holders=None).update(listed=True)
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    assert "listed on the front page" in client.get(invite_path(game)).text


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_the_invitation_takes_no_seat_and_makes_no_player(game, client, method):
    response = getattr(client, method)(invite_path(game))
    assert response.status_code == 200
    assert Player.objects.count() == Holder.objects.count() == 1
    assert "player" not in response.cookies


def test_the_invitation_says_who_invites_to_what(game, client):
    page = client.get(invite_path(game)).text
    title = f"Olive invites you to {game.rules.name}"
    assert f'<meta property="og:title" content="{title}">' in page
    assert 'og:image" content="http://testserver/rules/' in page
    assert f"<h1>{title}</h1>" in page


def test_nobody_sees_a_board_before_the_game_begins(owner):
    rules = importable_rules()
    imported = setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options={},
            seating={seat_keys(rules)[0]: "me"},
            transcript=rules.transcript.example if rules.transcript else "",
            lobby=True,
        ),
    )
    assert imported.ply > 0
    for path in ("0/picture.png", "board/?ply=0"):
        assert owner.client.get(f"{imported.get_absolute_url()}{path}").status_code == 404


def test_a_visitor_takes_a_seat_with_a_name(game, client):
    response = client.post(invite_path(game), {"seat": SECOND, "name": "Nora"})
    assert response["Location"] == game.get_absolute_url()
    assert Holder.objects.filter(seat__game=game, seat__key=SECOND, player__name="Nora").exists()


def test_a_name_is_saved_without_a_seat(team_game, client):
    response = client.post(invite_path(team_game), {"name": "Nora"})
    assert response["Location"] == invite_path(team_game)
    assert Player.objects.filter(name="Nora", seats=None).exists()


def test_a_bad_name_takes_no_seat(game, client):
    response = client.post(invite_path(game), {"seat": SECOND, "name": "x" * 31})
    assert response.status_code == 422
    assert Player.objects.count() == 1


def test_a_taken_seat_is_refused_with_the_lobby_as_it_is(team_game, opponent, stranger):
    seat = {"seat": secret_seat(team_game)}
    opponent.client.post(invite_path(team_game), seat)
    response = stranger.client.post(invite_path(team_game), seat)
    assert response.status_code == 409
    assert "That seat is already taken." in response.text
    assert "<bdi>Otto</bdi>" in response.text


def test_an_unknown_invitation_or_seat_is_not_found(game, client):
    assert client.get(f"/invite/{'0' * 32}/").status_code == 410
    assert client.get(f"/invite/{'0' * 32}/code.svg").status_code == 404
    assert client.post(invite_path(game), {"seat": "nowhere"}).status_code == 404


def test_the_host_is_led_from_the_game_to_the_lobby_with_its_link(game, owner):
    response = owner.client.get(game.get_absolute_url())
    assert response["Location"] == invite_path(game)
    page = owner.client.get(invite_path(game)).text
    assert f'value="http://testserver{invite_path(game)}"' in page
    assert f'{invite_path(game)}code.svg"' in page
    assert 'id="b-begin"' in page
    title = re.search(r"<title>\s*(.*?)\s*</title>", page)
    assert title and title[1] == f"Waiting for players… – {game.rules.name}"
    code = owner.client.get(f"{invite_path(game)}code.svg")
    assert b"<svg" in code.content


def test_a_spectator_of_the_game_sees_the_lobby_without_its_link(game, stranger, client):
    for visitor in (client, stranger.client):
        page = visitor.get(game.get_absolute_url()).text
        assert seats.lobby_token(game) not in page
        assert "<bdi>Olive</bdi>" in page
        assert 'id="b-sit' not in page


def test_a_guest_takes_seats_and_cannot_start_or_shuffle(team_game, opponent):
    page = opponent.client.get(invite_path(team_game)).text
    assert f'id="b-sit-{secret_seat(team_game)}"' in page
    assert 'id="b-begin"' not in page
    for action in ("begin", "shuffle"):
        assert opponent.client.post(f"/g/{team_game.id}/{action}/").status_code == 403


def test_the_host_is_offered_to_hand_the_lobby_over(team_game, owner, opponent):
    assert 'id="b-heirs"' not in owner.client.get(invite_path(team_game)).text
    key = secret_seat(team_game)
    opponent.client.post(invite_path(team_game), {"seat": key})
    assert f'id="b-host-{key}"' in owner.client.get(invite_path(team_game)).text
    assert f'id="b-host-{key}"' not in opponent.client.get(invite_path(team_game)).text
    owner.client.post(f"/g/{team_game.id}/host/", {"host": key})
    assert 'id="b-begin"' in opponent.client.get(invite_path(team_game)).text
    assert 'id="b-begin"' not in owner.client.get(invite_path(team_game)).text


def test_a_refused_stranger_does_not_learn_the_link(game, stranger):
    for action in ("begin", "shuffle", "leave"):
        page = stranger.client.post(f"/g/{game.id}/{action}/").text
        assert seats.lobby_token(game) not in page


def test_every_address_of_a_game_that_has_not_begun_shows_no_board(team_game, owner, opponent):
    seat = secret_seat(team_game)
    opponent.client.post(invite_path(team_game), {"seat": seat})
    address = team_game.get_absolute_url()
    for person in (owner, opponent):
        for path in ("", "board/", "0/", "seats/", "hint/", "analysis/"):
            for headers in ({}, HTMX):
                found = person.client.get(f"{address}{path}?seat={seat}&chosen=a1", headers=headers)
                assert 'class="grid' not in found.text
        moved = person.client.post(f"{address}move/", {"seat": seat, "move": "a1", "ply": 0})
        assert moved.status_code in {403, 409}
        assert 'class="grid' not in moved.text


def test_htmx_gets_the_lobby_alone(team_game, opponent):
    seat = {"seat": secret_seat(team_game)}
    response = opponent.client.post(invite_path(team_game), seat, headers=HTMX)
    assert response.status_code == 200
    assert "<html" not in response.text
    assert 'data-lobby="open"' in response.text
    assert response.text.index("Otto joined") < response.text.index('class="teams ')


def test_htmx_loads_the_page_again_for_a_new_player_and_at_the_start(team_game, game, client):
    sent = {"seat": secret_seat(team_game)}
    response = client.post(invite_path(team_game), sent, headers=HTMX)
    assert response["HX-Redirect"] == invite_path(team_game)
    assert "player" in response.cookies
    begun = client.post(invite_path(game), {"seat": SECOND}, headers=HTMX)
    assert begun["HX-Redirect"] == game.get_absolute_url()


def test_a_lobby_is_polled_by_its_version(team_game, opponent):
    address = f"/g/{team_game.id}/board/?lobby=guest"
    first = opponent.client.get(address, headers=HTMX)
    again = {**HTMX, "If-None-Match": first["ETag"]}
    assert opponent.client.get(address, headers=again).status_code == 304
    opponent.client.post(invite_path(team_game), {"seat": secret_seat(team_game)})
    assert "<bdi>Otto</bdi>" in opponent.client.get(address, headers=again).text


def test_players_are_led_to_the_board_once_the_game_has_begun(game, owner, opponent, client):
    opponent.client.post(invite_path(game), {"seat": SECOND})
    for visitor in (owner.client, opponent.client, client):
        response = visitor.get(invite_path(game))
        assert response["Location"] == game.get_absolute_url()
    assert 'class="grid' in owner.client.get(game.get_absolute_url()).text


def test_a_latecomer_joins_a_team_or_watches(team_game, owner, stranger):
    owner.client.post(f"/g/{team_game.id}/begin/")
    page = stranger.client.get(invite_path(team_game)).text
    assert ">Watch</a>" in page
    mine = next(seat.key for seat in team_game.seats.filter(players=owner.player))
    response = stranger.client.post(invite_path(team_game), {"seat": mine})
    assert response["Location"] == team_game.get_absolute_url()
    assert "<bdi>Stan</bdi>" in owner.client.get(team_game.get_absolute_url()).text


def test_the_host_shuffles_and_starts_without_scripts(team_game, owner, opponent):
    opponent.client.post(invite_path(team_game), {"seat": secret_seat(team_game)})
    response = owner.client.post(f"/g/{team_game.id}/shuffle/")
    assert response["Location"] == invite_path(team_game)
    assert "The seats were shuffled." in owner.client.get(invite_path(team_game)).text
    response = owner.client.post(f"/g/{team_game.id}/begin/")
    assert response["Location"] == team_game.get_absolute_url()


def test_two_clicks_on_start_lead_to_the_game(team_game, owner):
    for _ in range(2):
        response = owner.client.post(f"/g/{team_game.id}/begin/")
        assert response["Location"] == team_game.get_absolute_url()


def test_a_player_leaves_the_seat(team_game, opponent):
    opponent.client.post(invite_path(team_game), {"seat": secret_seat(team_game)})
    opponent.client.post(f"/g/{team_game.id}/leave/")
    assert not Holder.objects.filter(player=opponent.player).exists()


def test_people_of_the_previous_game_are_led_to_the_lobby_of_the_rematch(owner, opponent, stranger):
    game = make_lobby(owner)
    opponent.client.post(invite_path(game), {"seat": SECOND})
    game.refresh_from_db()
    play.resign(game_id=game.pk, seat=FIRST, player=owner.player, ply=0)
    owner.client.post(f"/g/{game.id}/rematch/")
    rematch = Game.objects.get(rematch_of=game)
    for person in (owner, opponent):
        response = person.client.get(rematch.get_absolute_url())
        assert response["Location"] == invite_path(rematch)
    assert stranger.client.get(rematch.get_absolute_url()).status_code == 200


def test_the_button_of_the_setup_makes_a_lobby(client):
    rules = two_player_rules()
    form = {option.name: str(option.default) for option in rules.options}
    seats = {f"seat-{FIRST}": "me", f"seat-{SECOND}": "invite"}
    client.post(f"/new/{rules.slug}/", {**form, **seats, "lobby": "1"})
    assert not Game.objects.get().begun


def test_a_lobby_is_never_stored(game, owner):
    assert "no-store" in owner.client.get(invite_path(game))["Cache-Control"]
    assert "no-store" in Client().get(game.get_absolute_url())["Cache-Control"]


def test_a_running_game_invites_to_its_empty_seats_by_one_link(team_game, owner, stranger, client):
    owner.client.post(f"/g/{team_game.id}/begin/")
    page = owner.client.get(team_game.get_absolute_url()).text
    assert f'value="http://testserver{invite_path(team_game)}"' in page
    assert 'id="link-' not in page
    for visitor in (stranger.client, client):
        assert invite_path(team_game) not in visitor.get(team_game.get_absolute_url()).text


def test_a_full_game_has_no_link_to_its_lobby(game, owner, opponent):
    opponent.client.post(invite_path(game), {"seat": SECOND})
    assert invite_path(game) not in owner.client.get(game.get_absolute_url()).text


def test_the_link_to_one_seat_says_who_invites_and_the_link_to_another_device_does_not(
    game, owner, client
):
    for seat, begins in ((SECOND, "Olive invites you to"), (FIRST, "Continue")):
        row = game.seats.get(key=seat)
        if seat == FIRST:
            row = offer_seat(game_id=game.pk, seat_key=seat, player=owner.player)
        page = client.get(f"/join/{invitation_token(row)}/").text
        assert re.search(f'og:title" content="{begins} ', page)
        assert f"<title>{begins} " in page
