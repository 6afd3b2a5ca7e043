"""A move asks its position and its row once for the values that the snapshot then holds."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import games.models.games
from games.contract import Position, Rules
from games.core.registry import all_rules
from games.models import Game
from tests.support.move_player import MovePlayer

OF_THE_CONTRACT = Path(sys.modules[Position.__module__].__file__ or "").parent
OF_THE_MODEL = games.models.games.__file__
MOVES = 8
"""Fewer than any of the random games has."""


def questions(rules: Rules, player: MovePlayer) -> Counter[str]:
    """Return how often one move asks for the result, the seats to move and the rules. The game
    itself may ask its own position."""
    questions_asked: Counter[str] = Counter()
    codes = {
        Position.result.__code__: "result",
        Position.to_move.__code__: "to_move",
        Game.rules.fget.__code__: "rules",  # type: ignore[attr-defined]
    }

    def count(frame: FrameType, event: str, _: Any) -> None:
        name = codes.get(frame.f_code) if event == "call" else None
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        of_the_game = f"/games/{rules.slug}/" in caller
        if name and not of_the_game and Path(caller).parent != OF_THE_CONTRACT:
            questions_asked[name] += 1

    request = player.next_request()
    player.mark(request)
    sys.setprofile(count)
    try:
        player.send(request)
    finally:
        sys.setprofile(None)
    return questions_asked


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_a_move_asks_once_for_the_result_the_seats_to_move_and_the_rules(rules: Rules) -> None:
    player = MovePlayer(rules, each_seat=True)
    # The first move reads the game from its rows.
    _, *counts = [questions(rules, player) for _ in range(MOVES)]
    assert all(move["result"] == 1 for move in counts)
    assert all(move["to_move"] <= 1 for move in counts)
    assert all(move["rules"] <= 1 for move in counts)
