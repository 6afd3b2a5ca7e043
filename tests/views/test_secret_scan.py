"""Every byte that those who may not see the secrets can fetch from the real site, streams included:
none depends on what is hidden, and none holds a key, a token or somebody else's cookie."""

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
from games.registry import all_rules
from tests.support.hidden_setups import (
    iter_strings,
    seats_that_see_a_difference,
    with_other_secrets,
)
from tests.support.http_client import HTTPClient
from tests.support.kinds import default_specs, kinds_with_secrets
from tests.support.site_process import Site, query_database, share_static

# Drawn afresh for every answer, on purpose.
FRESH = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=csrftoken=)\w+|(?<=expires=)[^;]+'
    rb"|event: beat\ndata: \n\n|(?<=retry: )\d+|(?<=\ndate: )[^\r\n]+"
)
Bytes = dict[str, bytes]
Seats = AbstractSet[SeatKey]


@dataclass
class Table:
    """A game with somebody on every seat, and everybody's browser; its host holds no seat."""

    rules: Rules
    path: str
    people: dict[str, HTTPClient]
    links: dict[str, str]

    @property
    def game_id(self) -> str:
        return self.path.split("/")[2]

    def guessers(self, knowing: Seats) -> dict[str, HTTPClient]:
        """All who must not see what is hidden from all seats but these."""
        return {name: who for name, who in self.people.items() if name not in knowing}


def table_at(address: str, rules: Rules) -> Table:
    host = HTTPClient(address)
    host.get(f"/new/{rules.slug}/")
    seats = {f"seat-{spec.key}": "invite" for spec in default_specs(rules)}
    options = {option.name: str(option.default) for option in rules.options}
    page = host.post(f"/new/{rules.slug}/", {**options, **seats})
    people, links = {"host": host, "stranger": HTTPClient(address)}, {}
    for spec in default_specs(rules):
        link = re.search(rf'id="link-{spec.key}"[^>]*value="[^"]*(/join/\w+/)"', page.text)
        links[spec.key] = link[1]  # type: ignore[index]
        people[spec.key] = HTTPClient(address)
        people[spec.key].get(links[spec.key])
        assert people[spec.key].post(links[spec.key], {"name": spec.key}).status == 200
    path = re.search(r"/g/\w+/", page.url)[0]  # type: ignore[index]
    return Table(rules, path, people, links)


def fetch(who: HTTPClient, method: str, path: str, form: str = "", **headers: str) -> bytes:
    """All bytes of an answer, head and body; of a stream those up to the first board."""
    connection = HTTPConnection(urlsplit(who.base).netloc, timeout=60)
    cookies = "; ".join(f"{each.name}={each.value}" for each in who.cookies)
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
        read += stream.read1()
    return read


def addresses(table: Table) -> Iterator[str]:
    """Everything there is about the game, and the pages around it."""
    yield from ("/", "/settings/", f"/rules/{table.rules.slug}/", f"/new/{table.rules.slug}/")
    yield f"{table.path}events/"
    for pattern in urls.urlpatterns:
        varies = set(pattern.pattern.converters)
        if varies == {"game_id"}:
            yield reverse(pattern.name, args=[table.game_id])
        elif varies == {"game_id", "ply"}:
            yield from (reverse(pattern.name, args=[table.game_id, ply]) for ply in (0, 1))


def fetched(table: Table, knowing: Seats) -> Bytes:
    """All answers to all guessers, by who asked for what."""
    found: Bytes = {}
    htmx = {"HX-Request": "true"}
    secret = min(knowing)
    for name, who in table.guessers(knowing).items():
        for path in addresses(table):
            found[f"{name} gets {path}"] = fetch(who, "GET", path)
            if path.endswith("/events/"):
                continue
            asked = urlencode({"seat": secret, "moves": "all", "chosen": "a1"})
            found[f"{name} asks for {path}"] = fetch(who, "GET", f"{path}?{asked}", **htmx)
            token = {"csrfmiddlewaretoken": who.token}
            form = urlencode({**token, "seat": secret, "move": "a1", "ply": 0, "agree": "no"})
            if path.startswith(table.path):
                found[f"{name} posts to {path}"] = fetch(who, "POST", path, form, **htmx)
    return found


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Site]:
    share_static(tmp_path, site_data)
    # One order of sets, for headers that are made of them.
    calm = {"BOARDSITE_RATE_LIMITS": "0", "PYTHONHASHSEED": "0"}
    one = Site(tmp_path, "--computers", "0", **calm)
    yield one
    one.stop()


