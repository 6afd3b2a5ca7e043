"""Random games against a site process that may be down for a while, with requests retried."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import TypeVar

from games.contract import Position, Rules
from tests.support.random_games import random_legal_move
from tests.support.servers.http_client import HTTPClient, Response
from tests.support.servers.site_process import query_database

TIMEOUT = 90.0
HTMX = {"HX-Request": "true"}
AcceptedMove = tuple[str, int, str]
"""A move that got status 200: game id, ply, text."""
Result = TypeVar("Result")


def retry_until_answered(act: Callable[[], Result]) -> Result:
    """Call ``act`` until it raises no connection error, for `TIMEOUT` seconds at most."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return act()
        except (OSError, HTTPException):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class ResilientGame:
    """A game of one player on all seats, with its position kept beside the site's."""

    def __init__(self, address: str, data: Path, rules: Rules) -> None:
        self.browser = HTTPClient(address)
        self.path = retry_until_answered(lambda: self._create(rules))
        self.game_id = self.path.split("/")[2]
        [(setup,)] = query_database(data, "SELECT setup FROM games_game WHERE id = ?", self.game_id)
        self.position: Position = rules.start(json.loads(setup) if type(setup) is str else setup)
        self.ply = 0

    def _create(self, rules: Rules) -> str:
        self.browser.get(f"/new/{rules.slug}/")
        seats = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
        options = {option.name: str(option.default) for option in rules.options}
        response = self.browser.post(f"/new/{rules.slug}/", {**options, **seats})
        assert response.status == 200, response.text
        return re.search(r"/g/\w+/", response.url)[0]  # type: ignore[index]

    def post(self, seat: str, move: str) -> Response:
        data = {"seat": seat, "move": move, "ply": str(self.ply)}
        return self.browser.post(f"{self.path}move/", data, **HTMX)

    def play(self, rng: Random) -> AcceptedMove:
        """Play a random move, and post it until the site responds."""
        seat, move = random_legal_move(self.position, rng)
        response = retry_until_answered(lambda: self.post(seat, move))
        assert response.status == 200, response.text
        self.position.play(seat, move)
        self.ply += 1
        return self.game_id, self.ply, move
