"""Games that their hosts have closed to watchers: only their players see them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Game
from games.services import questions, rematch, seat_changes, seats, setup
from games.services.plans import plan_continuation
from games.state import lists
from games.state.questions import DRAW
from games.state.snapshot import read_snapshot
from games.state.variations import Variation
from games.urls import urlpatterns
from tests.support.computer_games import make_game_between_computers
from tests.support.game_factory import (
    invitation_path,
    make_finished_game,
    make_game,
    make_game_with_moves,
    make_game_with_open_seat,
    open_seat,
)
from tests.support.game_requests import get_game_page, post_move
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.players import Person, new_person
from tests.views.test_access import access_rows

pytestmark = pytest.mark.django_db

CLOSED = "This game is private"
VOLATILE = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


def close(person: Person, game: Game, watchers: str = "close") -> HttpResponse:
    response = person.client.post(f"/g/{game.id}/watchers/", {"watchers": watchers})
    game.refresh_from_db()
    return response


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    """Return a game of two people that the first has closed after a move."""
    game = make_game(owner, opponent)
    post_move(owner, game)
    assert close(owner, game).status_code == 302
    return game


def test_only_players_see_a_closed_game(game, owner, opponent, stranger):
    for player in (owner, opponent):
        page = get_game_page(player, game)
        assert 'id="board"' in page and "private" in page
    for client in (stranger.client, Client()):
        response = client.get(game.get_absolute_url())
        assert response.status_code == 403
        assert CLOSED in response.text and str(game.rules.name) in response.text
        assert 'id="board"' not in response.text
        assert response["Cache-Control"] == "no-store"


def test_a_closed_game_is_played_on(game, owner, opponent):
    assert post_move(opponent, game).status_code == 302
    assert post_move(owner, game, htmx=True).status_code == 200


def test_a_closed_game_is_opened_again(game, owner, stranger):
    assert "Make public" in get_game_page(owner, game)
    close(owner, game, "open")
    assert not game.closed
    assert stranger.client.get(game.get_absolute_url()).status_code == 200
    assert "Make private" in get_game_page(owner, game)


def test_only_the_host_closes_and_opens(game, owner, opponent, stranger):
    assert "Make public" not in get_game_page(opponent, game)
    assert close(opponent, game, "open").status_code == 403
    assert close(stranger, game, "open").status_code == 403
    assert game.closed
    close(owner, game, "open")
    assert close(opponent, game).status_code == 403
    assert close(stranger, game).status_code == 403
    assert not game.closed


def test_the_players_are_notified_that_a_game_was_closed(game, owner, opponent):
    assert "The game is private now." in get_game_page(opponent, game)
    before = game.version
    close(owner, game)
    assert game.version == before


def test_closing_leaves_a_draw_offer_open(owner, opponent):
    rules = next((rules for rules in all_rules().values() if rules.draws), None)
    if rules is None:
        pytest.skip("no game knows draws by agreement")
    game = make_game(owner, opponent, rules=rules)
    questions.ask(DRAW, game_id=game.id, player=owner.player, ply=0)
    close(owner, game)
    assert game.closed
    assert "b-offer-draw" not in get_game_page(owner, game)
    questions.answer(DRAW, game_id=game.id, player=opponent.player, agree=True, ply=0)
    game.refresh_from_db()
    assert game.over


def closed_game(slug: str, *, moves: int, host: str, others: str) -> Game:
    """Return a closed game whose players have unmistakable names and messages."""
    owner, opponent = new_person(host), new_person(others)
    game = make_game(owner, opponent, rules=all_rules()[slug])
    for _ in range(moves):
        for person in (owner, opponent):
            if post_move(person, game).status_code == 302:
                break
    close(owner, game)
    return game


def requests_of(game: Game, client: Client) -> Iterator[tuple[str, int, str]]:
    """Yield all addresses of a game with the answers to a browser, as they are without what is
    random in each."""
    parts = {"at_ply": [game.id, 0], "picture": [game.id, 0], "sprite": [game.id, "other"]}
    parts |= {"practise_mistake": [game.id, 1], "export": [game.id, "text"]}
    parts |= {"svg_picture": [game.id, 0], "kept": [game.id, "other"]}
    parts |= {key: [game.id, "other"] for key in ("kept_embed", "hide_kept", "remove_kept")}
    of_games = {pattern.name for pattern in urlpatterns if "<str:game_id>" in str(pattern.pattern)}
    for method, name in [row[:2] for row in access_rows() if row[1] in of_games]:
        address = reverse(name, args=parts.get(name, [game.id]))
        for headers in ({}, {"HX-Request": "true"}):
            sent = {"seat": game.seats.all()[0].key, "move": "a1", "ply": "1", "agree": "no"}
            request = client.get if method == "GET" else client.post
            response = request(address, sent, headers=headers)
            text = response.content.decode("latin1") + str(sorted(response.headers.items()))
            text = VOLATILE.sub("", text).replace(game.id, "<game>")
            yield f"{method} {name} {bool(headers)}", response.status_code, text


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.parametrize("known", [True, False], ids=["stranger", "anonymous"])
def test_no_address_reveals_anything_about_a_closed_game(slug, known):
    short = closed_game(slug, moves=1, host="Ada", others="Bea")
    long = closed_game(slug, moves=3, host="Charlotte", others="Dorothea")
    client = new_person("Stan").client if known else Client()
    assert list(requests_of(short, client)) == list(requests_of(long, client))


def test_an_invitation_to_a_closed_game_still_works(owner, stranger):
    game = make_game_with_open_seat(owner)
    close(owner, game)
    invitation = invitation_path(open_seat(game))
    page = stranger.client.get(invitation)
    assert page.status_code == 200
    assert "Watch only" not in page.text and f"/g/{game.id}/0/picture.png" not in page.text
    assert stranger.client.post(invitation, {"name": "Stan"}).status_code == 302
    assert 'id="board"' in get_game_page(stranger, game)


def test_a_group_link_to_a_closed_game_still_works(owner, opponent, stranger):
    rules = all_rules()[kinds_with_shared_seats()[0]]
    team = next(spec.key for spec in rules.seats(rules.clean({})) if spec.shared)
    game = make_game(owner, opponent, rules=rules)
    seat_changes.give_up_seat(
        game_id=game.id, seat_key=seat_keys(rules)[1], player=opponent.player, computer=False
    )
    close(owner, game)
    invitation = reverse("invite", args=[seats.lobby_token(game)])
    page = stranger.client.get(invitation)
    assert page.status_code == 200 and "lobby.js" not in page.text
    assert stranger.client.post(invitation, {"seat": team}).status_code == 302
    assert 'id="board"' in get_game_page(stranger, game)


def test_a_player_who_leaves_a_closed_game_no_longer_sees_it(game, opponent):
    second = seat_keys(two_player_rules())[1]
    opponent.client.post(f"/g/{game.id}/give-up/", {"free": second})
    assert opponent.client.get(game.get_absolute_url()).status_code == 403


def test_lists_show_no_closed_game(owner, stranger):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    assert [offer.game for offer in lists.open_games(stranger.player)] == [game]
    close(owner, game)
    assert lists.open_games(stranger.player) == []
    assert stranger.client.get(f"/g/{game.id}/sit/", {"seat": second}).status_code == 403


def test_a_rematch_of_a_closed_game_is_closed(owner, opponent, stranger):
    game = make_finished_game(owner, opponent)
    close(owner, game)
    new = rematch.rematch(game_id=game.id, player=owner.player)
    assert new.closed
    assert stranger.client.get(new.get_absolute_url()).status_code == 403
    response = opponent.client.post(f"/g/{game.id}/rematch/", follow=True)
    assert response.status_code == 200


def test_people_of_the_previous_game_reach_the_lobby_of_a_closed_rematch(owner, opponent):
    game = make_finished_game(owner, opponent)
    close(owner, game)
    new = rematch.rematch(game_id=game.id, player=owner.player)
    lobby = opponent.client.get(new.get_absolute_url())
    assert lobby["Location"] == reverse("invite", args=[seats.lobby_token(new)])
    page = opponent.client.get(lobby["Location"])
    assert page.status_code == 200 and "lobby.js" not in page.text


def test_a_game_that_continues_a_closed_one_is_closed(owner):
    game = make_game_with_moves(owner, 2)
    close(owner, game)
    snapshot = read_snapshot(game.id)
    plan = plan_continuation(snapshot=snapshot, variation=Variation(1), opponent="device")
    assert setup.start_game(player=owner.player, plan=plan).closed


def test_pictures_of_a_closed_game_stay_in_no_shared_cache(game, owner):
    address = f"/g/{game.id}/1/picture.png"
    assert "private" in owner.client.get(address)["Cache-Control"]
    close(owner, game, "open")
    assert "public" in owner.client.get(address)["Cache-Control"]


def test_a_host_without_a_seat_sees_the_closed_game(owner: Person, stranger: Person) -> None:
    game = make_game_between_computers(owner)
    close(owner, game)
    assert 'id="board"' in get_game_page(owner, game)
    assert stranger.client.get(game.get_absolute_url()).status_code == 403
