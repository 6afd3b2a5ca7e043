"""A script that learns the evaluation of many players: `python -m games.santorini.ai.train.many`.

Begins with the weights of two players for every pair; in each round the computer plays games of
three and of four against itself, and then learns from the last two rounds to predict a mixture of
the winners and the chances of its search. As with two players, all chance has a fixed seed and all
limits are nodes. The output is ai/data/many.npy unless a FILE is named.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from games.santorini.ai.bits import SPACES
from games.santorini.ai.evaluation import load_weights
from games.santorini.ai.many import (
    FILE,
    GONE,
    OUT,
    PAIRS_IN_ALL,
    Table,
    after,
    climbs_of,
    next_of,
    pairs_of,
    turns_of,
    winner_of,
)
from games.santorini.ai.many_tree import (
    FIRST,
    MOVE,
    NUMBER,
    VISITS,
    WINNERS,
    Tree,
    grow,
    new_tree,
    plant,
)
from games.santorini.ai.tools import MOVES
from games.santorini.ai.train.fit import Floats, rounded, unrounded
from games.santorini.ai.train.many_fit import fit_many

Round = tuple[int, int, float]
"""Positions of three players and as many of four, nodes a move, and the share of the result."""
ROUNDS: Sequence[Round] = (
    (200_000, 300, 0.6),
    (250_000, 800, 0.5),
)
_WILD = 30
"""One turn in this many is random."""


@dataclass(frozen=True)
class Thought:
    """A table, the player to move, and the chances of each player by the search: float32 [4]."""

    table: Table
    player: int
    chances: Floats


def placed(players: int, rng: Random) -> Table:
    """Return all workers on different spaces of an empty board."""
    spaces = rng.sample(range(SPACES), 2 * players) + [GONE] * (8 - 2 * players)
    return 0, 0, 0, 0, sum(space << 5 * index for index, space in enumerate(spaces))


def think(table: Table, player: int, nodes: int, tree: Tree) -> tuple[int, Floats]:
    """Return the turn with the most visits, and the chances behind it: float32 [4]."""
    plant(player, nodes, tree)
    grow(table, tree)
    first = int(tree[0][0, FIRST])
    children = slice(first, first + int(tree[0][0, NUMBER]))
    visits, means = tree[0][children, VISITS], tree[1][children] / tree[0][children, VISITS, None]
    decided = tree[0][children, WINNERS]
    rank = np.where(decided == 0, visits, np.where(decided >> player & 1, 1 << 30, 0))
    best = int(np.lexsort((means[:, player], rank))[-1])
    return int(tree[0][first + best, MOVE]), means[best]


def play_game(players: int, nodes: int, rng: Random, tree: Tree) -> tuple[list[Thought], int]:
    """Return the positions of a game that were searched, and the winner."""
    table, player, wild = placed(players, rng), 0, rng.randrange(4 * players)
    turns, found = np.empty(MOVES, dtype=np.int64), []
    while not climbs_of(table, player):
        number = turns_of(table, player, turns)
        if number == 0:
            move = OUT
        elif wild > 0 or rng.randrange(_WILD) == 0:
            wild, move = wild - 1, int(turns[rng.randrange(number)])
        else:
            move, thought = think(table, player, nodes, tree)
            if winner_of(table, player) < 0:
                found.append(Thought(table, player, thought))
        table = after(table, player, move)
        player = next_of(table, player)
        if next_of(table, player) == player:
            break
    return found, player


def in_turn(table: Table, player: int) -> list[int]:
    """Return the players who are still in, from ``player`` on."""
    order = [(player + step) & 3 for step in range(4)]
    return [one for one in order if table[4] >> 10 * one & 31 != GONE]


def turned(table: Table, order: Sequence[int]) -> Table:
    """Return the table with its players numbered in this order."""
    pairs = [table[4] >> 10 * one & 1023 for one in order] + [1023] * (4 - len(order))
    workers = sum(pair << 10 * index for index, pair in enumerate(pairs))
    return *table[:4], workers


def examples(
    players: int, nodes: int, share: float, rng: Random, tree: Tree
) -> Iterator[tuple[Table, Floats]]:
    """Yield positions with ``players`` players still in, and each player's share of the win."""
    while True:
        found, winner = play_game(players, nodes, rng, tree)
        for one in found:
            order = in_turn(one.table, one.player)
            if len(order) == players:
                won = np.array([player == winner for player in order], dtype=np.float32)
                yield turned(one.table, order), share * won + (1 - share) * one.chances[order]


def play_round(
    players: int, number: int, nodes: int, share: float, weights: Floats, seed: int
) -> tuple[np.ndarray, Floats]:
    """Return ``number`` positions of games that these weights play, and the target of each."""
    tree = new_tree(0, nodes, rounded(weights).astype(np.int32))
    tables = np.empty((number, 5), dtype=np.int64)
    targets = np.empty((number, players), dtype=np.float32)
    drawn = examples(players, nodes, share, Random(f"{players} {seed}"), tree)
    for index, (table, target) in zip(range(number), drawn, strict=False):
        tables[index], targets[index] = table, target
    print(f"{players} players: {number} positions at {nodes} nodes", flush=True)
    return tables, targets


def learn(file: Path, rounds: Sequence[Round] = ROUNDS) -> None:
    """Play and learn, round after round; the weights are written after each."""
    weights = unrounded(np.repeat(load_weights()[None], PAIRS_IN_ALL, axis=0))
    played: dict[int, list[tuple[np.ndarray, Floats]]] = {3: [], 4: []}
    for seed, (number, nodes, share) in enumerate(rounds, start=1):
        for players in (3, 4):
            rows = pairs_of(players)
            played[players].append(play_round(players, number, nodes, share, weights, seed))
            tables, targets = map(np.concatenate, zip(*played[players][-2:], strict=True))
            weights[rows] = fit_many(tables, targets, weights[rows])
        file.parent.mkdir(exist_ok=True)
        np.save(file, rounded(weights[1:]))
        print(f"round {seed} done after {process_time():.0f} s", flush=True)


if __name__ == "__main__":
    learn(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
