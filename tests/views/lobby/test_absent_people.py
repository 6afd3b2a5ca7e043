"""A lobby helps itself: seats are freed, and a player stands in for a host who is away."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.live.source import Database
from games.models import Game, Player
from games.services import absence, seats
from games.state.seat_claims import person_key
from games.state.snapshot import read_snapshot
from tests.support.absences import leave_page
from tests.support.game_factory import make_lobby
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner: Person) -> Game:
    return make_lobby(owner, rules=all_rules()[kinds_with_shared_seats()[0]])


def invite_path(game: Game) -> str:
    return f"/invite/{seats.lobby_token(game)}/"


def secret_seats(game: Game) -> list[str]:
    return [spec.key for spec in game.specs if spec.secret]


def sit(game: Game, person: Person, key: str) -> None:
    assert person.client.post(invite_path(game), {"seat": key}).status_code == 302


def lobby_of(game: Game, client: Client) -> str:
    return client.get(invite_path(game)).text


def value_of(page: str, prefix: str) -> str:
    """Return the value of the only button whose id begins with ``prefix``."""
    (button,) = re.findall(rf'<button[^>]*id="{prefix}[^>]*>', page, re.DOTALL)
    found = re.search(r'value="([^"]+)"', button)
    assert found
    return found[1]


def seats_held(game: Game, person: Person) -> set[str]:
    return set(read_snapshot(game.pk).seats_of(person.player.pk))


def test_the_host_frees_the_seat_of_somebody_else(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    person = value_of(lobby_of(game, owner.client), "b-free-")
    response = owner.client.post(f"{game.get_absolute_url()}free/", {"person": person})
    assert response.status_code == 302
    assert not seats_held(game, opponent)
    page = lobby_of(game, opponent.client)
    assert "Otto’s seat was freed" in page
    sit(game, opponent, secret_seats(game)[0])


def test_the_lists_of_the_host_can_be_closed(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    page = lobby_of(game, owner.client)
    for name in ("heirs", "frees"):
        (button,) = re.findall(rf'<button[^>]*id="b-close-{name}">', page)
        assert f'popovertarget="{name}"' in button and 'popovertargetaction="hide"' in button


def test_one_of_a_team_is_freed_and_the_others_stay(game, owner, opponent, stranger):
    team = next(spec.key for spec in game.specs if spec.shared)
    for person in (owner, opponent, stranger):
        if team not in seats_held(game, person):
            sit(game, person, team)
    page = lobby_of(game, owner.client)
    (button,) = re.findall(r'<button[^>]*value="(\w+)"[^>]*><span><bdi>Otto</bdi> \(', page)
    owner.client.post(f"{game.get_absolute_url()}free/", {"person": button})
    held = [bool(seats_held(game, person)) for person in (owner, opponent, stranger)]
    assert held == [True, False, True]


def test_only_the_host_frees_seats(game, owner, opponent, stranger):
    sit(game, opponent, secret_seats(game)[0])
    sit(game, stranger, secret_seats(game)[1])
    person = person_key(game.pk, opponent.player.pk)
    for client in (stranger.client, Client()):
        response = client.post(f"{game.get_absolute_url()}free/", {"person": person})
        assert response.status_code == 403
    assert seats_held(game, opponent)


def test_the_longest_seated_stands_in_for_a_host_who_is_away(game, owner, opponent, stranger):
    sit(game, stranger, secret_seats(game)[0])
    sit(game, opponent, secret_seats(game)[1])
    leave_page(game, owner)
    assert 'id="b-shuffle"' in lobby_of(game, stranger.client)
    assert 'id="b-shuffle"' not in lobby_of(game, opponent.client)
    assert stranger.client.post(f"{game.get_absolute_url()}shuffle/").status_code == 302
    assert opponent.client.post(f"{game.get_absolute_url()}shuffle/").status_code == 403


def test_a_host_who_comes_back_is_the_host_again(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    leave_page(game, owner)
    assert 'id="b-begin"' in lobby_of(game, opponent.client)
    assert 'id="b-begin"' in lobby_of(game, owner.client)
    assert 'id="b-begin"' not in lobby_of(game, opponent.client)


def test_a_host_whose_data_was_deleted_has_a_stand_in(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    Player.objects.filter(pk=owner.player.pk).delete()
    assert 'id="b-begin"' in lobby_of(game, opponent.client)


def test_nobody_stands_in_for_a_host_who_is_there(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    leave_page(game, owner)
    absence.note_people({game.pk: [owner.player.pk]})
    assert 'id="b-begin"' not in lobby_of(game, opponent.client)


def test_everybody_may_begin_a_full_game_while_the_host_is_away(game, owner, opponent, stranger):
    keys = [spec.key for spec in game.specs]
    free = [key for key in keys if key not in seats_held(game, owner)]
    people = [opponent, stranger, new_person("Zed")]
    for person, key in zip(people, free, strict=True):
        sit(game, person, key)
    assert people[-1].client.post(f"{game.get_absolute_url()}begin/").status_code == 403
    leave_page(game, owner)
    page = lobby_of(game, people[-1].client)
    assert 'id="b-begin"' in page
    assert "Start when you’re ready" in page
    assert people[-1].client.post(f"{game.get_absolute_url()}begin/").status_code == 302
    assert Game.objects.get(pk=game.pk).begun


def test_the_streams_of_a_lobby_tell_that_the_host_is_away(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    before = read_snapshot(game.pk).game.version
    leave_page(game, owner)
    Database().note_people({game.pk: [opponent.player.pk]})
    after = read_snapshot(game.pk).game
    assert after.version == before + 1
    Database().note_people({game.pk: [opponent.player.pk]})
    assert read_snapshot(game.pk).game.version == after.version


def test_a_stand_in_frees_the_seats_of_absent_people_alone(game, owner, opponent, stranger):
    sit(game, stranger, secret_seats(game)[0])
    sit(game, opponent, secret_seats(game)[1])
    leave_page(game, owner)
    lobby_of(game, stranger.client)
    path = f"{game.get_absolute_url()}free/"
    there = {"person": person_key(game.pk, opponent.player.pk)}
    assert stranger.client.post(path, there).status_code == 422
    assert seats_held(game, opponent)
    gone = {"person": person_key(game.pk, owner.player.pk)}
    assert stranger.client.post(path, gone).status_code == 302
    assert not seats_held(game, owner)


@pytest.mark.parametrize("name", ["Otto", "otto", ""])
def test_a_name_gives_nobody_the_seat_of_an_absent_guest(game, owner, opponent, name):
    first, second = secret_seats(game)
    sit(game, opponent, first)
    leave_page(game, opponent)
    person = person_key(game.pk, opponent.player.pk)
    for form in ({"back": person}, {"seat": first}, {"seat": second}):
        Client().post(invite_path(game), {"name": name, **form})
        assert seats_held(game, opponent) == {first}


def test_a_name_gives_nobody_the_role_of_the_absent_host(game, owner, opponent):
    sit(game, opponent, secret_seats(game)[0])
    leave_page(game, owner)
    client = Client()
    lobby_of(game, client)
    client.post(invite_path(game), {"seat": secret_seats(game)[1], "name": owner.player.name})
    assert 'id="b-begin"' not in lobby_of(game, client)
    assert Game.objects.get(pk=game.pk).created_by == owner.player
    assert 'id="b-begin"' in lobby_of(game, owner.client)


def test_a_lobby_for_two_does_not_begin_beside_a_ghost(owner, opponent):
    game = make_lobby(owner)
    _, second = seat_keys(two_player_rules())
    leave_page(game, owner)
    client = Client()
    lobby_of(game, client)
    client.post(invite_path(game), {"seat": second, "name": "Olive"})
    assert not Game.objects.get(pk=game.pk).begun
    assert 'id="b-begin"' in lobby_of(game, client)
    client.post(f"{game.get_absolute_url()}free/", {"person": person_key(game.pk, owner.player.pk)})
    assert not seats_held(game, owner)


def test_a_lobby_for_two_begins_with_somebody_else_while_the_host_is_away(owner, opponent):
    game = make_lobby(owner)
    leave_page(game, owner)
    lobby_of(game, opponent.client)
    sit(game, opponent, seat_keys(two_player_rules())[1])
    assert Game.objects.get(pk=game.pk).begun
