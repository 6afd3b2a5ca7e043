"""The bridge in `examples` gives whole games to engines of other programs, and gets their moves."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from games.othello.rules import RULES
from tests.support.servers.programs import Newcomer, running
from tests.support.servers.site_process import ROOT

ENGINE = shlex.join([sys.executable, str(Path(__file__).parent / "tiny_engine.py")])


def test_an_engine_plays_a_whole_game_by_either_protocol(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    import othello_bridge

    engines = {
        "black": othello_bridge.Engine("nboard", ENGINE),
        "white": othello_bridge.Engine("gtp", ENGINE),
    }
    position, moves = RULES.start({"size": 8}), []
    while seats := position.to_move():
        (seat,) = seats
        legal = {seat: list(position.legal_moves(seat))}
        state = {"kind": "othello", "setup": {"size": 8}, "moves": moves, "legal_moves": legal}
        move = engines[seat].choose(state, seat)
        position.play(seat, move)
        moves.append({"seat": seat, "move": move})
    for engine in engines.values():
        engine.process.stdin.close()
        engine.process.stdout.close()
        engine.process.wait()
    assert position.result() is not None


@pytest.mark.processes
@pytest.mark.parametrize("protocol", ["nboard", "gtp"])
def test_the_bridge_plays_a_whole_game_at_a_running_site(site, protocol):
    who = Newcomer(site)
    game = who.new_game("othello", {"black": "me", "white": "me"})
    with running(who, "othello_bridge.py", protocol, ENGINE):
        assert len(who.wait_for_end(game)["moves"]) > 8
