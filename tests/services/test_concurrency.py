"""Many at once, on the real server with its database: exactly one of rival moves lands."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from games.contract import Rules
from games.registry import all_rules
from tests.support.http_client import HTTPClient, Response
from tests.support.kinds import two_player_rules

RIVALS = 64


@pytest.fixture
def visitor(site: str) -> HTTPClient:
    return HTTPClient(site)


def new_game(visitor: HTTPClient, rules: Rules | None = None, who: str = "me") -> str:
    """Start a game, of two seats on one device unless told otherwise, and give its path."""
    rules = rules or two_player_rules()
    visitor.get(f"/new/{rules.slug}/")
    seats = {f"seat-{spec.key}": who for spec in rules.seats(rules.clean({}))}
    options = {option.name: str(option.default) for option in rules.options}
    response = visitor.post(f"/new/{rules.slug}/", {**options, **seats})
    return re.search(r"/g/\w+/", response.url)[0]  # type: ignore[index]


def first_moves() -> tuple[str, list[str]]:
    rules = two_player_rules()
    position = rules.start(rules.deal(rules.clean({}), None))  # type: ignore[arg-type]
    seat = min(position.to_move())
    return seat, list(position.legal_moves(seat))


def post_all(visitor: HTTPClient, path: str, moves: list[str], seat: str) -> list[Response]:
    def post(move: str) -> Response:
        return visitor.post(
            f"{path}move/", {"seat": seat, "move": move, "ply": "0"}, **{"HX-Request": "true"}
        )

    with ThreadPoolExecutor(RIVALS) as pool:
        return list(pool.map(post, moves))


def test_exactly_one_of_64_concurrent_moves_is_made(visitor):
    path = new_game(visitor)
    seat, moves = first_moves()
    rivals = [moves[number % len(moves)] for number in range(RIVALS)]
    responses = post_all(visitor, path, rivals, seat)
    landed = {move for move, response in zip(rivals, responses, strict=True) if response.status == 200}
    assert len(landed) == 1
    assert {response.status for response in responses} <= {200, 409}
    assert 'data-ply="1"' in visitor.get(path).text


def test_the_same_move_sent_64_times_is_made_once_and_accepted_each_time(visitor):
    path = new_game(visitor)
    seat, moves = first_moves()
    responses = post_all(visitor, path, [moves[0]] * RIVALS, seat)
    assert {response.status for response in responses} == {200}
    assert 'data-ply="1"' in visitor.get(path).text


@pytest.mark.skipif(
    "postgres" in os.environ.get("DATABASE_URL", ""), reason="of SQLite's one writer"
)
def test_pages_are_served_while_moves_wait_for_the_write_lock(visitor, site, site_data):
    path = new_game(visitor)
    seat, moves = first_moves()
    with closing(sqlite3.connect(site_data / "boardsite.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(post_all, visitor, path, moves, seat)
            time.sleep(0.5)
            response = HTTPClient(site).get(path)
            assert not waiting.done()
            other.execute("ROLLBACK")
    assert response.status == 200
    assert {response.status for response in waiting.result()} <= {200, 409}


def test_64_concurrent_new_games_accept_their_first_move(site):
    def play(_: int) -> int:
        visitor = HTTPClient(site)
        path = new_game(visitor)
        seat, moves = first_moves()
        return visitor.post(
            f"{path}move/", {"seat": seat, "move": moves[0], "ply": "0"}, **{"HX-Request": "true"}
        ).status

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(play, range(RIVALS))) == [200] * RIVALS


def test_each_concurrent_claim_of_a_shared_seat_makes_a_version(visitor, site):
    rules, team = next(
        (rules, spec.key)
        for rules in all_rules().values()
        for spec in rules.seats(rules.clean({}))
        if spec.shared
    )
    path = new_game(visitor, rules, "invite")
    link = re.search(rf'id="link-{team}"[^>]*value="[^"]*(/join/\w+/)"', visitor.get(path).text)

    def join(_: int) -> int:
        guest = HTTPClient(site)
        guest.get(link[1])
        return guest.post(link[1], {"name": ""}).status

    def version() -> int:
        return int(re.search(r'data-version="(\d+)"', visitor.get(path).text)[1])  # type: ignore[index]

    before = version()
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(join, range(16))) == {200}
    assert version() == before + 16


def test_every_kind_has_a_setup_page_on_the_real_server(visitor):
    for slug in all_rules():
        assert visitor.get(f"/new/{slug}/").status == 200
