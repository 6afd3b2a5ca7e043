"""A bridge that seats an Othello engine which speaks NBoard or GTP. It only connects outwards.

TOKEN=… python othello_bridge.py https://boards.example nboard "./mEdax" [tokens of invitations]
TOKEN=… python othello_bridge.py https://boards.example gtp "./lEdax -gtp" [tokens of invitations]

With --seek after them it also takes seats that are open to bots. Before each move the engine gets
the whole game, so one process plays in any number of games. An engine that ends is started again.
"""

import shlex
import subprocess
import sys
import time
from contextlib import suppress

from bot import run

DISCS = "." * 24 + "...BN..." + "...NB..." + "." * 24
GGF = "(;GM[Othello]PC[NBoard]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[8 {board} {turn}]{moves};)"
AS_GGF = str.maketrans("NB.", "*O-")
SIGNS = {"black": "*", "white": "O"}
OTHER = {"black": "white", "white": "black"}


class EngineEnded(Exception):
    """Raised for an engine that has ended while it had to answer."""


def with_passes(moves, seat, turn="black"):
    """Yield the colours and squares of a game that began with ``turn``, with the passes that the
    site leaves out, up to a move of ``seat``."""
    for move in moves:
        if move["seat"] != turn:
            yield turn, "PA"
        yield move["seat"], move["move"]
        turn = OTHER[move["seat"]]
    if turn != seat:
        yield turn, "PA"


class Engine:
    """A running engine."""

    def __init__(self, protocol, command):
        self.protocol, self.command = protocol, shlex.split(command)
        self.start()

    def start(self):
        """Start the engine, in place of one that has ended."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def stop(self):
        """End the engine, if it has not ended."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        with suppress(OSError):
            self.process.stdin.close()

    def send(self, command):
        """Write a command. Raises EngineEnded."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise EngineEnded from error

    def answer(self, *marks):
        """Return the words after the first line that begins with one of ``marks``. Raises
        EngineEnded."""
        for line in self.process.stdout:
            for mark in marks:
                if line.startswith(mark):
                    return line[len(mark) :].strip()
        raise EngineEnded

    def choose(self, state, seat):
        """Return the engine's move; any legal one in a game that it does not play, or where its
        move is not legal."""
        legal, setup = state["legal_moves"][seat], state["setup"] or {}
        plays = state["kind"] == "othello" and setup.get("size") == 8
        # GTP has no command for another first position.
        if not plays or (self.protocol == "gtp" and "discs" in setup):
            return legal[0]
        pause = 1.0
        while True:
            try:
                move = self.ask(state["moves"], seat, setup)
                return move if move in legal else legal[0]
            except EngineEnded:
                print("the engine has ended and is started again", file=sys.stderr)
                self.stop()
                self.start()
            time.sleep(pause)
            pause = min(2 * pause, 60.0)

    def ask(self, moves, seat, setup):
        """Return the engine's move of ``seat`` after some moves. Raises EngineEnded."""
        turn = setup.get("turn", "black")
        played = [*with_passes(moves, seat, turn)]
        if self.protocol == "nboard":
            return self.nboard(played, setup.get("discs", DISCS), turn)
        return self.gtp(played, seat)

    def nboard(self, moves, discs, turn):
        """Return the move for the side to move after some moves, by NBoard's protocol."""
        played = "".join(f"{colour[0].upper()}[{move.upper()}]" for colour, move in moves)
        board = discs.translate(AS_GGF)
        self.send("nboard 2")
        self.send("set game " + GGF.format(board=board, turn=SIGNS[turn], moves=played))
        # An engine may still be thinking about the position before.
        self.send("ping 1")
        self.answer("pong")
        self.send("go")
        return self.answer("===").partition("/")[0].strip().lower()

    def gtp(self, moves, seat):
        """Return the move of ``seat`` after some moves, by GTP."""
        played = [f"play {colour} {'pass' if move == 'PA' else move}" for colour, move in moves]
        for command in ("boardsize 8", "clear_board", *played, f"genmove {seat}"):
            self.send(command)
            found = self.answer("=", "?")
        return found.lower()


if __name__ == "__main__":
    engine = Engine(*sys.argv[2:4])
    run(engine.choose, sys.argv[4:])
