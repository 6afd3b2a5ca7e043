"""A scan of every byte that viewers without secrets can fetch from the site, streams included.

No response depends on hidden information, and none holds a secret, a token or another's cookie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django.urls import reverse

from games import urls
from games.contract import Rules, SeatKey
from games.core.registry import all_rules
from tests.support.hidden_setups import (
    iter_strings,
    seats_that_see_a_difference,
    with_other_secrets,
)
from tests.support.kinds import default_specs, kinds_with_secrets
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import Site, query_database, share_static

pytestmark = pytest.mark.processes

# Random or time-dependent in every response, by design.
VOLATILE = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=csrftoken=)\w+|(?<=expires=)[^;]+'
    rb"|event: beat\ndata: \n\n|(?<=retry: )\d+|(?<=\ndate: )[^\r\n]+"
)
Responses = dict[str, bytes]
"""The bytes of responses, by a description of the request."""
Seats = AbstractSet[SeatKey]


@dataclass
class FullGame:
    """A game with a player on every seat, and the clients of all; the host holds no seat."""

    rules: Rules
    path: str
    clients: dict[str, HTTPClient]
    links: dict[str, str]

    @property
    def game_id(self) -> str:
        return self.path.split("/")[2]

    def clients_without_secrets(self, secret_seats: Seats) -> dict[str, HTTPClient]:
        """Return the clients of all but ``secret_seats``, by seat key or role."""
        return {k: client for k, client in self.clients.items() if k not in secret_seats}


def make_full_game(address: str, rules: Rules) -> FullGame:
    """Create a game on the site and claim each seat by its invitation link."""
    host = HTTPClient(address)
    host.get(f"/new/{rules.slug}/")
    seats = {f"seat-{spec.key}": "invite" for spec in default_specs(rules)}
    options = {option.name: str(option.default) for option in rules.options}
    page = host.post(f"/new/{rules.slug}/", {**options, **seats})
    clients, links = {"host": host, "stranger": HTTPClient(address)}, {}
    for spec in default_specs(rules):
        link = re.search(rf'id="link-{spec.key}"[^>]*value="[^"]*(/join/\w+/)"', page.text)
        links[spec.key] = link[1]  # type: ignore[index]
        clients[spec.key] = HTTPClient(address)
        clients[spec.key].get(links[spec.key])
        assert clients[spec.key].post(links[spec.key], {"name": spec.key}).status == 200
    path = re.search(r"/g/\w+/", page.url)[0]  # type: ignore[index]
    return FullGame(rules, path, clients, links)


def fetch(client: HTTPClient, method: str, path: str, form: str = "", **headers: str) -> bytes:
    """Return the bytes of a response, headers and body; of a stream up to the first board."""
    connection = HTTPConnection(urlsplit(client.base).netloc, timeout=60)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies)
    sent = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded", **headers}
    connection.request(method, path, form or None, sent)
    response = connection.getresponse()
    body = first_board(response) if path.endswith("/events/") else response.read()
    connection.close()
    head = "".join(f"\n{name.lower()}: {value}" for name, value in response.getheaders())
    return f"{response.status}{head}\n\n".encode() + body


def first_board(stream: HTTPResponse) -> bytes:
    read = b""
    while b"event: board" not in read or not read.endswith(b"\n\n"):
        more = stream.read1()
        assert more, f"no board, but {stream.status}: {read!r}"
        read += more
    return read


def addresses(game: FullGame) -> Iterator[str]:
    """Yield the path of every page of the game, and of the pages around it."""
    yield from ("/", "/settings/", f"/rules/{game.rules.slug}/", f"/new/{game.rules.slug}/")
    yield f"{game.path}events/"
    for pattern in urls.urlpatterns:
        varies = set(pattern.pattern.converters)
        if varies == {"game_id"}:
            yield reverse(pattern.name, args=[game.game_id])
        elif varies == {"game_id", "ply"}:
            yield from (reverse(pattern.name, args=[game.game_id, ply]) for ply in (0, 1))


def fetch_all(game: FullGame, secret_seats: Seats) -> Responses:
    """Return every response to every client without secrets."""
    found: Responses = {}
    htmx = {"HX-Request": "true"}
    secret = min(secret_seats)
    for name, client in game.clients_without_secrets(secret_seats).items():
        for path in addresses(game):
            found[f"{name} gets {path}"] = fetch(client, "GET", path)
            if path.endswith("/events/"):
                continue
            query = urlencode({"seat": secret, "moves": "all", "chosen": "a1"})
            found[f"{name} asks for {path}"] = fetch(client, "GET", f"{path}?{query}", **htmx)
            token = {"csrfmiddlewaretoken": client.token}
            sent = {"seat": secret, "move": "a1", "ply": 0, "agree": "no", "watchers": "open"}
            form = urlencode({**token, **sent})
            if path.startswith(game.path):
                found[f"{name} posts to {path}"] = fetch(client, "POST", path, form, **htmx)
    return found


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Site]:
    share_static(tmp_path, site_data)
    # Some headers are made of sets, whose order depends on the hash seed.
    fixed = {"BOARDSITE_RATE_LIMITS": "0", "PYTHONHASHSEED": "0"}
    own = Site(tmp_path, "--computers", "0", **fixed)
    yield own
    own.stop()


def change_setup(site: Site, data: Path, game: FullGame, setup: object) -> None:
    """Change the setup in the database, and restart the site, which has cached it."""
    stored = json.dumps(setup)
    query_database(data, "UPDATE games_game SET setup = ? WHERE id = ?", stored, game.game_id)
    site.stop()
    site.start()


def setup_of(data: Path, game_id: str) -> object:
    [(setup,)] = query_database(data, "SELECT setup FROM games_game WHERE id = ?", game_id)
    return json.loads(setup) if isinstance(setup, str) else setup


def find_secrets(game: FullGame, data: Path, secret_seats: Seats) -> dict[str, str]:
    """Return every string that must not leak, by its description."""
    setup = setup_of(data, game.game_id)
    start = game.rules.start(setup)  # type: ignore[arg-type]
    others = [spec.key for spec in default_specs(game.rules) if spec.key not in secret_seats]
    shown = "".join(str(start.view(seat)) for seat in [None, *others])
    found = {
        f"hidden {path}": s for path, s in iter_strings(setup) if len(s) > 7 and s not in shown
    }
    found |= {f"link of {seat}": link.split("/")[2] for seat, link in game.links.items()}
    rows = query_database(
        data, "SELECT key, token_salt, token_hash FROM games_seat WHERE token_hash IS NOT NULL"
    )
    found |= {
        f"{kind} of {row[0]}": row[i] for row in rows for i, kind in [(1, "salt"), (2, "hash")]
    }
    for name, client in game.clients.items():
        found |= {f"{cookie.name} of {name}": str(cookie.value) for cookie in client.cookies}
    found["the site's secret"] = (data / "secret_key").read_text()
    return {description: secret for description, secret in found.items() if secret}


def differing_lines(one: bytes, other: bytes) -> list[bytes]:
    """Return the lines that only one of two responses has, apart from `VOLATILE` parts."""
    lines, others = (VOLATILE.sub(b"", response).split(b"\n") for response in (one, other))
    return [] if lines == others else [*(set(lines) ^ set(others)), b"(order of lines)"]


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_no_byte_contains_a_secret_or_depends_on_one(own_site, tmp_path, slug):
    game = make_full_game(own_site.start(), all_rules()[slug])
    setup = setup_of(tmp_path, game.game_id)
    other_setup = with_other_secrets(game.rules, setup)
    secret_seats = seats_that_see_a_difference(game.rules, setup, other_setup)
    before, secrets = fetch_all(game, secret_seats), find_secrets(game, tmp_path, secret_seats)
    leaks = [
        f"{description}: {request}"
        for description, secret in secrets.items()
        for request, response in before.items()
        if secret.encode() in response
        and not request.startswith(description.rpartition(" of ")[2])
        # The host shares the links of seats that more players can join.
        and not (description.startswith("link of") and request.startswith("host"))
    ]
    assert leaks == []
    change_setup(own_site, tmp_path, game, other_setup)
    after = fetch_all(game, secret_seats)
    differences = {request: differing_lines(before[request], after[request]) for request in before}
    assert {request: lines for request, lines in differences.items() if lines} == {}


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_the_scan_detects_a_secret(own_site, tmp_path, slug):
    game = make_full_game(own_site.start(), all_rules()[slug])
    setup = setup_of(tmp_path, game.game_id)
    other_setup = with_other_secrets(game.rules, setup)
    secret = min(seats_that_see_a_difference(game.rules, setup, other_setup))
    before = fetch(game.clients[secret], "GET", f"{game.path}events/")
    change_setup(own_site, tmp_path, game, other_setup)
    after = fetch(game.clients[secret], "GET", f"{game.path}events/")
    assert differing_lines(before, after)
