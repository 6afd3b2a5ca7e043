"""The bytes that leave the server are the same for two keys that differ in hidden squares only.

Everybody who may not see the key requests every address of a game, found in the site's own list, by
GET and POST. Status, headers and body must not depend on hidden squares. Parts that are random on
purpose (CSRF tokens) are removed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games import urls
from games.codenames.rules import RULES
from games.models import Game
from games.services import lobby, seats
from games.services.play import play_move
from games.services.seat_changes import give_up_seat
from games.services.setup import NewGame, create_game
from games.storage.cache import clear_all
from tests.support.hidden_setups import iter_strings
from tests.support.packs import make_pack, pack_options
from tests.support.players import new_person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_time")]

RED, BLUE = "red-operatives", "blue-operatives"
RED_SPY, BLUE_SPY = "red-spymaster", "blue-spymaster"
SEATS = (RED, BLUE, RED_SPY, BLUE_SPY)

# Revealed when the test begins: a1 red, c1 blue (blue to move), a3 blue, b3 a bystander (red to
# move); and revealed while it runs: b1 red. Most of the other squares differ, including the
# assassin.
KEY = "RRBBBRBRRBB-XR-B-RR-"
OTHER = "RRBRRB-XRBB-RBRR-B-B"
SHOWN = {0: "R", 1: "R", 2: "B", 10: "B", 11: "-"}

Played = Sequence[tuple[str, str]]
SPOKEN: Played = [(RED, "a1"), (RED, "c1"), (BLUE, "a3"), (BLUE, "b3")]
WRITTEN: Played = [
    *[(RED_SPY, "clue xylograph 2"), *SPOKEN[:2]],
    *[(BLUE_SPY, "clue zephyr 2"), *SPOKEN[2:]],
    (RED_SPY, "clue zymurgy 0"),
]

FORGERY = re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+|(csrftoken=)\w+')
EXPIRY = re.compile(rb"expires=[^;]+")
HTMX = {"HX-Request": "true"}
PATHS = ("", "board/", "board/?lobby=guest", "0/", "0/picture.png", "seats/", "hint/", "analysis/")
"""Addresses of a game before it has begun."""
# The kinds of requests: for the page and its parts, in both languages, and for views that are not
# allowed.
WAYS: Sequence[tuple[dict[str, str], dict[str, str]]] = [
    ({}, HTMX),
    ({}, {}),
    ({"seat": RED_SPY}, {"Accept-Language": "nl"}),
    ({"seat": BLUE_SPY, "chosen": "d4", "moves": "all"}, HTMX),
    ({"seat": BLUE_SPY, "ply": "2"}, HTMX),
]

METHOD_NOT_ALLOWED = 405
"""The status of a view that reads nothing of such a request, so that one of them is enough."""

Answers = dict[str, bytes]


@pytest.fixture(autouse=True)
def without_rate_limits(settings: Any) -> None:
    settings.RATE_LIMITS = False


class Table:
    """A running game with a player on each seat, whose host has no seat."""

    def __init__(self, played: Played, **options: object) -> None:
        self.people = {seat: new_person(seat) for seat in (*SEATS, "host")}
        if options.get("cards") == "pack":
            options |= pack_options(make_pack(self.people["host"], RULES))
        self.game = create_game(
            player=self.people["host"].player,
            new=NewGame(
                rules=RULES,
                options={"rows": 4, "columns": 5, "own_key": KEY, "clues": "spoken", **options},
                seating=dict.fromkeys(SEATS, "invite"),
            ),
        )
        self.address = self.game.get_absolute_url()
        for seat in SEATS:
            self.game.seats.get(key=seat).holders.create(player=self.people[seat].player)
        for self.ply, (seat, move) in enumerate(played, 1):
            self.play(seat, move, self.ply - 1)

    def play(self, seat: str, move: str, ply: int) -> None:
        player = self.people[seat].player
        play_move(game_id=self.game.id, seat=seat, text=move, ply=ply, player=player)

    def with_key(self, key: str) -> None:
        """Replace the key, as if the game had been dealt with it."""
        setup = {**self.game.setup, "key": key}
        Game.objects.filter(pk=self.game.pk).update(setup=setup)
        clear_all()

    def guessers(self) -> Iterator[tuple[str, Client]]:
        """Return fresh browsers of everybody who must not see the key: the operatives, the host, a
        stranger."""
        for name in (RED, BLUE, "host"):
            client = Client()
            client.cookies = self.people[name].client.cookies.copy()
            yield name, client
        yield "stranger", Client()

    def addresses(self, *, plies: bool) -> Iterator[tuple[str, str]]:
        """Return every address of the game by name, at every ply on request."""
        for pattern in urls.urlpatterns:
            arguments = set(pattern.pattern.converters)
            if arguments == {"game_id"}:
                yield pattern.name, reverse(pattern.name, args=[self.game.id])
            elif plies and arguments == {"game_id", "ply"}:
                for ply in range(self.ply + 2):
                    yield (
                        f"{pattern.name} at ply {ply}",
                        reverse(pattern.name, args=[self.game.id, ply]),
                    )


def recorded(answer: HttpResponse) -> bytes:
    """Return a response as bytes, without its random parts."""
    headers = [f"{name}: {value}" for name, value in sorted(answer.headers.items())]
    cookies = [answer.cookies[name].OutputString() for name in sorted(answer.cookies)]
    head = "\n".join([str(answer.status_code), *headers, *cookies, ""])
    whole = head.encode() + answer.getvalue()
    return EXPIRY.sub(b"expires", FORGERY.sub(rb"\1\2", whole))


def looked(table: Table) -> Answers:
    """Return the responses to all guessers at every address."""
    answers = {}
    for who, client in table.guessers():
        for name, address in table.addresses(plies=True):
            for query, headers in WAYS[:2] if " at ply " in name else WAYS:
                answer = client.get(address, query, headers=headers)
                answers[f"{who} asks for {name} {query} {headers}"] = recorded(answer)
                if answer.status_code == METHOD_NOT_ALLOWED:
                    break
    return answers


def refused(table: Table) -> Answers:
    """Return the responses to refused posts of all guessers at every address."""
    moves = [(RED, "a1"), (RED, "clue ocean 2"), (RED_SPY, "clue ocean 2"), (BLUE, "d4")]
    answers = {}
    for who, client in table.guessers():
        for name, address in table.addresses(plies=False):
            if name == "resign":  # which shows the key
                continue
            for seat, move in moves:
                sent = {"seat": seat, "move": move, "ply": table.ply}
                answer = client.post(address, sent, headers=HTMX)
                answers[f"{who} posts {seat} {move} to {name}"] = recorded(answer)
                if answer.status_code == METHOD_NOT_ALLOWED:
                    break
    return answers


def marked(table: Table) -> Answers:
    """Return the responses to marks of all guessers, the pages with them, and the file of the
    pictures."""
    address, answers = f"{table.address}mark/", {}
    for who, client in table.guessers():
        for seat, move in ((RED, "d4"), (RED_SPY, "d4"), (BLUE, "e4"), (RED, "a1")):
            sent = {"seat": seat, "mark": move, "ply": table.ply}
            answers[f"{who} marks {move} as {seat}"] = recorded(
                client.post(address, sent, headers=HTMX)
            )
    for who, client in table.guessers():
        answers[f"{who} sees marks"] = recorded(client.get(table.address))
    drawings = re.search('"([^"]*[.]svg)#', client.get(table.address).text)
    answers["pictures"] = recorded(client.get(drawings[1])) if drawings else b""
    return answers


def found(table: Table) -> Answers:
    """Return the response to a move that reveals a square of both keys, and the pages then."""
    client = dict(table.guessers())[RED]
    sent = {"seat": RED, "move": "b1", "ply": table.ply, "typed": "1"}
    answer = client.post(f"{table.address}move/", sent, headers=HTMX)
    assert answer.status_code == 200
    pages = {who: recorded(guest.get(table.address)) for who, guest in table.guessers()}
    return {"a card is selected": recorded(answer), **pages}


def everything(table: Table, key: str) -> Answers:
    """Return all responses with one key, and leave the database unchanged."""
    table.with_key(key)
    with transaction.atomic():
        answers = {**looked(table), **refused(table), **marked(table), **found(table)}
        transaction.set_rollback(True)
    return answers


def different(one: Answers, other: Answers) -> list[str]:
    return [what for what in {**one, **other} if one.get(what) != other.get(what)]


def test_the_two_keys_differ_only_in_hidden_squares() -> None:
    assert sorted(KEY) == sorted(OTHER)
    assert {at: KEY[at] for at in SHOWN} == {at: OTHER[at] for at in SHOWN} == SHOWN
    assert sum(one != other for one, other in zip(KEY, OTHER, strict=True)) >= 12
    assert KEY.index("X") != OTHER.index("X")


def test_the_tree_of_steps_is_among_the_bytes_that_are_compared() -> None:
    table = Table(SPOKEN)
    trees = [
        re.search(rb'id="tree">(.*?)</script>', client.get(table.address).content)
        for _, client in table.guessers()
    ]
    assert any(trees)


def test_the_key_is_stored_as_one_string_that_a_scan_can_find() -> None:
    """The scan of all games takes strings of more than seven characters for keys."""
    game = Table(SPOKEN).game
    long = {value for _way, value in iter_strings(game.setup) if len(value) > 7}
    assert game.setup["key"] in long


@pytest.mark.parametrize(
    ("played", "options"),
    [(SPOKEN, {"cards": "pictures"}), (WRITTEN, {"clues": "typed"})],
    ids=["spoken", "written"],
)
def test_no_byte_depends_on_hidden_squares(played: Played, options: dict[str, object]) -> None:
    table = Table(played, **options)
    one, other = everything(table, KEY), everything(table, OTHER)
    assert len(one) > 300
    assert different(one, other) == []


def test_a_spymaster_sees_the_difference() -> None:
    table = Table(SPOKEN)
    pages = set()
    for key in (KEY, OTHER):
        table.with_key(key)
        pages.add(recorded(table.people[RED_SPY].client.get(table.address)))
    assert len(pages) == 2


def test_one_device_shows_no_byte_of_the_key_until_it_is_opened() -> None:
    table = Table(SPOKEN)
    host = table.people["host"]
    for seat in table.game.seats.all():
        seat.holders.create(player=host.player)
    queries = ["", f"?seat={RED}", f"?seat={BLUE}", f"?seat={RED_SPY}", f"?seat={BLUE_SPY}"]
    pages: dict[str, set[bytes]] = {query: set() for query in queries}
    for key in (KEY, OTHER):
        table.with_key(key)
        for query, seen in pages.items():
            seen.add(recorded(host.client.get(table.address + query)))
    assert [len(seen) for seen in pages.values()] == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("seat", [RED_SPY, BLUE_SPY])
def test_a_spymaster_who_left_gets_no_byte_of_the_key(seat: str) -> None:
    table, seen = Table(SPOKEN), []
    person = table.people[seat]
    give_up_seat(game_id=table.game.id, seat_key=seat, player=person.player)
    for key in (KEY, OTHER):
        table.with_key(key)
        seen.append(
            [
                recorded(person.client.get(address, query, headers=headers))
                for _, address in table.addresses(plies=True)
                for query, headers in WAYS
            ]
        )
    assert seen[0] == seen[1]


# --- lobbies ------------------------------------------------------------------------------------


def test_no_byte_of_a_lobby_depends_on_the_key() -> None:
    people = {name: new_person(name) for name in ("host", RED, BLUE)}
    game = create_game(
        player=people["host"].player,
        new=NewGame(
            rules=RULES,
            options={"rows": 4, "columns": 5, "own_key": KEY},
            seating={RED_SPY: "me"},
            lobby=True,
        ),
    )
    for seat in (RED, BLUE):
        lobby.sit_down(game_id=game.id, seat_key=seat, player=people[seat].player)
    game.refresh_from_db()
    invitation = f"/invite/{seats.lobby_token(game)}/"
    addresses = [invitation, *(f"/g/{game.id}/{path}" for path in PATHS)]
    clients = [Client(), *(person.client for person in people.values())]
    seen: dict[str, list[bytes]] = {}
    for key in (KEY, OTHER):
        Game.objects.filter(pk=game.pk).update(setup={**game.setup, "key": key})
        clear_all()
        seen[key] = [
            recorded(client.get(address, query, headers=headers))
            for client in clients
            for address in addresses
            for query, headers in WAYS
        ]
    assert len(seen[KEY]) == len(clients) * len(addresses) * len(WAYS)
    assert seen[KEY] == seen[OTHER]
