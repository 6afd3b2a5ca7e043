"""Playing any kind of game against the real site, which may be away for a while."""

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
from tests.support.http_client import HTTPClient, Response
from tests.support.random_games import random_legal_move
from tests.support.site_process import query_database

TIMEOUT = 90.0
HTMX = {"HX-Request": "true"}
AcceptedMove = tuple[str, int, str]
"""A move that was answered with 200: game, ply, text."""
Result = TypeVar("Result")


def retry_until_answered(act: Callable[[], Result]) -> Result:
    """Do something again and again until the site is there to answer."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return act()
        except (OSError, HTTPException):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


class ResilientGame:
    """A game with everybody on one device, and its position as the rules alone have it."""

    def __init__(self, address: str, data: Path, rules: Rules) -> None:
        self.browser = HTTPClient(address)
        self.path = retry_until_answered(lambda: self._begin(rules))
        self.game_id = self.path.split("/")[2]
        [(setup,)] = query_database(data, "SELECT setup FROM games_game WHERE id = ?", self.game_id)
        self.position: Position = rules.start(json.loads(setup) if type(setup) is str else setup)
        self.ply = 0

    def _begin(self, rules: Rules) -> str:
        self.browser.get(f"/new/{rules.slug}/")
        seats = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
        options = {option.name: str(option.default) for option in rules.options}
        answer = self.browser.post(f"/new/{rules.slug}/", {**options, **seats})
        assert answer.status == 200, answer.text
        return re.search(r"/g/\w+/", answer.url)[0]  # type: ignore[index]

    def post(self, seat: str, move: str) -> Response:
        data = {"seat": seat, "move": move, "ply": str(self.ply)}
        return self.browser.post(f"{self.path}move/", data, **HTMX)

    def play(self, rng: Random) -> AcceptedMove:
        """Play a random move, sent again until it is answered."""
        seat, move = random_legal_move(self.position, rng)
        answer = retry_until_answered(lambda: self.post(seat, move))
        assert answer.status == 200, answer.text
        self.position.play(seat, move)
        self.ply += 1
        return self.game_id, self.ply, move