def change_setup(site: Site, data: Path, table: Table, setup: object) -> None:
    """Change it behind the back of the site, and start that anew."""
    to = json.dumps(setup)
    query_database(data, "UPDATE games_game SET setup = ? WHERE id = ?", to, table.game_id)
    site.stop()
    site.start()


def setup_of(data: Path, game_id: str) -> object:
    [(setup,)] = query_database(data, "SELECT setup FROM games_game WHERE id = ?", game_id)
    return json.loads(setup) if isinstance(setup, str) else setup


def keys(table: Table, data: Path, knowing: Seats) -> dict[str, str]:
    """Every string that opens something, by what it is."""
    setup = setup_of(data, table.game_id)
    start = table.rules.start(setup)  # type: ignore[arg-type]
    guessing = [spec.key for spec in default_specs(table.rules) if spec.key not in knowing]
    shown = "".join(str(start.view(seat)) for seat in [None, *guessing])
    found = {
        f"hidden {path}": s for path, s in iter_strings(setup) if len(s) > 7 and s not in shown
    }
    found |= {f"link of {seat}": link.split("/")[2] for seat, link in table.links.items()}
    rows = query_database(
        data, "SELECT key, token_salt, token_hash FROM games_seat WHERE token_hash IS NOT NULL"
    )
    found |= {
        f"{what} of {row[0]}": row[i] for row in rows for i, what in [(1, "salt"), (2, "hash")]
    }
    for name, who in table.people.items():
        found |= {f"{each.name} of {name}": str(each.value) for each in who.cookies}
    found["the site's secret"] = (data / "secret_key").read_text()
    return {what: key for what, key in found.items() if key}


def differing(one: bytes, other: bytes) -> list[bytes]:
    """The lines that only one of two answers has, but for what is drawn afresh."""
    lines, others = (FRESH.sub(b"", response).split(b"\n") for response in (one, other))
    return [] if lines == others else [*(set(lines) ^ set(others)), b"in this order"]


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_no_byte_holds_a_secret_or_depends_on_one(own_site, tmp_path, slug):
    table = table_at(own_site.start(), all_rules()[slug])
    setup = setup_of(tmp_path, table.game_id)
    other_setup = with_other_secrets(table.rules, setup)
    knowing = seats_that_see_a_difference(table.rules, setup, other_setup)
    one, needles = fetched(table, knowing), keys(table, tmp_path, knowing)
    leaks = [
        f"{what}: {where}"
        for what, key in needles.items()
        for where, response in one.items()
        if key.encode() in response
        and not where.startswith(what.rpartition(" of ")[2])
        # The host may hand out the links of the teams.
        and not (what.startswith("link of") and where.startswith("host"))
    ]
    assert leaks == []
    change_setup(own_site, tmp_path, table, other_setup)
    other = fetched(table, knowing)
    assert {where: lines for where in one if (lines := differing(one[where], other[where]))} == {}


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_the_scan_detects_a_secret(own_site, tmp_path, slug):
    table = table_at(own_site.start(), all_rules()[slug])
    setup = setup_of(tmp_path, table.game_id)
    other_setup = with_other_secrets(table.rules, setup)
    secret = min(seats_that_see_a_difference(table.rules, setup, other_setup))
    before = fetch(table.people[secret], "GET", f"{table.path}events/")
    change_setup(own_site, tmp_path, table, other_setup)
    after = fetch(table.people[secret], "GET", f"{table.path}events/")
    assert differing(before, after)
