"""A script that makes the shipped evaluation from nothing: ``python -m games.othello.ai.train``.

Two rounds. Each plays games with the evaluation of the round before (mobility and corners at
first), then learns from the end of the game to its beginning: positions with few empty squares are
solved, those of an earlier phase get the value of a search that ends in the phase just learned.
Takes about 40 minutes on one core.

Games are drawn from seeds, searches are limited by depth and never by time, and sums are added up
in order, so the same numbers of positions and plies make the same weights again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.othello.ai.memory import new_memory
from games.othello.ai.patterns import PHASE_SQUARES, PHASES, SIZE, Weights
from games.othello.ai.train import start
from games.othello.ai.train.deviations import measured_deviations
from games.othello.ai.train.fit import columns_of, fit, predict, to_weights
from games.othello.ai.train.games import Positions, play
from games.othello.ai.train.label import label
from games.othello.ai.weights import EVALUATION, save

SOLVED_PHASES = 3
"""Phases below this (up to 14 empty squares) are solved."""
TO_THE_END = 60
OVERLAP = 2
"""A phase learns from positions this many squares before and after it as well."""

Labelled = tuple[Positions, NDArray[np.float64]]


def _phase_of(positions: Positions) -> NDArray[np.int64]:
    empties = 64 - np.bitwise_count(positions[:, 0] | positions[:, 1]).astype(np.int64)
    return np.minimum(empties // PHASE_SQUARES, PHASES - 1)


def positions_by_phase(weights: Weights, count: int, seed: int) -> list[Positions]:
    """Return about ``count`` different positions of each phase, from quick games."""
    memory = new_memory(weights, start.first_deviations(), 10)
    out = np.zeros((count * (PHASES - 1), 2), np.uint64)
    play(seed, len(out), 0.1, 2, out, memory.features, weights, memory.counters)
    different = np.random.default_rng(seed).permutation(np.unique(out, axis=0))
    phases = _phase_of(different)
    return [np.ascontiguousarray(different[phases == phase]) for phase in range(PHASES)]


def _report(
    phase: int,
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    fitted: NDArray[np.float64],
    seconds: float,
) -> None:
    rows = np.zeros(len(values))
    predict(columns, fitted, rows)
    error = np.sqrt(np.mean((rows - values) ** 2))
    print(
        f"phase {phase}: {len(values)} held out, deviation {np.std(values):.2f}, "
        f"error {error:.2f} discs, {seconds:.0f} s",
        flush=True,
    )


def learn(positions: list[Positions], depth: int, weights: Weights) -> list[Labelled]:
    """Label and fit each phase in turn, from the end; ``weights`` are changed in place."""
    labelled: list[Labelled] = [(positions[0], np.zeros(len(positions[0])))]
    fitted = np.zeros(SIZE)
    for phase in range(1, PHASES):
        begun = time.perf_counter()
        memory = new_memory(weights, start.first_deviations(), 18)
        values = label(positions[phase], TO_THE_END if phase < SOLVED_PHASES else depth, memory)
        labelled.append((positions[phase], values))
        columns = columns_of(positions[phase])
        kept = len(values) * 19 // 20
        fitted = fit(columns[:kept], values[:kept], fitted)
        weights[phase] = to_weights(fitted)
        _report(phase, columns[kept:], values[kept:], fitted, time.perf_counter() - begun)
    weights[0] = weights[1]
    return labelled


def refit(labelled: list[Labelled], weights: Weights) -> None:
    """Fit each phase to its own and the neighbouring positions; ``weights`` are changed."""
    positions = np.concatenate([part for part, _ in labelled])
    values = np.concatenate([part for _, part in labelled])
    empties = 64 - np.bitwise_count(positions[:, 0] | positions[:, 1]).astype(np.int64)
    fitted = np.zeros(SIZE)
    for phase in range(1, PHASES):
        first = PHASE_SQUARES * phase
        near = (empties >= first - OVERLAP) & (empties < first + PHASE_SQUARES + OVERLAP)
        fitted = fit(columns_of(np.ascontiguousarray(positions[near])), values[near], fitted)
        weights[phase] = to_weights(fitted)
    weights[0] = weights[1]


def main() -> None:
    """Play, learn, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200_000, help="of each phase")
    parser.add_argument("--depth", type=int, default=6, help="plies of the labelling searches")
    parser.add_argument("--games", type=int, default=150, help="that deviations are measured on")
    parser.add_argument("--output", type=Path, default=EVALUATION)
    parser.add_argument("--keep", type=Path, help="where to keep the labelled positions")
    options = parser.parse_args()
    weights = start.first_weights()
    learn(positions_by_phase(weights, options.positions // 5, 1), options.depth - 2, weights)
    labelled = learn(positions_by_phase(weights, options.positions, 2), options.depth, weights)
    if options.keep:
        positions, values = (np.concatenate(parts) for parts in zip(*labelled, strict=True))
        np.savez(options.keep, positions=positions, values=values)
    refit(labelled, weights)
    save(weights, measured_deviations(weights, options.games), options.output)


if __name__ == "__main__":
    main()
