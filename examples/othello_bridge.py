"""A bridge that seats an Othello engine which speaks NBoard or GTP. It only connects outwards.

TOKEN=… python othello_bridge.py https://boards.example nboard "./mEdax" [tokens of invitations]
TOKEN=… python othello_bridge.py https://boards.example gtp "./lEdax -gtp" [tokens of invitations]

With --seek after them it also takes seats that are open to bots. Before each move the engine gets
the whole game, so one process plays in any number of games.
"""

import shlex
import subprocess
import sys
import threading

from bot import run

START = "-" * 24 + "---O*---" + "---*O---" + "-" * 24
GGF = "(;GM[Othello]PC[NBoard]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[8 {board} *]{moves};)"
OTHER = {"black": "white", "white": "black"}


def with_passes(moves, seat):
    """Yield the colours and squares of a game, with the passes that the site leaves out, up to a
    move of ``seat``."""
    turn = "black"
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
        self.protocol = protocol
        self.lock = threading.Lock()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            shlex.split(command), stdin=pipe, stdout=pipe, text=True, bufsize=1
        )
        if protocol == "nboard":
            self.send("nboard 2")

    def send(self, command):
        """Write a command."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def answer(self, *marks):
        """Return the words after the first line that begins with one of ``marks``."""
        for line in self.process.stdout:
            for mark in marks:
                if line.startswith(mark):
                    return line[len(mark) :].strip()
        raise SystemExit("the engine has ended")

    def choose(self, state, seat):
        """Return the engine's move; any legal one in a game that engines do not play."""
        if state["kind"] != "othello" or state["setup"] != {"size": 8}:
            return state["legal_moves"][seat][0]
        moves = [*with_passes(state["moves"], seat)]
        with self.lock:
            return self.nboard(moves) if self.protocol == "nboard" else self.gtp(moves, seat)

    def nboard(self, moves):
        """Return the move for the side to move after some moves, by NBoard's protocol."""
        played = "".join(f"{colour[0].upper()}[{move.upper()}]" for colour, move in moves)
        self.send("set game " + GGF.format(board=START, moves=played))
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
