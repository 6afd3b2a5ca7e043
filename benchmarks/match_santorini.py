"""Play the levels of Santorini's computer player against each other, and print a table.

Usage: python -m benchmarks.match_santorini [--games 50] [--players 2] [--seed 1]
       [--record FILE] LEFT:RIGHT ...

A player is level-1 .. level-6, random, novice, or a file of weights, which plays games of two as
level 5 does. Without arguments each level meets the one below. A novice climbs to win when it can,
builds where another player could climb, and otherwise steps as high as it can, by chance.

Two players: games come in pairs that begin with the same placements, played once with each colour.
Placements are drawn at random and kept if a search of 20,000 nodes calls them even (45 to 55 per
cent), so that a pair is not decided before it begins. Three or four players: LEFT plays one seat,
each in turn, and RIGHT the others, from placements of their own. LEFT would win one game in three
or four if it were no better.

Every game has a seed of its own, so the same command plays the same games. With ``--record`` each
game is appended to a file when it ends, and games in the file are not played again, so that an
interrupted match continues. Delete the file after changing the computer player.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from random import Random
from time import process_time

from games.contract import Position
from games.santorini.ai.evaluation import UNIT, Weights, load_weights
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import Seen, see
from games.santorini.computer import LEVELS, choose
from games.santorini.engine import NEIGHBOURS
from games.santorini.position import PLAYERS, SantoriniPosition
from games.santorini.rules import RULES

HEADER = "left      right        won              ±95 %  ms/left  ms/right   slowest ms"
Player = Callable[[Position, str], str]


def searching(budget: Budget, rng: Random, weights: Weights | None = None) -> Player:
    """Return a player for two-player games that searches with the same budget each turn."""

    def move(position: Position, seat: str) -> str:
        seen = see(position.view(seat))
        if climbs := seen.climbs():
            return climbs[0]
        (best, *_) = think(seen.two_player_state(), replace(budget), rng=rng, weights=weights)
        return seen.notation(best.move)

    return move


def novice(rng: Random) -> Player:
    """Return a player with a beginner's rules of thumb and no foresight."""

    def move(position: Position, seat: str) -> str:
        seen, moves = see(position.view(seat)), list(position.legal_moves(seat))
        if seen.placing:
            return rng.choice(moves)
        if climbs := seen.climbs():
            return rng.choice(climbs)
        threatened = {space for pair in seen.pairs[1:] for space in climbable(seen, pair or ())}
        ends = {move: ends_of(seen, move) for move in moves}
        if closing := [move for move in moves if ends[move][1] in threatened]:
            return rng.choice(closing)
        heights = {move: height_of(seen, ends[move][0]) for move in moves}
        return rng.choice([move for move in moves if heights[move] == max(heights.values())])

    return move


def climbable(seen: Seen, workers: Iterable[int]) -> Iterator[int]:
    """Yield the third levels that workers on these spaces could climb to."""
    _, two, three, dome = seen.towers
    taken = {space for pair in seen.pairs for space in pair or ()}
    for start in workers:
        for space in NEIGHBOURS[start].values() if two >> start & 1 else ():
            if (three & ~dome) >> space & 1 and space not in taken:
                yield space


def ends_of(seen: Seen, move: str) -> tuple[int, int]:
    """Return the space to which a move such as ``B E W`` steps, and the one on which it builds."""
    letter, way, build = move.split()
    target = NEIGHBOURS[(seen.pairs[0] or ())[seen.letters.index(letter)]][way]
    return target, NEIGHBOURS[target][build]


def height_of(seen: Seen, space: int) -> int:
    """Return the level of a space without a dome."""
    return sum(level >> space & 1 for level in seen.towers[:3])


def player(name: str, rng: Random) -> Player:
    """Return the player for a name on the command line."""
    if name == "random":
        return lambda position, seat: rng.choice(list(position.legal_moves(seat)))
    if name == "novice":
        return novice(rng)
    if name.endswith(".npy"):
        return searching(Budget(LEVELS[5].nodes, 60.0), rng, load_weights(Path(name)))
    kind, _, number = name.partition("-")
    if kind != "level" or not number.isdigit():
        raise SystemExit(f"no player is called {name}")
    level = int(number)
    return lambda position, seat: choose(position, seat, level, rng, seconds=60.0).move


