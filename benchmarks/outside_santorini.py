"""Play Santorini's search against another program, and print a table.

Usage: python -m benchmarks.outside_santorini [--games 40] [--seconds 1.0] [--ours NAME]
       [--seed 1] [--record FILE] -- COMMAND ...

COMMAND starts the program, which speaks the protocol of github.com/JPricey/santorini-ai
(uci/README.md there): `uci` of that repository, built as its README says. It gets a position
without god powers, and is stopped after so many seconds of its processor time. NAME is cpu, our
search with the same processor time a move (the default), or a level of `match_santorini`. Games
come in pairs that begin with the same placements, and are recorded as in `match_santorini`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Thread
from time import monotonic, process_time, sleep
from typing import Any

from benchmarks.match_santorini import HEADER, Clock, Match, MatchLog, play, player, row, searching
from games.contract import Position
from games.santorini.ai.root import Budget
from games.santorini.ai.spaces import Seen, see
from games.santorini.engine import NEIGHBOURS

_POLL = 0.005
_GRACE = 0.2
"""Timeout, in seconds, for its last move after it was stopped."""
_LAST = ("stop_flag", "end_of_line")
_TICKS = os.sysconf("SC_CLK_TCK")


class Program:
    """A running program that returns moves."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self._seconds = seconds
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1,
        )  # fmt: skip
        self._said: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def clock(self) -> float:
        """Return the processor time of the program in seconds."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        times = stat.rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / _TICKS

    def move(self, position: Position, seat: str) -> str:
        """Return the move of the program. Raises RuntimeError if it has ended."""
        seen = see(position.view(seat))
        written = board_of(seen)
        self._say(f"set_position {written}")
        begin, stopped = self.clock(), inf
        found: Mapping[str, Any] | None = None
        while monotonic() < stopped + _GRACE and (not found or found["trigger"] not in _LAST):
            if self._process.poll() is not None:
                raise RuntimeError("the program has ended")
            sleep(_POLL)
            found = self._newest(written, found)
            if found and stopped == inf and self.clock() >= begin + self._seconds:
                self._say("stop")
                stopped = monotonic()
        assert found is not None
        return notation_of(seen, found["meta"]["actions"])

    def close(self) -> None:
        """End the program."""
        self._say("quit")
        self._process.wait(10)

    def _newest(self, written: str, found: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Return the newest message about a position; ``found`` if none is newer."""
        while not self._said.empty():
            said = self._said.get()
            if said.get("original_str") == written:
                found = said
        return found

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("{"):
                self._said.put(json.loads(line))

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()


def square_of(space: int) -> str:
    """Return the name of a space in the protocol, whose rows count from below."""
    return f"{'ABCDE'[space % 5]}{5 - space // 5}"


def board_of(seen: Seen) -> str:
    """Return a position in the protocol; the player to move is its first."""
    heights = "".join(str(sum(part >> space & 1 for part in seen.towers)) for space in range(25))
    players = ["mortal:" + ",".join(map(square_of, pair or ())) for pair in seen.pairs]
    return "/".join((heights, "1", *players))


def notation_of(seen: Seen, actions: Sequence[Mapping[str, Any]]) -> str:
    """Return a move of the protocol (select, move, build) in our notation."""
    spaces = {square_of(space): space for space in range(25)}
    named = [action["value"] for action in actions]
    start, *others = [spaces[name if isinstance(name, str) else name["dest"]] for name in named]
    letters = dict(zip(seen.pairs[0] or (), seen.letters, strict=True))
    steps, here = [letters[start]], start
    for there in others:
        steps.append(next(way for way, space in NEIGHBOURS[here].items() if space == there))
        here = there
    return " ".join(steps)


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--ours", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    program = Program(options.command, options.seconds)
    clock: Clock = lambda: process_time() + program.clock()  # noqa: E731
    name = f"cpu-{options.seconds}" if options.ours == "cpu" else options.ours
    match, record = (
        Match(name, f"its-{options.seconds}", 2, options.seed),
        MatchLog(options.record),
    )
    for number in range(options.games):
        if (match, number) not in record.games:
            rng = Random(f"{match} {number}")
            budget = Budget(10**9, options.seconds, clock=process_time)
            ours = searching(budget, rng) if options.ours == "cpu" else player(name, rng)
            record.add(match, number, play(match, number, (ours, program.move), clock))
    program.close()
    print(HEADER)
    print(row(match, [record.games[match, number] for number in range(options.games)]))


if __name__ == "__main__":
    main()
