"""Concurrent moves, games and claims on the real server and its database."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from urllib.parse import urlencode, urlsplit

import pytest

from games.contract import Rules
from games.core.registry import all_rules
from games.services.seeking import all_wishes
from tests.support.kinds import default_specs, kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.repeats import SOAK
from tests.support.servers.http_client import HTTPClient, Response

pytestmark = [pytest.mark.processes, pytest.mark.services]

CONCURRENT = 64


@pytest.fixture
def client(site: str) -> HTTPClient:
    return HTTPClient(site)


def new_game(client: HTTPClient, rules: Rules | None = None, choice: str = "me") -> str:
    """Create a game with the same choice for every seat, and return its path."""
    rules = rules or two_player_rules()
    client.get(f"/new/{rules.slug}/")
    seats = {f"seat-{key}": choice for key in seat_keys(rules)}
    options = {option.name: str(option.default) for option in rules.options}
    response = client.post(f"/new/{rules.slug}/", {**options, **seats})
    return re.search(r"/g/\w+/", response.url)[0]  # type: ignore[index]


def first_moves() -> tuple[str, list[str]]:
    """Return the seat that moves first and its legal moves."""
    rules = two_player_rules()
    position = rules.start(rules.deal(rules.clean({}), Random(1)))
    seat = min(position.to_move())
    return seat, list(position.legal_moves(seat))


def post_all(client: HTTPClient, path: str, moves: list[str], seat: str) -> list[Response]:
    def post(move: str) -> Response:
        return client.post(
            f"{path}move/", {"seat": seat, "move": move, "ply": "0"}, **{"HX-Request": "true"}
        )

    with ThreadPoolExecutor(CONCURRENT) as pool:
        return list(pool.map(post, moves))


def test_exactly_one_of_64_concurrent_moves_is_made(client):
    path = new_game(client)
    seat, moves = first_moves()
    concurrent = [moves[number % len(moves)] for number in range(CONCURRENT)]
    responses = post_all(client, path, concurrent, seat)
    made = {
        move for move, response in zip(concurrent, responses, strict=True) if response.status == 200
    }
    assert len(made) == 1
    assert {response.status for response in responses} <= {200, 409}
    assert 'data-ply="1"' in client.get(path).text


def test_the_same_move_sent_64_times_is_made_once_and_accepted_each_time(client):
    path = new_game(client)
    seat, moves = first_moves()
    responses = post_all(client, path, [moves[0]] * CONCURRENT, seat)
    assert {response.status for response in responses} == {200}
    assert 'data-ply="1"' in client.get(path).text


@pytest.mark.skipif(
    "postgres" in os.environ.get("DATABASE_URL", ""), reason="SQLite has one writer"
)
def test_pages_are_served_while_moves_wait_for_the_write_lock(client, site, site_data):
    path = new_game(client)
    seat, moves = first_moves()
    with closing(sqlite3.connect(site_data / "boardsite.sqlite3", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(post_all, client, path, moves, seat)
            time.sleep(0.5)
            response = HTTPClient(site).get(path)
            assert not waiting.done()
            writer.execute("ROLLBACK")
    assert response.status == 200
    assert {response.status for response in waiting.result()} <= {200, 409}


def test_64_concurrent_new_games_accept_their_first_move(site):
    def play(_: int) -> int:
        client = HTTPClient(site)
        path = new_game(client)
        seat, moves = first_moves()
        return client.post(
            f"{path}move/", {"seat": seat, "move": moves[0], "ply": "0"}, **{"HX-Request": "true"}
        ).status

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(play, range(CONCURRENT))) == [200] * CONCURRENT


WISHES = sorted(key for key, wish in all_wishes().items() if wish.usual)


def seek(client: HTTPClient, wishes: Sequence[str], **sent: str) -> str:
    """Seek an opponent and return the path of the game or the lobby to which that leads; '' if it
    is refused."""
    fields = [("csrfmiddlewaretoken", client.token), *sent.items()]
    fields += [("kinds", wish) for wish in wishes]
    response = client.request("/seek/", urlencode(fields).encode(), {})
    return urlsplit(response.url).path if response.status == 200 else ""


def newcomers(site: str, count: int) -> list[HTTPClient]:
    clients = [HTTPClient(site) for _ in range(count)]
    for client in clients:
        client.get("/")
    return clients


def games_of(clients: Sequence[HTTPClient], paths: Sequence[str]) -> list[str]:
    """Return where clients play now: their lobbies lead to the games."""
    pairs = zip(clients, paths, strict=True)
    return [urlsplit(client.get(path).url).path for client, path in pairs if path]


def test_100_who_seek_an_opponent_at_once_meet_in_pairs(site):
    clients = newcomers(site, 100)
    rng = Random(7)
    wishes = [WISHES[:1] if rng.random() < 0.5 else rng.sample(WISHES, 2) for _ in clients]
    with ThreadPoolExecutor(16) as pool:
        first = list(pool.map(seek, clients, wishes))
    found = Counter(games_of(clients, first))
    playing = [path for path, people in found.items() if path.startswith("/g/")]
    assert {found[path] for path in playing} == {2}
    # Two that wait share no wish.
    waiting = [path for path in found if path not in playing]
    assert len(waiting) <= len(WISHES)
    for client, path in zip(clients, first, strict=True):
        if path in waiting:
            client.post("/g/" + lobby_id(client, path) + "/leave/", {})


def lobby_id(client: HTTPClient, path: str) -> str:
    return re.search(r'data-game="/g/(\w+)/"', client.get(path).text)[1]  # type: ignore[index]


# Further ones would be too many requests from one address.
RACES = 60 if SOAK else 12


def test_races_for_a_seat_make_no_pair_twice(site):
    """Let one wait, and then at once two join by the line, one in two tabs, another one seek, and
    the first one withdraw."""
    pool = ThreadPoolExecutor(5)
    for race in range(RACES):
        host, joins, joins_too, seeks = clients = newcomers(site, 4)
        wishes = [WISHES[race % len(WISHES)], WISHES[0]]
        lobby = seek(host, wishes)
        game = lobby_id(host, lobby)
        line = {"join": f"{game} {wishes[0]}"}
        acts = [
            pool.submit(seek, joins, [], **line),
            pool.submit(seek, joins, [], **line),
            pool.submit(seek, joins_too, [], **line),
            pool.submit(seek, seeks, wishes[1:]),
            pool.submit(host.post, f"/g/{game}/leave/", {}),
        ]
        ended = [act.result() for act in acts]
        assert ended[0] == ended[1] or not (ended[0] and ended[1])
        paths = [lobby, ended[0] or ended[1], ended[2], ended[3]]
        found = Counter(
            [path for path in games_of(clients[1:], paths[1:]) if path.startswith("/g/")]
        )
        # At most one of the others has met the host; the second finds nobody, or waits.
        assert sum(found.values()) <= 1
        assert set(found) <= {f"/g/{game}/"}
        if not paths[3].startswith("/g/"):
            waiting = seeks.get("/").text
            assert f"/g/{game}/" not in waiting or not found
            seeks.post(f"/g/{lobby_id(seeks, paths[3])}/leave/", {})
    pool.shutdown()


def test_each_concurrent_claim_of_a_shared_seat_makes_a_version(client, site):
    rules = all_rules()[kinds_with_shared_seats()[0]]
    shared = next(spec.key for spec in default_specs(rules) if spec.shared)
    path = new_game(client, rules, "invite")
    link = re.search(rf'id="link-{shared}"[^>]*value="[^"]*(/join/\w+/)"', client.get(path).text)

    def join(_: int) -> int:
        other = HTTPClient(site)
        other.get(link[1])
        return other.post(link[1], {"name": ""}).status

    def version() -> int:
        return int(re.search(r'data-version="(\d+)"', client.get(path).text)[1])  # type: ignore[index]

    before = version()
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(join, range(16))) == {200}
    assert version() == before + 16


def test_one_of_64_concurrent_claims_of_a_seat_in_a_lobby_wins(client, site):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    client.get(f"/new/{rules.slug}/")
    options = {option.name: str(option.default) for option in rules.options}
    seats = {f"seat-{first}": "me", f"seat-{second}": "invite", "lobby": "1"}
    host = client.post(f"/new/{rules.slug}/", {**options, **seats})
    lobby = re.search(r"/invite/\w+/", host.url)[0]  # type: ignore[index]

    def sit(number: int) -> Response:
        friend = HTTPClient(site)
        friend.get(lobby)
        return friend.post(lobby, {"seat": second, "name": f"Friend {number}"})

    with ThreadPoolExecutor(16) as pool:
        responses = list(pool.map(sit, range(CONCURRENT)))
    statuses = [response.status for response in responses]
    assert sorted(set(statuses)) == [200, 409]
    assert statuses.count(200) == 1
    winner = statuses.index(200)
    assert f"Friend {winner}" in client.get(urlsplit(host.url).path).text


def test_one_of_64_browsers_that_use_a_device_link_joins(client, site):
    new_game(client)
    client.get("/me/devices/")
    page = client.post("/me/devices/link/", {}).text
    link = re.search(r"/device/\w+/", page)[0]  # type: ignore[index]

    def join(_: int) -> int:
        browser = HTTPClient(site)
        browser.get(link)
        return browser.post(link, {}).status

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(join, range(CONCURRENT)))
    assert (statuses.count(200), statuses.count(410)) == (1, CONCURRENT - 1)
    assert client.get("/me/access/").text.count('name="device"') == 2


def test_concurrent_games_of_a_pack_share_no_word(client, site):
    rules = next(rules for rules in all_rules().values() if rules.pack)
    texts = {f"word {number:03}" for number in range(200)}
    client.get(f"/me/packs/new/{rules.slug}/")
    kept = client.post(
        f"/me/packs/new/{rules.slug}/", {"name": "All", "words": "\n".join(sorted(texts))}
    )
    pack = re.search(r"/me/packs/([0-9a-f-]{36})/", kept.text)[1]  # type: ignore[index]
    options = {option.name: str(option.default) for option in rules.options}
    options |= dict([rules.pack.only_with] if rules.pack.only_with else [])
    seats = {f"seat-{key}": "me" for key in seat_keys(rules)}

    def deal(token: str) -> set[str]:
        form = {**options, rules.pack.name: pack, **seats, "csrfmiddlewaretoken": token}
        return set(re.findall(r"word \d{3}", client.post(f"/new/{rules.slug}/", form).text))

    # Each from a page of its own, since the same form sent again makes the same game.
    tokens = [client.get(f"/new/{rules.slug}/") and client.token for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        dealt = list(pool.map(deal, tokens))
    assert [len(words) for words in dealt] == [25] * 8
    assert set().union(*dealt) == texts
