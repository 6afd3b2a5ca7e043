"""Programs follow games by streams: the state comes first, whole, then the changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.api.streams import Program, StateStream, _admit
from games.bus import devices_changed
from games.core.registry import all_rules
from games.live.events import SHUT, Message
from games.live.source import Database
from games.models import ApiToken, Game
from games.people.bots import find_token, make_token, withdraw_token
from games.services.lobby import close_to_watchers
from games.services.play import play_move
from games.storage.cache import clear_all
from tests.api.test_api import problem
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.hidden_setups import seats_that_see_a_difference, with_other_secrets
from tests.support.kinds import default_specs, kinds_with_secrets
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db


def program_of(person: Person, asked: str | None = None, **more: str) -> Program:
    token = find_token(make_token(player=person.player, name="bot", **more))
    assert token is not None
    return Program(player_id=person.player.pk, asked=asked, token=token, base="http://testserver")


def bodies(game: Game, *programs: Program) -> list[bytes]:
    """Return the event that the hub sends to each program."""
    boards = Database().boards(game.pk, programs)
    assert boards is not None
    return [boards.by_viewer[program].plain["body"] for program in programs]


def parsed(body: bytes) -> Iterator[tuple[str, Any]]:
    for name, data in re.findall(r"event: (\w+)\n(?:id: \d+\n)?data: (.*)\n\n", body.decode()):
        yield name, json.loads(data or "null")


class Reading:
    """A program’s end of a stream."""

    def __init__(self) -> None:
        self.sent, self.more = b"", True
        self.stream = StateStream(self._send)
        self.stream.open(0)

    async def _send(self, message: Message) -> None:
        self.sent, self.more = self.sent + message["body"], message["more_body"]

    @property
    def events(self) -> list[tuple[str, Any]]:
        return [*parsed(self.sent)]


def first_move(game: Game) -> dict[str, Any]:
    position = game.rules.start(game.setup)
    seat = min(position.to_move())
    return {"seat": seat, "text": next(iter(position.legal_moves(seat))), "ply": 0, "undone": 0}


def test_the_state_comes_first_and_then_whole_at_each_change(owner):
    game, program, reading = make_game(owner), program_of(owner), Reading()
    database = Database()
    for version in (1, 2):
        if version == 2:
            play_move(game_id=game.id, player=owner.player, **first_move(game))
        boards = database.boards(game.pk, [program], version)
        reading.stream.write(boards.by_viewer[program])
    (first, state), (then, change) = reading.events
    assert (first, then) == ("state", "change")
    assert state.keys() == change.keys()
    assert (change["ply"], len(change["moves"])) == (1, 1)
    headers = {"Authorization": f"Bearer {make_token(player=owner.player, name='other')}"}
    now = Client().get(f"/api/1/games/{game.id}", headers=headers).json()
    assert change == now


def test_the_stream_of_a_finished_game_says_so_and_ends(owner):
    game, program, reading = make_game(owner), program_of(owner), Reading()
    for version in (1, 2):
        boards = Database().boards(game.pk, [program], version)
        reading.stream.write(boards.by_viewer[program])
        if version == 1:
            assert reading.more
            post_resign(owner, game)
    assert [name for name, _data in reading.events] == ["state", "change", "over"]
    assert reading.events[1][1]["over"] and not reading.more


@pytest.mark.parametrize("seen", [False, True])
def test_a_program_that_has_the_last_state_of_a_game_is_told_to_stay_away(owner, seen):
    game = make_finished_game(owner)
    token = make_token(player=owner.player, name="bot")
    headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {token}".encode())]
    headers += [(b"last-event-id", str(game.version).encode())] if seen else []
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    program, done = _admit(game.id, scope)
    assert program and done == seen


def test_a_lobby_is_followed_without_a_board(owner):
    game = make_lobby(owner)
    ((name, state),) = parsed(bodies(game, program_of(owner))[0])
    assert (name, state["begun"], state["view"]) == ("state", False, {})


def test_without_streaming_the_state_is_sent_each_time(owner):
    game, token = make_game(owner), make_token(player=owner.player, name="bot")
    headers = {"Authorization": f"Bearer {token}"}
    response = Client().get(f"/api/1/games/{game.id}/events", headers=headers)
    assert response["Content-Type"] == "text/event-stream"
    assert b"retry: 2000" in response.content
    ((name, state),) = parsed(response.content)
    assert (name, state) == (
        "state",
        Client().get(f"/api/1/games/{game.id}", headers=headers).json(),
    )


def test_a_stream_is_refused_as_every_other_request(owner):
    game = make_game(owner)
    assert problem(Client().get(f"/api/1/games/{game.id}/events"), 401) == "no_token"
    headers = {"Authorization": f"Bearer {make_token(player=owner.player, name='bot')}"}
    refused = Client().get("/api/1/games/nowhere/events", headers=headers)
    assert problem(refused, 404) == "not_found"


def test_a_withdrawn_token_ends_the_streams_of_its_player(
    owner, django_capture_on_commit_callbacks
):
    make_token(player=owner.player, name="bot")
    states: list[Any] = []

    def note(*, player_id: Any, **_: object) -> None:
        states.append(player_id)

    devices_changed.connect(note)
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_token(player=owner.player, token_id=ApiToken.objects.get().pk)
    devices_changed.disconnect(note)
    assert states == [owner.player.pk]


def test_the_stream_of_a_closed_game_ends_for_programs_without_a_seat(owner, opponent, stranger):
    game = make_game(owner, opponent)
    programs = [program_of(person) for person in (opponent, stranger)]
    close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    seated, watching = bodies(game, *programs)
    assert seated.startswith(b"event: state")
    assert watching == SHUT.plain["body"]


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_no_byte_of_a_stream_depends_on_what_a_program_may_not_see(slug, stranger):
    rules = all_rules()[slug]
    specs = default_specs(rules)
    people = {spec.key: new_person(spec.key) for spec in specs}
    game = make_game(*people.values(), rules=rules)
    other = with_other_secrets(rules, game.setup)
    everybody = {**people, "stranger": stranger}
    programs = [
        (name, program_of(person, seat))
        for name, person in everybody.items()
        for seat in (None, *people)
    ]

    def sent() -> list[bytes]:
        return bodies(game, *(program for _, program in programs))

    before = sent()
    Game.objects.filter(pk=game.pk).update(setup=other)
    clear_all()
    pairs = zip(programs, before, sent(), strict=True)
    changed = {name for (name, _), old, new in pairs if old != new}
    assert changed == seats_that_see_a_difference(rules, game.setup, other)
