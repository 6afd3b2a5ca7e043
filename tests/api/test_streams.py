"""Programs follow games by streams: the state comes first, whole, then the changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.test import Client

from games.api.streams import Follower, PartStream, Program, StateStream, _admit, _running_games
from games.bus import devices_changed
from games.core.registry import all_rules
from games.live.events import SHUT, Message, presence_event
from games.live.source import Database
from games.models import ApiToken, Game
from games.people.bots import find_token, make_token, withdraw_token
from games.services.lobby import close_to_watchers
from games.services.play import play_move
from games.services.rematch import rematch
from games.state.lists import running_versions
from games.storage.cache import clear_all
from tests.api.test_api import problem
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.hidden_setups import seats_that_see_a_difference, with_other_secrets
from tests.support.kinds import default_specs, kinds_with_secrets, seat_keys, two_player_rules
from tests.support.players import Person, new_person
from tests.support.servers.programs import Newcomer

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


class PlayersStream(Reading):
    """A program’s end of the stream of all its games, with two of them."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = [PartStream(self._send, gzipped=False) for _ in range(2)]
        for part in self.parts:
            part.open(0)


def test_a_player_has_all_games_in_one_stream_up_to_their_end_and_rematch(owner, opponent):
    games, program = [make_game(owner, opponent) for _ in range(2)], program_of(owner)
    reading = PlayersStream()

    def send_all() -> None:
        for game, part in zip(games, reading.parts, strict=True):
            boards = Database().boards(game.pk, [program])
            part.write(boards.by_viewer[program])

    send_all()
    post_resign(owner, games[0])
    send_all()
    rematch(game_id=games[0].pk, player=owner.player)
    send_all()
    assert {name for name, _state in reading.events} == {"state"}
    told = [(state["id"], state["over"], bool(state["rematch"])) for _, state in reading.events]
    first, second = (game.pk for game in games)
    assert told == [
        (first, False, False),
        (second, False, False),
        (first, True, False),
        (first, True, True),
    ]
    assert reading.more


def test_without_streaming_all_running_games_are_sent(owner, opponent):
    games = {make_game(owner, opponent).pk for _ in range(2)}
    make_finished_game(owner, opponent)
    headers = {"Authorization": f"Bearer {make_token(player=owner.player, name='bot')}"}
    sent = Client().get("/api/1/events", headers=headers).content
    assert {state["id"] for _name, state in parsed(sent)} == games
    assert problem(Client().get("/api/1/events"), 401) == "no_token"


@pytest.mark.parametrize("end", ["finish", "write"])
def test_a_game_that_ends_its_part_ends_no_other(owner, end):
    reading, program = PlayersStream(), program_of(owner)
    ended, other = reading.parts
    getattr(ended, end)(*([SHUT] if end == "write" else []))
    boards = Database().boards(make_game(owner).pk, [program])
    for part in (ended, other):
        part.write(boards.by_viewer[program])
        part.write(presence_event(b"{}"))
    assert [name for name, _state in reading.events] == ["state"]
    assert reading.more and (ended.has_ended, other.has_ended) == (True, False)


def test_the_stream_of_a_player_ends_with_its_token(owner):
    program = program_of(owner)
    assert _running_games(program) == {}
    withdraw_token(player=owner.player, token_id=program.token.pk)
    assert _running_games(program) is None


def test_the_running_games_of_a_player_take_one_query(owner, opponent, django_assert_num_queries):
    games = [make_game(owner, opponent) for _ in range(3)]
    make_finished_game(owner, opponent)
    Game.objects.filter(pk=games[0].pk).update(kind="gone")
    games[1].refresh_from_db()
    with django_assert_num_queries(1):
        known = running_versions(owner.player.pk)
    assert known == {
        game.pk: game.version for game in Game.objects.filter(pk__in=[g.pk for g in games[1:]])
    }


def test_a_program_that_follows_all_games_is_present_in_none(owner):
    assert not Follower(owner.player.pk, token=None, base="").is_there
    assert Program(owner.player.pk, token=None, base="").is_there


@pytest.mark.processes
def test_a_player_is_told_of_new_games_their_end_and_their_rematch(site):
    host, guest, rules = Newcomer(site), Newcomer(site), two_player_rules()
    first, second = seat_keys(rules)
    headers = {"Authorization": f"Bearer {guest.token}"}
    with urlopen(Request(f"{site}/api/1/events", headers=headers), timeout=60) as stream:

        def next_state() -> Any:
            name = b""
            for line in stream:
                name = line if line.startswith(b"event:") else name
                if line.startswith(b"data:") and b"state" in name:
                    return json.loads(line[5:])
            raise AssertionError("The stream has ended.")

        # The game in which a newcomer has made the first move is there already.
        earlier = next_state()["id"]
        game = host.new_game(rules.slug, {first: "me", second: "invite"})
        (invitation,) = host.ask(f"games/{game}/invitations")
        guest.ask("join", token=invitation["token"])
        state = next_state()
        assert (state["id"], state["your_seats"]) == (game, [second])
        host.ask(f"games/{game}/resign", seat=first, ply=0)
        while not (state := next_state())["over"]:
            pass
        assert state["id"] == game != earlier
        following = host.ask(f"games/{game}/rematch", again=True)["id"]
        assert next_state()["rematch"]["id"] == following
        asked = [Request(f"{site}/api/1/events", headers=headers) for _ in range(3)]
        with urlopen(asked[0], timeout=60), urlopen(asked[1], timeout=60):
            with pytest.raises(HTTPError) as refused:
                urlopen(asked[2], timeout=60)
            assert refused.value.code == 429 and refused.value.headers["Retry-After"]
            refused.value.close()


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
