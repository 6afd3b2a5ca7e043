"""The site behind a proxy: client addresses, HTTPS, and the shipped Caddyfile."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings

from boardsite.server.http_protocol import MAX_UNPARSED
from boardsite.server.uvicorn_server import config
from games.web.headers import MAX_HEADERS
from tests.support.kinds import two_player_rules
from tests.support.servers.deployment import read_deploy
from tests.support.servers.proxied_client import HOST, VISITOR, request_through_proxy
from tests.support.servers.site_process import serve, share_static

PROXIED = [(b"x-forwarded-for", VISITOR.encode()), (b"x-forwarded-proto", b"https")]


def client_and_scheme(peer: str, *headers: tuple[bytes, bytes]) -> tuple[str, str]:
    """Return the client address and scheme of a request that comes from ``peer``."""
    scopes: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)

    async def nothing(message: Any = None) -> Any: ...

    served = config(application)
    served.load()
    scope: Any = {"type": "http", "client": (peer, 5), "scheme": "http", "headers": headers}
    asyncio.run(served.loaded_app(scope, nothing, nothing))
    return scopes[0]["client"][0], scopes[0]["scheme"]


@pytest.fixture(autouse=True)
def no_trusted_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)


def test_a_local_proxy_is_trusted() -> None:
    assert client_and_scheme("127.0.0.1", *PROXIED) == (VISITOR, "https")


def test_other_clients_are_not_trusted() -> None:
    assert client_and_scheme("203.0.113.9", *PROXIED) == ("203.0.113.9", "http")


def test_only_the_address_that_the_proxy_added_is_trusted() -> None:
    header = (b"x-forwarded-for", b"192.0.2.1, " + VISITOR.encode())
    assert client_and_scheme("127.0.0.1", header)[0] == VISITOR


def test_compose_trusts_the_proxy_in_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    trusted = re.search(r'FORWARDED_ALLOW_IPS: "(.*)"', read_deploy("compose.yaml"))
    assert trusted
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted[1])
    assert client_and_scheme("172.18.0.6", *PROXIED) == (VISITOR, "https")


def test_a_game_is_created_over_https(tmp_path: Path, site: str, site_data: Path) -> None:
    share_static(tmp_path, site_data)
    rules = two_player_rules()
    path = f"/new/{rules.slug}/"
    form = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
    form |= {option.name: str(option.default) for option in rules.options}
    with serve(tmp_path, BOARDSITE_HTTPS="1", BOARDSITE_HOSTS=HOST) as address:
        plain = request_through_proxy(address, "GET", path, proto="http")
        assert (plain.status, plain.headers["Location"]) == (301, f"https://{HOST}{path}")
        page = request_through_proxy(address, "GET", path)
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.text)
        assert token
        form["csrfmiddlewaretoken"] = token[1]
        cookie = page.headers["Set-Cookie"].split(";")[0]
        created = request_through_proxy(address, "POST", path, urlencode(form), Cookie=cookie)
    assert created.status == 302
    assert created.headers["Location"].startswith("/g/")


# --- Caddy --------------------------------------------------------------------------------


def test_caddy_starts_without_variables() -> None:
    # An address that is an empty variable would open the block of global options.
    names = set(re.findall(r"{\$(\w+)(:?)", read_deploy("Caddyfile")))
    assert names == {("BOARDSITE_HOST", ":"), ("BOARDSITE_UPSTREAM", ":")}


def test_bodies_that_are_too_long_reach_the_site() -> None:
    # The site refuses them in a sentence. Caddy would cut the request and answer 502.
    assert "max_size" not in read_deploy("Caddyfile")


def test_caddy_limits_headers_between_the_limits_of_the_site() -> None:
    # Its default is a megabyte. Headers a little too long are refused by the site in a sentence.
    size = re.findall(r"^\t\tmax_header_size (\d+)KB$", read_deploy("Caddyfile"), re.MULTILINE)
    assert MAX_HEADERS < int(*size) * 1000 < MAX_UNPARSED


def test_streams_do_not_keep_caddy_from_stopping() -> None:
    # By default it waits for open responses for ever.
    assert re.search(r"^\tgrace_period [1-5]s$", read_deploy("Caddyfile"), re.MULTILINE)


def test_a_move_waits_for_a_restarting_site() -> None:
    caddyfile = read_deploy("Caddyfile")
    others = re.search(r"^\treverse_proxy \{(.*?)^\t\}", caddyfile, re.MULTILINE | re.DOTALL)
    assert others
    assert "lb_try_duration" in others[1]


def test_a_live_board_is_refused_at_once_while_the_site_is_down() -> None:
    # A page shows its banner when it is refused, not while it waits.
    caddyfile = read_deploy("Caddyfile")
    assert "\t@boards path /g/*/board/ /g/*/events/\n" in caddyfile
    boards = re.search(r"^\treverse_proxy @boards (.*?)^\t\}", caddyfile, re.MULTILINE | re.DOTALL)
    assert boards
    assert "lb_try_duration" not in boards[1]


def test_the_error_page_of_caddy_is_in_all_languages() -> None:
    page = read_deploy("Caddyfile").partition("handle_errors")[2]
    assert re.findall(r"<p lang=(\w+)>", page) == [code for code, _ in settings.LANGUAGES]
