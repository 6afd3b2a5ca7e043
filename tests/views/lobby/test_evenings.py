"""An evening of several games: old invitations lead on, and the offer of a rematch ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game
from games.services import lobby, seats
from games.storage.cache import clear_all
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def invite_path(game: Game) -> str:
    return f"/invite/{seats.lobby_token(game)}/"


def rematch_of(game: Game, person: Person) -> Game:
    assert person.client.post(f"/g/{game.pk}/rematch/").status_code == 302
    return Game.objects.get(rematch_of=game)


def play_out(game: Game, owner: Person, opponent: Person) -> Game:
    lobby.sit_down(
        game_id=game.pk, seat_key=seat_keys(two_player_rules())[1], player=opponent.player
    )
    post_resign(owner, game)
    return Game.objects.get(pk=game.pk)


def test_an_old_invitation_leads_into_the_newest_rematch(owner, opponent, client):
    first = play_out(make_lobby(owner), owner, opponent)
    second = rematch_of(first, owner)
    opponent.client.post(f"/g/{first.pk}/rematch/")
    post_resign(owner, second)
    third = rematch_of(Game.objects.get(pk=second.pk), owner)
    response = client.get(invite_path(first))
    assert response["Location"] == invite_path(third)
    assert 'id="b-sit-' in client.get(invite_path(first), follow=True).text


def test_the_used_link_of_a_seat_leads_into_the_rematch(owner, opponent, client):
    game = make_lobby(owner)
    token = seats.invitation_token(game.seats.get(players=None))
    seats.claim_seat(token=token, player=opponent.player)
    post_resign(owner, game)
    assert client.get(f"/join/{token}/").status_code == 410
    new = rematch_of(Game.objects.get(pk=game.pk), owner)
    for browser in (client, opponent.client):
        assert browser.get(f"/join/{token}/")["Location"] == invite_path(new)


def test_the_link_of_a_team_leads_into_the_rematch(owner, opponent, client):
    game = make_lobby(owner, rules=all_rules()[kinds_with_shared_seats()[0]])
    team = next(spec.key for spec in game.specs if spec.shared)
    token = seats.invitation_token(game.seats.get(key=team))
    for key in (spec.key for spec in game.specs if spec.secret):
        lobby.sit_down(game_id=game.pk, seat_key=key, player=opponent.player)
        break
    lobby.begin(game_id=game.pk, player=owner.player)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    Game.objects.create(
        kind=game.kind,
        rules_version=game.rules_version,
        options=game.options,
        setup=game.setup,
        rematch_of=game,
    )
    new = Game.objects.get(rematch_of=game)
    assert client.get(f"/join/{token}/")["Location"] == new.get_absolute_url()


def test_an_invitation_without_a_rematch_leads_to_the_game(owner, opponent, client):
    game = play_out(make_lobby(owner), owner, opponent)
    assert client.get(invite_path(game))["Location"] == game.get_absolute_url()


def board(person_or_client: Person | Client, game: Game) -> str:
    client = person_or_client if isinstance(person_or_client, Client) else person_or_client.client
    return client.get(f"/g/{game.pk}/board/", headers=HTMX).text


def test_only_those_who_are_asked_are_told_of_a_rematch_in_the_title(owner, opponent, client):
    game = make_finished_game(owner, opponent)
    rematch_of(game, owner)
    assert "You want a rematch." in board(owner, game)
    assert "Go to the rematch" in board(owner, game)
    for page in (board(owner, game), board(client, game)):
        assert "wants a rematch" not in page
        assert "<title>●" not in "".join(page.split())
    assert "Olive wants a rematch" in board(opponent, game).split("</title>")[0]


def test_a_lonely_player_is_not_told_of_the_own_rematch(owner):
    game = make_finished_game(owner)
    rematch_of(game, owner)
    assert "want a rematch" not in board(owner, game)
    assert "wants a rematch" not in board(owner, game)


def test_the_offer_of_a_rematch_ends_when_it_begins(
    owner, opponent, django_capture_on_commit_callbacks
):
    game = make_finished_game(owner, opponent)
    rematch_of(game, owner)
    before = Game.objects.get(pk=game.pk).version
    with django_capture_on_commit_callbacks(execute=True):
        opponent.client.post(f"/g/{game.pk}/rematch/")
    assert Game.objects.get(pk=game.pk).version > before
    for person in (owner, opponent):
        assert "Go to the rematch" in board(person, game)
        assert "a rematch." not in board(person, game)


def test_a_player_whose_seat_another_has_taken_watches_the_rematch(owner, opponent, stranger):
    game = make_finished_game(owner, opponent)
    new = rematch_of(game, owner)
    seats.claim_seat(
        token=seats.invitation_token(new.seats.get(players=None)), player=stranger.player
    )
    clear_all()
    assert "Watch the rematch" in board(opponent, game)
    assert opponent.client.get(f"/g/{new.pk}/").status_code == 200


def test_the_offer_of_a_rematch_ends_after_a_day(owner, opponent):
    game = make_finished_game(owner, opponent)
    new = rematch_of(game, owner)
    Game.objects.filter(pk=new.pk).update(created=timezone.now() - timedelta(days=2))
    clear_all()
    assert "wants a rematch" not in board(opponent, game)
    assert "Join the rematch" in board(opponent, game)


def test_a_draw_offer_is_in_the_title_of_those_who_answer_it(owner, opponent, client):
    rules = next(rules for rules in all_rules().values() if rules.draws)
    game = make_game(owner, opponent, rules=rules)
    owner.client.post(f"/g/{game.pk}/draw/", {"ply": game.ply})
    assert "offers a draw" in board(opponent, game).split("</title>")[0]
    assert "offers a draw" not in board(owner, game).split("</title>")[0]
    assert "offers a draw" not in board(client, game).split("</title>")[0]
