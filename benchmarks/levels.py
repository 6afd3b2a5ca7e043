"""Play the levels of all computer players, and print one table for docs/benchmarks.md.

Usage: python -m benchmarks.levels [--games 100] [--only SLUG ...] [--lowest RANK]
       [--highest RANK] [--against LEVEL] [--seed 1]

Each level meets the one below it in the order of the rules, or the one of ``--against``; level 1
meets a novice and random moves. A novice takes a win in one move, else keeps the next player from
one, and otherwise plays any move. `benchmarks.ladders` has other novices where these do not fit,
and the options that are measured.

One player (or team) of the level sits in turn in each seat, and the others are of the level below.
So with three players the level would win one game in three if it were no better. The column "a
duel" is comparable for all numbers of players: the odds against one opponent. A draw counts as half
a win. "Slowest" is the processor time of the level's slowest move.

Every game has a seed of its own, so the same command plays the same games. Ten games a line, the
default, take about an hour; a release has a hundred.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from types import ModuleType
from typing import Any

from games.contract import Position, SeatKey
from games.core.registry import all_rules, computer_module

NOVICE, ANY = "a novice", "random moves"
HEADER = ("game", "level", "against", "won", "games", "a duel", "slowest")

Player = Callable[[Position, SeatKey, Random], str]


@dataclass(frozen=True)
class Table:
    """A kind of game with the options that its levels are measured with."""

    slug: str
    name: str
    options: Mapping[str, Any]

    def start(self, rng: Random) -> Position:
        """Return the first position of a game."""
        rules = all_rules()[self.slug]
        return rules.start(rules.deal(rules.clean(self.options), rng))


def tables(slug: str, which: str = "TABLES") -> list[Table]:
    """Return the tables of a kind of game: by default one, of its usual options."""
    usual = getattr(ladder(slug), "TABLES", {slug: {}})
    found = getattr(ladder(slug), which, usual)
    return [Table(slug, name, options) for name, options in found.items()]


def ladder(slug: str) -> ModuleType | None:
    """Return the module in `benchmarks.ladders` of a kind of game, if it has one."""
    name = f"benchmarks.ladders.{slug}"
    return import_module(name) if find_spec(name) else None


def of_level(slug: str, level: int) -> Player:
    """Return a computer player, limited by its nodes alone."""
    computer: Any = computer_module(slug)
    return lambda position, seat, rng: str(
        computer.choose(position, seat, level, rng, seconds=600.0).move
    )


def at_random(position: Position, seat: SeatKey, rng: Random) -> str:
    """Return any legal move."""
    return rng.choice(list(position.legal_moves(seat)))


def novice(position: Position, seat: SeatKey, rng: Random) -> str:
    """Return a move that wins at once, or else one after which nobody can win at once."""
    moves = list(position.legal_moves(seat))
    rng.shuffle(moves)
    for move in moves:
        if _wins(position, seat, move):
            return move
    return next((move for move in moves if _is_safe(position.copy().play(seat, move))), moves[0])


def _wins(position: Position, seat: SeatKey, move: str) -> bool:
    result = position.copy().play(seat, move).result()
    return result is not None and seat in result.winners


def _is_safe(position: Position) -> bool:
    """Return whether no player to move can win at once, in a game that has not been lost yet."""
    return position.result() is None and not any(
        _wins(position, seat, move)
        for seat in position.to_move()
        for move in position.legal_moves(seat)
    )


def player(slug: str, name: str) -> Player:
    """Return the player of a name: a level, a novice, or random moves."""
    if name.startswith("level"):
        return of_level(slug, int(name.split()[1]))
    key, usual = ("NOVICE", novice) if name == NOVICE else ("ANY", at_random)
    found: Player = getattr(ladder(slug), key, usual)
    return found


@dataclass
class Line:
    """The games of one player against others."""

    table: Table
    name: str
    against: str
    won: float = 0.0
    games: int = 0
    sides: int = 2
    slowest: float = 0.0

    def play(self, number: int, seed: int) -> None:
        """Play one game."""
        rng = Random(f"{seed} {self.table.name} {self.name} {self.against} {number}")
        position = self.table.start(rng)
        sides = list(dict.fromkeys(map(_side, _seats(self.table))))
        mine = sides[number % len(sides)]
        players = [player(self.table.slug, name) for name in (self.against, self.name)]
        while (result := position.result()) is None:
            seat = min(position.to_move())
            is_mine, begun = _side(seat) == mine, process_time()
            move = players[is_mine](position, seat, rng)
            if is_mine:
                self.slowest = max(self.slowest, process_time() - begun)
            position.play(seat, move)
        won = any(_side(seat) == mine for seat in result.winners)
        self.won += won if result.winners else 0.5
        self.games, self.sides = self.games + 1, len(sides)

    @property
    def duel(self) -> float:
        """Return the share of games that the player would win against a single opponent."""
        odds = self.won * (self.sides - 1)
        return odds / max(odds + self.games - self.won, 1e-9)

    def row(self) -> str:
        """Return the line of the table."""
        return _row(
            self.table.name,
            self.name.removeprefix("level "),
            self.against,
            f"{self.won:g}",
            str(self.games),
            f"{100 * self.duel:.0f} %",
            f"{self.slowest:.2f} s",
        )


def _seats(table: Table) -> Sequence[SeatKey]:
    rules = all_rules()[table.slug]
    return [spec.key for spec in rules.seats(rules.clean(table.options))]


def _side(seat: SeatKey) -> str:
    """Return the team of a seat, or the seat itself, which is a side of its own."""
    return seat.partition("-")[0]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def lines(table: Table, lowest: int, highest: int, against: int = 0) -> Iterator[Line]:
    """Yield the lines of a table without games, the weakest player first. All play ``against`` one
    level, or else each against the one below it."""
    ladder = all_rules()[table.slug].ladder
    for level in [*ladder][lowest - 1 : highest]:
        below = against or ladder.beside(level, -1)
        for rival in (f"level {below}",) if below else (ANY, NOVICE):
            yield Line(table, f"level {level}", rival)


def main() -> None:
    """Read the command line, and play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=sorted(all_rules()), choices=all_rules())
    parser.add_argument("--lowest", type=int, default=1, metavar="RANK")
    parser.add_argument("--highest", type=int, default=99, metavar="RANK")
    parser.add_argument("--against", type=int, default=0, metavar="LEVEL")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(_row(*HEADER), _row(*["---"] * len(HEADER)), sep="\n")
    for table in (table for slug in arguments.only for table in tables(slug)):
        for line in lines(table, arguments.lowest, arguments.highest, arguments.against):
            # Every seat equally often.
            games = -(-arguments.games // len(_seats(table))) * len(_seats(table))
            for number in range(games):
                line.play(number, arguments.seed)
            print(line.row(), flush=True)


if __name__ == "__main__":
    main()