def even_placements(rng: Random) -> SantoriniPosition:
    """Return a position of two players after random placements that are even."""
    while True:
        position = SantoriniPosition(2)
        for seat in ("p1", "p2"):
            position.play(seat, rng.choice(position.legal_moves(seat)))
        state = see(position.view(None)).two_player_state()
        (best, *_) = think(state, Budget(20_000, 60.0))
        if 0.45 <= 1 / (1 + exp(-best.value / UNIT)) <= 0.55:
            return position


@dataclass(frozen=True)
class Match:
    """The players of a match. Its games are numbered from 0."""

    left: str
    right: str
    players: int
    seed: int

    def start(self, game: int) -> SantoriniPosition:
        """Return the first position of a game; the same for both games of a pair."""
        if self.players > 2:
            return SantoriniPosition(self.players)
        return even_placements(Random(f"{self.seed} {game // 2}"))


@dataclass(frozen=True)
class Game:
    """The result of one game: whether LEFT won, and for each side the number of turns and the
    processor time. ``slowest`` is the slowest turn of all."""

    won: bool
    turns: Sequence[int]
    seconds: Sequence[float]
    slowest: float


Sides = tuple[Player, Player]
"""LEFT and RIGHT."""
Clock = Callable[[], float]
"""Returns the processor time that the sides have taken, in seconds."""


def sides_of(match: Match, game: int) -> Sides:
    """Return the players of one game, with its seed."""
    rng = Random(f"{match} {game}")
    return player(match.left, rng), player(match.right, rng)


def play(match: Match, game: int, sides: Sides, clock: Clock = process_time) -> Game:
    """Play one game to its end."""
    position, left = match.start(game), [*PLAYERS][game % match.players]
    turns, seconds, slowest = [0, 0], [0.0, 0.0], 0.0
    while (result := position.result()) is None:
        (seat,) = position.to_move()
        side = int(seat != left)
        begin = clock()
        move = sides[side](position, seat)
        spent = clock() - begin
        turns[side] += 1
        seconds[side] += spent
        slowest = max(slowest, spent)
        position.play(seat, move)
    return Game(left in result.winners, turns, seconds, slowest)


class MatchLog:
    """The recorded games by match and number, stored in a file with one JSON object a line.

    Without a path nothing is stored."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.games: dict[tuple[Match, int], Game] = {}
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        for line in lines:
            entry = json.loads(line)
            self.games[Match(**entry["match"]), entry["number"]] = Game(**entry["game"])

    def add(self, match: Match, number: int, game: Game) -> None:
        """Add a game, to the file too."""
        self.games[match, number] = game
        if self.path is not None:
            entry = {"match": asdict(match), "number": number, "game": asdict(game)}
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def played(match: Match, games: int, record: MatchLog) -> list[Game]:
    """Return the games of a match; play those that are not recorded."""
    for number in range(games):
        if (match, number) not in record.games:
            record.add(match, number, play(match, number, sides_of(match, number)))
    return [record.games[match, number] for number in range(games)]


def row(match: Match, games: Sequence[Game]) -> str:
    """Return a line of the table."""
    won = sum(game.won for game in games)
    share = won / len(games)
    error = 1.96 * sqrt(share * (1 - share) / len(games))
    turns = [max(sum(game.turns[side] for game in games), 1) for side in range(2)]
    mean = [1000 * sum(game.seconds[i] for game in games) / turns[i] for i in range(2)]
    slowest = 1000 * max(game.slowest for game in games)
    return (
        f"{match.left:9} {match.right:9} {won:4} / {len(games):<4} {100 * share:5.0f} % "
        f"± {100 * error:3.0f} {mean[0]:9.1f} {mean[1]:9.1f} {slowest:9.0f}"
    )


def main() -> None:
    """Read the command line and play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path)
    parser.add_argument("matches", nargs="*", metavar="LEFT:RIGHT")
    options = parser.parse_args()
    games = -(-options.games // options.players) * options.players
    ladder = [f"level-{above}:level-{level}" for level, above in pairwise(RULES.ladder)]
    record = MatchLog(options.record)
    print(HEADER)
    for pairing in options.matches or ["level-1:random", "level-1:novice", *ladder]:
        left, _, right = pairing.partition(":")
        match = Match(left, right, options.players, options.seed)
        print(row(match, played(match, games, record)), flush=True)


if __name__ == "__main__":
    main()
