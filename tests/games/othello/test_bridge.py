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


PROTOCOLS = ["nboard", "gtp"]
FIRST = {"size": 8, "discs": "." * 27 + "BNN" + "." * 5 + "NB" + "." * 27, "turn": "white"}


@pytest.fixture
def bridge(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    import othello_bridge

    engines = []

    def start(protocol, command=ENGINE):
        engines.append(othello_bridge.Engine(protocol, command))
        return engines[-1]

    yield start
    for engine in engines:
        engine.stop()


def play(engine, setup, plies=100):
    """Return the position after some moves of an engine on both seats."""
    position, moves = RULES.start(setup), []
    while (seats := position.to_move()) and len(moves) < plies:
        (seat,) = seats
        legal = {seat: list(position.legal_moves(seat))}
        state = {"kind": "othello", "setup": setup, "moves": moves, "legal_moves": legal}
        move = engine.choose(state, seat)
        position.play(seat, move)
        moves.append({"seat": seat, "move": move})
    return position


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_engine_plays_a_whole_game_by_either_protocol(bridge, protocol):
    assert play(bridge(protocol), {"size": 8}).result() is not None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_from_another_first_position_is_played_to_its_end(bridge, protocol):
    setup = dict(RULES.admit_setup({"size": 8}, FIRST))
    assert play(bridge(protocol), setup).result() is not None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_engine_that_ends_is_started_again_and_asked_again(bridge, protocol):
    engine = bridge(protocol, f"{ENGINE} 3")
    first = engine.process.pid
    play(engine, {"size": 8}, plies=4)
    assert engine.process.pid != first


def test_a_game_that_the_engine_does_not_play_gets_a_legal_move(bridge):
    state = {"kind": "chess", "setup": None, "moves": [], "legal_moves": {"white": ["e4"]}}
    assert bridge("gtp").choose(state, "white") == "e4"


@pytest.mark.processes
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_bridge_plays_a_whole_game_at_a_running_site(site, protocol):
    who = Newcomer(site)
    game = who.new_game("othello", {"black": "me", "white": "me"})
    with running(who, "othello_bridge.py", protocol, ENGINE):
        assert len(who.wait_for_end(game)["moves"]) > 8
