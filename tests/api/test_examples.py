"""The bot in `examples` plays whole games at a running site, and goes on when that breaks."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from games.core.registry import all_rules
from tests.support.kinds import default_specs, two_player_rules
from tests.support.servers.programs import PATIENCE, Newcomer, running
from tests.support.servers.site_process import ROOT, Site, share_static

pytestmark = pytest.mark.processes


def test_the_bot_plays_whole_games_of_all_kinds(site):
    who = Newcomer(site)
    games = [
        who.new_game(slug, {spec.key: "me" for spec in default_specs(rules)})
        for slug, rules in all_rules().items()
    ]
    with running(who, "bot.py"):
        assert all(who.wait_for_end(game)["result"]["reason"] for game in games)


def test_a_bot_that_seeks_takes_an_open_seat_and_plays_on(site):
    host, rules = Newcomer(site), two_player_rules()
    bot = Newcomer(site, "/me/bots/new/", name="Randy", kinds=rules.slug)
    first, second = (spec.key for spec in default_specs(rules))
    game = host.new_game(rules.slug, {first: "me", second: "listed-bots"})
    with running(host, "bot.py"), running(bot, "bot.py", "--seek"):
        assert host.wait_for_end(game)["seats"][second]["names"] == ["Randy (bot)"]


def test_the_bot_takes_the_seat_of_an_invitation(site):
    host, bot, rules = Newcomer(site), Newcomer(site), two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    game = host.new_game(rules.slug, {first: "me", second: "invite"})
    (invitation,) = host.ask(f"games/{game}/invitations")
    with running(host, "bot.py"), running(bot, "bot.py", invitation["token"]):
        assert host.wait_for_end(game)["result"]["reason"]


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Site]:
    share_static(tmp_path, site_data)
    own = Site(tmp_path, "--computers", "0")
    yield own
    own.stop(signal.SIGKILL)


def move_and_wait(host: Newcomer, game: str, seat: str) -> Any:
    """Make the host's move, and return the state after the bot's answer."""
    state = host.ask(f"games/{game}")
    move = {"seat": seat, "move": state["legal_moves"][seat][0]}
    host.ask(f"games/{game}/moves", **move, ply=state["ply"])
    deadline = time.monotonic() + PATIENCE
    while not (state := host.ask(f"games/{game}"))["legal_moves"]:
        assert time.monotonic() < deadline, state["moves"]
        time.sleep(0.2)
    return state


def test_the_bot_plays_on_after_the_site_was_killed_and_started_again(own_site):
    address = own_site.start()
    host, bot, rules = Newcomer(address), Newcomer(address), two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    game = host.new_game(rules.slug, {first: "me", second: "invite"})
    (invitation,) = host.ask(f"games/{game}/invitations")
    with running(bot, "bot.py", invitation["token"]):
        deadline = time.monotonic() + PATIENCE
        while host.ask(f"games/{game}/invitations"):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert move_and_wait(host, game, first)["ply"] == 2
        own_site.stop(signal.SIGKILL)
        # Longer than the pauses of the bot, so that it has tried in vain.
        time.sleep(4)
        own_site.start()
        assert move_and_wait(host, game, first)["ply"] == 4


def test_the_bot_waits_for_a_site_that_is_busy_or_breaks_off(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import bot

    monkeypatch.setitem(bot.os.environ, "TOKEN", "x")

    asked: list[str] = []
    pauses: list[float] = []
    monkeypatch.setattr(bot.time, "sleep", pauses.append)

    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            status = {1: 429, 2: 503}.get(len(asked), 200)
            self.send_response(status)
            self.send_header("Retry-After", "2" if status == 429 else "")
            self.send_header("Content-Length", "9")
            self.end_headers()
            # The third answer breaks off.
            self.wfile.write(b'{"a": ' if len(asked) == 3 else b'{"a": 12}')

    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(sys, "argv", ["bot.py", f"http://127.0.0.1:{server.server_port}"])
        assert bot.ask("games") == {"a": 12}
        server.shutdown()
    assert asked == ["/api/1/games"] * 4
    assert pauses[0] == 2
