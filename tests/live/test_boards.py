"""Streams carry the boards of the views, and no more than the viewer may see."""

from __future__ import annotations

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.live.source import Database
from games.models import Game
from games.presentation.visibility import Viewer
from games.services.players import rename
from games.services.seats import claim_seat, invitation_token
from games.state import snapshot as snapshot_module
from games.storage.cache import clear_all
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.hidden_setups import seats_that_see_a_difference, with_other_secrets
from tests.support.kinds import default_specs, kinds_with_secrets, two_player_rules
from tests.support.players import Person, new_person

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def viewer(person: Person | None = None, **changes: str) -> Viewer:
    return Viewer(player_id=person.player.pk if person else None, **changes)


def streamed(game: Game, viewer: Viewer) -> str:
    """Return the board of a stream, as the browser reads it."""
    boards = Database().boards(game.id, [viewer])
    lines = boards.by_viewer[viewer].plain["body"].decode().split("\n")
    return "\n".join(line[6:] for line in lines if line.startswith("data: "))


def fetched(game: Game, client: Client, **query: str) -> str:
    """Return the board of the view."""
    response = client.get(f"/g/{game.id}/board/", query, headers={"HX-Request": "true"})
    return response.text.replace("\r\n", "\n")


@pytest.mark.parametrize("slug", all_rules())
def test_a_stream_sends_the_board_of_the_view(slug, owner):
    rules = all_rules()[slug]
    other, stranger = new_person("Otto"), new_person("Sam")
    seats = default_specs(rules)
    seating = {spec.key: "me" if spec is seats[0] else "invite" for spec in seats}
    game = make_game(owner, rules=rules, seating=seating)
    token = invitation_token(game.seats.get(key=seats[-1].key))
    claim_seat(token=token, player=other.player)
    game.refresh_from_db()
    for who in (owner, other, stranger):
        assert streamed(game, viewer(who)) == fetched(game, who.client)
    assert streamed(game, viewer()) == fetched(game, Client())


@pytest.mark.parametrize("slug", all_rules())
def test_a_shared_device_gets_the_seat_that_it_asks_for(slug, owner):
    rules = all_rules()[slug]
    game = make_game(owner, rules=rules)
    for spec in default_specs(rules):
        asks = viewer(owner, asked=spec.key)
        assert streamed(game, asks) == fetched(game, owner.client, seat=spec.key)
    asks = viewer(asked=default_specs(rules)[0].key)
    assert streamed(game, asks) == fetched(game, Client())


def test_a_stream_has_the_language_and_confirmation_of_the_page(owner):
    game = make_game(owner)
    owner.client.cookies["preferences"] = "confirm=always"
    owner.client.cookies["django_language"] = "nl"
    who = viewer(owner, confirm="always", language="nl")
    assert streamed(game, who) == fetched(game, owner.client) != streamed(game, viewer(owner))


def test_a_claimed_seat_shows_with_the_next_board(owner):
    other = new_person("Otto")
    game = make_game(
        owner, seating={spec.key: "invite" for spec in default_specs(two_player_rules())}
    )
    before = streamed(game, viewer(other))
    seat = game.seats.first()
    claim_seat(token=invitation_token(seat), player=other.player)
    game.refresh_from_db()
    after = streamed(game, viewer(other))
    assert "my-turn" in after and "my-turn" not in before


def test_viewers_with_the_same_view_share_one_rendering(owner):
    game = make_game(owner)
    crowd = [viewer(new_person(f"P{number}")) for number in range(3)] + [viewer()]
    boards = Database().boards(game.id, [*crowd, viewer(owner)]).by_viewer
    assert len({id(boards[who]) for who in crowd}) == 1
    assert boards[viewer(owner)] is not boards[viewer()]


def test_a_move_is_rendered_anew(owner):
    game, database = make_game(owner), Database()
    before = database.boards(game.id, [viewer()])
    post_move(owner, game)
    after = database.boards(game.id, [viewer()])
    assert after.version > before.version
    assert after.by_viewer[viewer()].plain != before.by_viewer[viewer()].plain


def test_a_name_with_a_line_separator_does_not_break_the_stream(owner):
    game = make_game(owner)
    rename(player=owner.player, name="Ol\u00a0ive 🦉")
    assert streamed(game, viewer()) == fetched(game, Client())


@pytest.mark.django_db(transaction=True)
def test_the_board_of_a_move_of_this_process_needs_no_query(owner, django_assert_num_queries):
    game = make_game(owner)
    post_move(owner, game)
    game.refresh_from_db()
    expected = Database().boards(game.id, [viewer(owner)])
    with django_assert_num_queries(0):
        played = Database().boards(game.id, [viewer(owner)], game.version)
    assert played == expected


def test_the_board_of_a_move_of_another_process_is_read(owner):
    game = make_game(owner)
    post_move(owner, game)
    game.refresh_from_db()
    clear_all()
    assert Database().boards(game.id, [viewer(owner)], game.version).version == game.version


def test_a_board_is_read_again_after_a_concurrent_move(owner, monkeypatch):
    game = make_game(owner)
    read, to_come = snapshot_module._read_game, [game]

    def read_and_move(game_id: str) -> Game:
        found = read(game_id)
        if to_come:
            post_move(owner, to_come.pop())
            clear_all()
        return found

    monkeypatch.setattr(snapshot_module, "_read_game", read_and_move)
    snapshot = Database().boards(game.id, [viewer()])
    game.refresh_from_db()
    assert snapshot.version == game.version


def test_a_deleted_game_has_no_board_and_no_version(owner):
    game, _ = make_game(owner), make_game(owner)
    gone, game_id = Database(), game.id
    assert gone.versions([game_id, "nowhere"]) == {game_id: game.version}
    game.delete()
    assert gone.boards(game_id, [viewer()]) is None
    assert gone.versions([game_id]) == {}


# --- secrets ------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_streams_do_not_depend_on_hidden_information(slug, owner):
    rules = all_rules()[slug]
    cast = {spec.key: new_person(spec.key) for spec in default_specs(rules)}
    game = make_game(
        owner, rules=rules, seating={spec.key: "invite" for spec in default_specs(rules)}
    )
    for seat in game.seats.all():
        claim_seat(token=invitation_token(seat), player=cast[seat.key].player)
    viewers = {key: viewer(person) for key, person in cast.items()}
    viewers |= {f"asks for {key}": viewer(asked=key) for key in cast} | {"spectator": viewer()}

    def sent() -> dict[str, bytes]:
        clear_all()
        boards = Database().boards(game.id, viewers.values()).by_viewer
        return {key: boards[who].gzipped["body"] for key, who in viewers.items()}

    one = sent()
    changed = with_other_secrets(rules, game.setup)
    Game.objects.filter(pk=game.pk).update(setup=changed)
    other = sent()
    assert {key for key in viewers if one[key] != other[key]} == seats_that_see_a_difference(
        rules, game.setup, changed
    )


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_on_a_shared_device_only_the_opened_seat_gets_hidden_information(slug, owner):
    rules = all_rules()[slug]
    game = make_game(owner, rules=rules)
    changed = with_other_secrets(rules, game.setup)
    secret = min(seats_that_see_a_difference(rules, game.setup, changed))
    closed, opened = viewer(owner), viewer(owner, asked=secret)
    one = {who: streamed(game, who) for who in (closed, opened)}
    Game.objects.filter(pk=game.pk).update(setup=changed)
    # The version is unchanged, so the caches do not notice.
    clear_all()
    assert streamed(game, closed) == one[closed]
    assert streamed(game, opened) != one[opened]
