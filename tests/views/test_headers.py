"""Security headers are on every response, whichever part of the site sends it."""

from __future__ import annotations

import re
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from tests.support.kinds import two_player_rules
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.proxied_client import HOST, request_through_proxy
from tests.support.servers.site_process import ROOT, serve, share_static
from tests.support.servers.stream_client import StreamedGame

pytestmark = pytest.mark.processes

POLICY = {
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"),
    *("connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'"),
    "frame-ancestors 'none'",
}
RESPONSES = {
    "a page": (200, "/", {}),
    "a redirect": (301, f"/new/{two_player_rules().slug}", {}),
    "an unknown page": (404, "/nowhere/", {}),
    "a refused method": (405, "{game}move/", {}),
    "a static file": (200, "/static/site/icon.svg", {}),
    "an unknown static file": (404, "/static/site/nothing.svg", {}),
    "a page at another host": (400, "/", {"Host": "elsewhere.example"}),
    "a stream": (200, "{game}events/", {}),
    "a stream of an unknown game": (404, "/g/nowhere/events/", {}),
    "a stream at another host": (400, "{game}events/", {"Host": "elsewhere.example"}),
    "a stream with long headers": (431, "{game}events/", {"Cookie": "x" * 17_000}),
    "a page with long headers": (431, "/", {"Cookie": "x" * 17_000}),
    "a page with a long content type": (431, "/", {"Content-Type": "text/x" + ";" * 300}),
}


@pytest.fixture(scope="module")
def game(site: str) -> str:
    return StreamedGame(site).path


def get_headers(site: str, path: str, headers: dict[str, str]) -> HTTPResponse:
    parts = urlsplit(site)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    connection.close()
    return response


@pytest.mark.parametrize("name", RESPONSES)
def test_security_headers_are_on_every_response(site, game, name):
    status, path, headers = RESPONSES[name]
    response = get_headers(site, path.format(game=game), headers)
    assert response.status == status
    (policy,) = response.headers.get_all("Content-Security-Policy")
    assert policy.split("; ") == sorted(POLICY)
    assert response.headers.get_all("X-Frame-Options") == ["DENY"]
    assert response.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert response.headers.get_all("Referrer-Policy") == ["same-origin"]
    # Without https browsers would log an error on each page.
    assert response.headers.get_all("Cross-Origin-Opener-Policy") is None
    # A frame without an origin of its own loads the files of its page.
    readers = "cross-origin" if name == "a static file" else "same-origin"
    assert response.headers.get_all("Cross-Origin-Resource-Policy") == [readers]
    (permissions,) = response.headers.get_all("Permissions-Policy")
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(permissions.split(", "))


def test_other_sites_may_show_the_pictures_of_links(site):
    for path in ("/share.png",):
        response = get_headers(site, path, {})
        assert response.headers.get_all("Cross-Origin-Resource-Policy") == ["cross-origin"]


def test_an_oversized_request_is_refused_in_every_language(site):
    response = HTTPClient(site).get("/", **{"Cookie": "x" * 17_000, "Accept-Language": "nl"})
    lines = response.text.splitlines()
    assert len(set(lines)) == len(lines) == len(settings.LANGUAGES)


def test_cookies_of_other_sites_on_the_host_are_ignored(site):
    others = "; ".join(f"other{n}={'x' * 3_000}" for n in range(4))
    sent = f'{others}; quoted="a\\054b"; preferences=theme=dark'
    response = HTTPClient(site).get("/", Cookie=sent)
    assert response.status == 200
    assert 'data-theme="dark"' in response.text


def test_no_picture_has_inline_styles_or_scripts():
    pictures = [*ROOT.glob("static/**/*.svg"), *ROOT.glob("games/*/static/**/*.svg")]
    inline = re.compile(r"<style|\sstyle=|<script|\son[a-z]+=")
    assert len(pictures) > 1
    assert [path for path in pictures if inline.search(Path(path).read_text())] == []


@pytest.mark.parametrize(
    ("path", "choice"), [("/settings/", "theme=dark"), ("/language/", "language=nl")]
)
def test_cookies_over_https_are_bound_to_the_host(site, site_data, tmp_path, path, choice):
    share_static(tmp_path, site_data)
    with serve(tmp_path, BOARDSITE_HTTPS="1", BOARDSITE_HOSTS=HOST) as address:
        page = request_through_proxy(address, "GET", "/settings/")
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.text)[1]
        cookie = page.headers["Set-Cookie"].split(";")[0]
        body = f"csrfmiddlewaretoken={token}&{choice}"
        response = request_through_proxy(address, "POST", path, body, Cookie=cookie)
        cookies = response.headers.get_all("Set-Cookie")
        (chosen,) = [cookie.split(";")[0] for cookie in cookies if "token" not in cookie]
        page = request_through_proxy(address, "GET", "/settings/", Cookie=chosen)
    assert all(cookie.startswith("__Host-") for cookie in cookies)
    assert all({"Path=/", "Secure", "HttpOnly"} <= set(cookie.split("; ")) for cookie in cookies)
    assert 'data-theme="dark"' in page.text or 'lang="nl"' in page.text
