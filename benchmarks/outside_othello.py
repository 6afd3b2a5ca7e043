"""Play Othello's top level against a program that speaks the NBoard protocol, and print a table.

Usage: python -m benchmarks.outside_othello [--depths 10,12,14] [--pairs 20] [--seconds 1.0]
       [--even DISCS] [--record FILE] [--folder FOLDER] -- COMMAND ...

COMMAND starts the program, in FOLDER if given: NTest (github.com/weltyc/ntest, built as its
BuildREADME.txt says) with ``./ntest x s12``, Edax with ``./edax -nboard``. The depth of its search
is set; how early it solves the end is up to the program. Turn off its book. For NTest that is
``JA s12 0 0 0 0 0 0 -1 0`` as the second line of ``parameters.txt``: its evaluation, the depth
(which is then set), no draws that count as a win, no randomness, no book.

Our side is the search of the top level with so much processor time a move. Every pair of games
begins with the same random moves, played once with each colour. Most random beginnings are a win
for the same colour, both programs alike, which pulls every result towards a half. So the pairs in
which we had more discs in both games together are counted as well, and with ``--even`` beginnings
are chosen until our search of `EVEN_DEPTH` plies finds one within so many discs of a draw.

With ``--record`` each game is a line of FILE (depth, pair, our colour, our score, moves), and games
in FILE are not played again.
The protocol: github.com/weltyc/ntest, instructions/Protocol.htm.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from benchmarks.match_othello import Game, Player, Score, opening, play, player
from games.contract import cell_name, parse_cell
from games.othello.ai.openings import start
from games.othello.ai.patterns import UNIT
from games.othello.ai.root import Limits, think

_BOARD = "8 ---------------------------O*------*O--------------------------- *"
_GAME = f"(;GM[Othello]PC[match]PB[a]PW[b]RE[?]TI[59:00]TY[8]BO[{_BOARD}]{{moves}};)"
HEADER = f"{'ours : theirs':28} games   won draw lost    score   discs  s/move ours  theirs  pairs"
EVEN_DEPTH = 10


class Program:
    """A running program that returns moves."""

    def __init__(self, command: Sequence[str], folder: Path | None, depth: int) -> None:
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1,
        )  # fmt: skip
        self._say("nboard 2")
        self._say(f"set depth {depth}")
        self._say("set contempt 0")

    def move(self, game: Game) -> int:
        """Return the square that it plays. Raises RuntimeError if it has ended."""
        self._say(f"set game {_GAME.format(moves=''.join(_moves(game.played)))}")
        self._say("go")
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("==="):
                row, column = parse_cell(line.split()[1][:2].lower())
                return 8 * row + column
        raise RuntimeError("the program has ended")

    def close(self) -> None:
        """End the program."""
        self._say("quit")
        self._process.wait(10)

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")


def _moves(played: Sequence[int]) -> list[str]:
    """Return the moves of a game in GGF, passes included."""
    game, written = Game(*start(8)), list[str]()
    for square in played:
        colour = "BW"[not game.black_to_move]
        if written and written[-1][0] == colour:
            written.append(f"{'WB'[colour == 'W']}[PA]")
        written.append(f"{colour}[{cell_name(*divmod(square, 8)).upper()}]")
        game.play(square)
    if written and written[-1][0] == "BW"[not game.black_to_move]:
        written.append(f"{'WB'[game.black_to_move]}[PA]")
    return written


def keeping(played: list[int], chooser: Player) -> Player:
    """Return a player that also records the moves of the game, including its own."""

    def move(game: Game) -> int:
        square = chooser(game)
        played[:] = [*game.played, square]
        return square

    return move


def clock_of(score: Score, ours_is_black: bool) -> Callable[[bool, float], None]:
    """Return a function that adds the time of each move to the score, ours first."""

    def clock(is_black: bool, seconds: float) -> None:
        who = int(is_black != ours_is_black)
        score.seconds[who] += seconds
        score.moves[who] += 1

    return clock


def recorded(record: Path | None) -> dict[tuple[int, int, bool], int]:
    """Return our scores of the recorded games by depth, pair and whether ours was black."""
    rows = record.read_text().splitlines() if record and record.exists() else []
    cells = (row.split() for row in rows)
    return {(int(row[0]), int(row[1]), row[2] == "black"): int(row[3]) for row in cells}


def even_opening(plies: int, even: float, rng: Random) -> list[int]:
    """Return random moves after which the search finds neither side far ahead."""
    while True:
        game, first = Game(*start(8)), opening(plies, rng)
        for square in first:
            game.play(square)
        value = think(game.own, game.opponent, Limits(EVEN_DEPTH), 600.0).value
        if abs(value) <= even * UNIT:
            return first


def match(depth: int, options: argparse.Namespace) -> tuple[Score, list[int]]:
    """Play the games against one depth; return their score and our discs in each pair."""
    score, rng, known = Score(), Random(f"{options.seed} openings"), recorded(options.record)
    ours, pairs = player(f"cpu-{options.seconds}", 0), []
    for pair in range(options.pairs):
        first = even_opening(options.plies, options.even, rng)
        for ours_is_black in (True, False):
            key = (depth, pair, ours_is_black)
            if key not in known:
                known[key] = one_game(key, first, ours, score, options)
            score.add(known[key])
        pairs.append(known[depth, pair, True] + known[depth, pair, False])
    return score, pairs


def one_game(
    key: tuple[int, int, bool],
    first: Sequence[int],
    ours: Player,
    score: Score,
    options: argparse.Namespace,
) -> int:
    """Play a game, record it, and return our score."""
    depth, pair, ours_is_black = key
    program, played = Program(options.command, options.folder, depth), list[int]()
    players = [keeping(played, ours), keeping(played, program.move)]
    black, white = players if ours_is_black else players[::-1]
    discs = play(black, white, first, clock_of(score, ours_is_black))
    program.close()
    discs = discs if ours_is_black else -discs
    if options.record:
        names = "".join(cell_name(*divmod(square, 8)) for square in played)
        with options.record.open("a") as file:
            file.write(f"{depth} {pair} {'black' if ours_is_black else 'white'} {discs} {names}\n")
    return discs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--depths", default="10,12,14")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--plies", type=int, default=8, help="random moves a game begins with")
    parser.add_argument("--seconds", type=float, default=1.0, help="of ours, a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--even", type=float, default=64.0, help="discs a beginning may be worth")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    print(HEADER)
    for depth in map(int, options.depths.split(",")):
        score, pairs = match(depth, options)
        won, lost = sum(discs > 0 for discs in pairs), sum(discs < 0 for discs in pairs)
        row = score.row(f"{options.seconds} s : depth {depth}")
        print(f"{row}  {won} won, {lost} lost", flush=True)


if __name__ == "__main__":
    main()
