"""A token appears where its owner has made it, once, and nowhere else: no log, page, address,
export or feed has it, nor has the database."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from boardsite.logs import RedactingFormatter
from games.people.bots import make_bot, make_token
from games.services.tokens import hash_token
from tests.support.game_factory import make_game
from tests.support.kinds import default_specs, two_player_rules
from tests.support.servers.http_client import HTTPClient, Response
from tests.support.servers.site_process import DATABASE, Site, share_static
from tests.support.staff import change_page, log_in_staff

PAGES = ("/", "/me/", "/me/access/", "/me/account/", "/bots/", "/api/", "/api/1/openapi.json")
FILES = ("/me/games.jsonl", "/me/account/data/", "/open-seats.atom", "/open-seats.json")
OF_A_GAME = ("", "tokens/", "export/", "export.json", "export.txt", "board/", "0/", "embed/")


class Program:
    """A program at a running site, whose every response is kept."""

    def __init__(self, address: str, token: str) -> None:
        self.client, self.token = HTTPClient(address), token
        self.responses: list[Response] = []

    def get(self, path: str, **headers: str) -> Response:
        sent = {"Authorization": f"Bearer {self.token}", **headers}
        self.responses.append(self.client.get(f"/api/1/{path}", **sent))
        return self.responses[-1]

    def post(self, path: str, **body: Any) -> Response:
        request = self.client.request(
            f"/api/1/{path}",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        self.responses.append(request)
        return request


def play_a_little(program: Program) -> str:
    """Send requests of all kinds, refused ones too, and return the id of a game."""
    rules = two_player_rules()
    seats = {spec.key: "me" for spec in default_specs(rules)}
    state = json.loads(program.post("games", kind=rules.slug, seating=seats).text)
    seat = state["to_move"][0]
    sent = {"seat": seat, "move": state["legal_moves"][seat][0], "ply": 0}
    assert program.post(f"games/{state['id']}/moves", **sent).status == 200
    assert program.post(f"games/{state['id']}/moves", **{**sent, "ply": 9}).status == 409
    assert program.post("games", kind="chess").status == 404
    assert program.post("games").status == 422
    assert program.get("games/nowhere").status == 404
    assert program.get("open-seats", Host="other.example").status == 400
    return str(state["id"])


@pytest.mark.processes
def test_no_log_page_export_or_feed_of_a_running_site_has_a_token(site, site_data, tmp_path):
    share_static(tmp_path, site_data)
    server = Site(tmp_path, "--computers", "0", BOARDSITE_ACCESS_LOG="1")
    try:
        address = server.start()
        owner, stranger = HTTPClient(address), HTTPClient(address)
        owner.get("/me/access/")
        page = owner.post("/me/access/", {"name": "My bot"})
        token = re.search(r'id="token" readonly value="([\w-]+)"', page.text)[1]  # type: ignore[index]
        program = Program(address, token)
        game = play_a_little(program)
        paths = [*PAGES, *FILES, *(f"/g/{game}/{path}" for path in OF_A_GAME)]
        seen = [client.get(path) for client in (owner, stranger) for path in paths]
    finally:
        server.stop()
    # No address has the token, so a referrer cannot have it.
    assert page.url.endswith("/me/access/") and page.headers["Referrer-Policy"] == "same-origin"
    secrets = (token, hash_token(token))
    faults = [
        response.url
        for response in [*seen, *program.responses]
        if any(secret in f"{response.url}{response.headers}{response.text}" for secret in secrets)
    ]
    assert faults == []
    assert "GET /api/1/games/nowhere" in server.log()
    assert not any(secret in server.log() for secret in secrets)
    assert not kept(tmp_path, token)


def kept(data: Path, token: str) -> list[str]:
    """Return the files of a site with a token in them."""
    found = [*data.glob(f"{DATABASE}*"), *data.glob("*.log")]
    return [file.name for file in found if token.encode() in file.read_bytes()]


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Capture the site's log."""
    written, root = StringIO(), logging.getLogger()
    (handler,) = [
        handler for handler in root.handlers if isinstance(handler.formatter, RedactingFormatter)
    ]
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def test_the_traceback_of_a_failed_request_has_no_token(log, owner, monkeypatch):
    def fails(*_: Any, **__: Any) -> None:
        raise ValueError("a fault")

    token = make_token(player=owner.player, name="bot")
    monkeypatch.setattr("games.api.states.open_games", fails)
    client = Client(raise_request_exception=False)
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/1/open-seats", headers=headers).status_code == 500
    assert "ValueError: a fault" in log.getvalue()
    assert token not in log.getvalue()


def test_staff_see_no_token(owner, opponent):
    bot = make_bot(owner=owner.player, name="Randy", about="", kinds=[two_player_rules().slug])
    game = make_game(owner, opponent)
    tokens = [
        make_token(player=owner.player, name="mine"),
        make_token(player=owner.player, name="its", bot=bot),
    ]
    staff = log_in_staff("view_game", "view_player", "see_secrets")
    paths = [change_page(game), f"{change_page(game)}../history/", "/admin/games/player/"]
    paths += [f"/admin/games/player/{player.pk}/change/" for player in (owner.player, bot.player)]
    found = "".join(staff.get(path, follow=True).text for path in paths)
    assert "Randy (bot)" in found
    assert not any(secret in found for token in tokens for secret in (token, hash_token(token)))
