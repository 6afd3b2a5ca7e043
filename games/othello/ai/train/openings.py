"""A script that makes the opening lines of the 6x6 board.

``python -m games.othello.ai.train.openings``. For each side in turn: from the start, that side
plays a best move, the other side every move, until so few squares are empty that the position can
be solved during a game. Each position of that side is solved exactly. Takes about three quarters of
an hour on one core. The lines of the file, and of an interrupted run, are reused; the file itself
is replaced once all lines are there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from games.contract import cell_name
from games.othello.ai.openings import DATA, Pair, after, canonical, mask_of, start
from games.othello.ai.perfect import Solver
from games.othello.bitboard import bits, geometry, legal_mask

SIZE = 6
_HEAD = """\
# The 6x6 game: moves played, the best move there, and the score that it leads to in discs for the
# side to move (the empty squares going to the winner). Made by games.othello.ai.train.openings.
"""
_FOREVER = 1e6
BLACK = -4
"""The score of black with best play (J. Feinstein, 1993); it shortens the first search."""


class Lines:
    """The lines found so far, by the least image of the position.

    Each is appended beside the file as soon as it is solved, so that an interrupted run loses
    nothing.
    """

    def __init__(self, stop: int, path: Path) -> None:
        self.stop, self.path = stop, path
        self.notes = path.with_name(f"{path.name}.begun")
        self.solver = Solver(SIZE, 22)
        self.scores: dict[Pair, int] = {}
        self.before = _lines_of(path) | _lines_of(self.notes)
        self.lines: list[str] = []

    def solve(self, own: int, opponent: int, played: list[str], at_least: int) -> tuple[int, int]:
        """Return a best move, as a mask, and its score, and write them to the file."""
        known = self.before.get(" ".join(played))
        found = known or self.solver.best(own, opponent, _FOREVER, at_least)
        if found is None:
            raise RuntimeError("the solver stopped without a limit")
        move, score = found
        self.scores[canonical(own, opponent, SIZE)[0]] = score
        self.lines.append(f"{' '.join(played)}: {name(move)} {score:+}\n")
        if not known:
            with self.notes.open("a", encoding="utf-8") as file:
                file.write(self.lines[-1])
        return found

    def follow(self, own: int, opponent: int, played: list[str], at_least: int) -> None:
        """Write down a best move of the side to move, and of all positions that it can meet
        afterwards. The score is ``at_least`` that of the line so far."""
        if 36 - (own | opponent).bit_count() <= self.stop:
            return
        if canonical(own, opponent, SIZE)[0] in self.scores:
            return
        move, score = self.solve(own, opponent, played, at_least)
        child = after(own, opponent, move, SIZE)
        self.answer(*child, [*played, name(move)], score)

    def answer(self, own: int, opponent: int, played: list[str], at_least: int) -> None:
        """Follow every move of the other side."""
        for move in bits(legal_mask(own, opponent, geometry(SIZE))):
            child = after(own, opponent, move, SIZE)
            self.follow(*child, [*played, name(move)], at_least)

    def publish(self) -> None:
        """Replace the file: the side that begins first, the shorter lines first."""
        lines = sorted(self.lines, key=_order)
        self.notes.write_text(_HEAD + "".join(lines), encoding="utf-8")
        self.notes.replace(self.path)


def _order(line: str) -> tuple[bool, int, str]:
    """Return the sort key of a line. Lines of the side that begins have an even number of moves."""
    moves = len(line.partition(":")[0].split())
    return moves % 2 == 1, moves, line


def _lines_of(path: Path) -> dict[str, tuple[int, int]]:
    """Return the best move and score of each line of a file, if there is one."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if not line.startswith("#"):
            played, _, best = line.partition(":")
            move, score = best.split()
            found[played] = mask_of(move, SIZE), int(score)
    return found


def name(move: int) -> str:
    """Return the name of the square of a single bit."""
    return cell_name(*divmod(move.bit_length() - 1, SIZE))


def main() -> None:
    """Solve and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stop", type=int, default=23, help="empty squares solved when met")
    parser.add_argument("--output", type=Path, default=DATA / f"openings-{SIZE}.txt")
    options = parser.parse_args()
    lines = Lines(options.stop, options.output)
    lines.follow(*start(SIZE), [], BLACK)
    lines.answer(*start(SIZE), [], -BLACK)
    lines.publish()


if __name__ == "__main__":
    main()
