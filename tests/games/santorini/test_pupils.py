"""The recorded runs of the class ask nothing that the document leaves open."""

from __future__ import annotations

import re

from games.classes.recording import find_exercise, read_record
from games.santorini.engine import LETTERS

CALL = re.compile(r"(move_worker|build_tower)\('(\w)'")


def test_players_move_and_build_in_turn_until_one_wins() -> None:
    for run in read_record(*find_exercise("santorini"))["runs"]:
        players, turn, moved, won = run.get("options", {"players": 2})["players"], 0, "", False
        for line, answer, *_board in run["steps"]:
            for method, worker in CALL.findall(line):
                assert not won, line
                assert worker in LETTERS[2 * turn : 2 * turn + 2], line
                if method == "build_tower":
                    assert (worker, answer[0] != "!") == (moved, True), line
                    moved, turn = "", (turn + 1) % players
                elif answer[0] != "!":
                    assert not moved, line
                    moved = worker
            won = won or ("winning_worker" in line and answer != "=None")
