"""Programs of `examples` as processes, which play at a running site."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from tests.support.servers.site_process import ROOT
from tests.support.servers.stream_client import StreamedGame

PATIENCE = 120.0
"""Seconds that a whole game may take on a busy machine."""


class Newcomer:
    """A visitor who has made a token, as the documentation says."""

    def __init__(self, site: str, page: str = "/me/access/", **form: Any) -> None:
        self.site, browser = site, StreamedGame(site).browser
        browser.get(page)
        page = browser.post(page, form or {"name": "My bot"})
        found = re.search(r'id="token" readonly value="([\w-]+)"', page.text)
        assert found, page.text
        self.token = found[1]

    def ask(self, path: str, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = Request(f"{self.site}/api/1/{path}", data, headers)
        with urlopen(request, timeout=60) as response:
            return json.load(response)

    def new_game(self, kind: str, seating: dict[str, str]) -> str:
        return str(self.ask("games", kind=kind, seating=seating)["id"])

    def wait_for_end(self, game: str) -> Any:
        """Return the state of a game at its end."""
        deadline = time.monotonic() + PATIENCE
        while not (state := self.ask(f"games/{game}"))["over"]:
            assert time.monotonic() < deadline, state["moves"]
            time.sleep(0.5)
        return state


@contextmanager
def running(who: Newcomer, program: str, *arguments: str) -> Iterator[None]:
    """Run a program of `examples` for the token of a visitor."""
    command = [sys.executable, f"examples/{program}", who.site, *arguments]
    added = {"TOKEN": who.token, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **added})
    try:
        yield
        assert process.poll() is None, "the program has ended"
    finally:
        process.kill()
        process.wait()
