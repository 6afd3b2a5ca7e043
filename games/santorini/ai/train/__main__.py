"""A script that learns the evaluation from nothing: `python -m games.santorini.ai.train [FILE]`.

In each round the computer plays against itself, and then learns from the last two rounds to predict
a mixture of the results of games and the values of its search. All chance has a fixed seed and all
limits are nodes: the same command makes the same file, bit for bit, on processors that the compiler
treats alike (elsewhere sums are rounded in another order). FILE is ai/data/weights.npy by default;
`benchmarks.match_santorini` can play another one against the present weights.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np

from games.santorini.ai.evaluation import FILE, UNIT
from games.santorini.ai.tools import new_tools
from games.santorini.ai.train.fit import Floats, first_weights, fit, rounded
from games.santorini.ai.train.selfplay import play_games

Round = tuple[int, int, float]
"""Positions, nodes a move, and the share of the result (the search has the rest)."""
ROUNDS: Sequence[Round] = (
    (200_000, 100, 1.0),
    (300_000, 300, 0.6),
    (600_000, 600, 0.5),
    (900_000, 900, 0.5),
)


def play_round(
    positions: int, nodes: int, share: float, weights: Floats, seed: int
) -> tuple[np.ndarray, Floats]:
    """Return positions of games that these weights play, and the target of each."""
    states = np.zeros((positions, 8), dtype=np.int64)
    values = np.zeros(positions, dtype=np.int32)
    results = np.zeros(positions, dtype=np.int8)
    tools = new_tools(rounded(weights).astype(np.int32), 16)
    games = play_games(nodes, np.array([seed], dtype=np.uint64), tools, states, values, results)
    print(f"{positions} positions of {games} games at {nodes} nodes", flush=True)
    thought = 1 / (1 + np.exp(-values / UNIT))
    return states, (share * results + (1 - share) * thought).astype(np.float32)


def learn(file: Path, rounds: Sequence[Round] = ROUNDS) -> None:
    """Play and learn, round after round; the weights are written after each."""
    weights, played = first_weights(), []
    for number, (positions, nodes, share) in enumerate(rounds, start=1):
        played.append(play_round(positions, nodes, share, weights, seed=number))
        states, targets = (np.concatenate(parts) for parts in zip(*played[-2:], strict=True))
        weights = fit(states, targets, weights)
        file.parent.mkdir(exist_ok=True)
        np.save(file, rounded(weights))
        print(f"round {number} done after {process_time():.0f} s", flush=True)


if __name__ == "__main__":
    learn(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
