"""The deviations between the values of shallow and deep searches, for ProbCut's margins.

Positions of quick games are searched to every depth up to ten plies without any cuts, and solved
where few squares are empty. The standard deviation between a search and the short search that
predicts it (`probe_depth`) is fitted by a plane over empty squares and depth; searches to the end
have a line of their own over the empty squares, for there a value is a result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.othello.ai.memory import Deviations, new_memory
from games.othello.ai.midgame import probe_depth
from games.othello.ai.patterns import UNIT, Weights
from games.othello.ai.train import start
from games.othello.ai.train.games import Positions, play
from games.othello.ai.train.label import label

_DEPTHS = range(1, 10)
_LEAST = 0.5 * UNIT
TO_THE_END = 60
_ENDS = range(11, 18)
Floats = NDArray[np.float64]


def sample(weights: Weights, games: int, seed: int) -> dict[int, Positions]:
    """Return positions of quick games with few random moves, by the number of empty squares."""
    memory = new_memory(weights, start.first_deviations(), 10)
    out = np.zeros((games * 56, 2), np.uint64)
    play(seed, games, 0.02, 3, out, memory.features, weights, memory.counters)
    empties = 64 - np.bitwise_count(out[:, 0] | out[:, 1]).astype(np.int64)
    return {count: np.ascontiguousarray(out[empties == count]) for count in range(5, 60)}


def _values(positions: Positions, depth: int, weights: Weights) -> Floats:
    memory = new_memory(weights, start.first_deviations(), 18)
    return UNIT * label(positions, depth, memory)


def _middle(samples: dict[int, Positions], weights: Weights) -> Floats:
    """Return rows (empty squares, depth, deviation) of searches that do not reach the end."""
    rows = []
    for empties in range(16, 56, 4):
        values = {depth: _values(samples[empties], depth, weights) for depth in _DEPTHS}
        for depth in _DEPTHS[3:]:
            short = values[int(probe_depth(depth))]
            rows.append((empties, depth, np.std(values[depth] - short)))
    return np.array(rows)


def _ends(samples: dict[int, Positions], weights: Weights) -> Floats:
    """Return rows (empty squares, deviation) of searches to the end."""
    rows = []
    for empties in _ENDS:
        end = _values(samples[empties], TO_THE_END, weights)
        short = _values(samples[empties], int(probe_depth(empties)), weights)
        rows.append((empties, np.std(end - short)))
    return np.array(rows)


def measured_deviations(weights: Weights, games: int) -> Deviations:
    """Return standard deviations, in 1/UNIT disc, by empty squares and depth."""
    samples = sample(weights, games, seed=3)
    middle, ends = _middle(samples, weights), _ends(samples, weights)
    design = np.column_stack([np.ones(len(middle)), middle[:, :2]])
    plane = np.linalg.lstsq(design, middle[:, 2], rcond=None)[0]
    line = np.polyfit(ends[:, 0], ends[:, 1], 1)
    print(f"deviations {plane / UNIT} (1, empties, depth), to the end {line / UNIT}", flush=True)
    empties, depth = np.mgrid[0:65, 0:65]
    table = plane[0] + plane[1] * empties + plane[2] * depth
    to_the_end = np.polyval(line, empties)
    return np.maximum(np.where(depth >= empties, to_the_end, table), _LEAST)
