"""The table of English words and their vectors, which the build script writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from games.contract import CannotPlay, text

DATA = Path(__file__).resolve().parent / "data"

Vector = NDArray[np.float32]


class Table:
    """Words, the commonest first, each with a vector.

    The product of two vectors is a logit: among the cards of a table, the softmax of their products
    with a clue's vector estimates how often people would select each. It is the sum of the products
    in each of the ``spaces``: the parts of the vectors that come from one source.
    """

    def __init__(self, path: Path) -> None:
        """Load the table. Raises CannotPlay for a file that is missing or damaged."""
        try:
            with np.load(path) as stored:
                words, codes, scale = stored["words"], stored["codes"], stored["scale"]
                ends = [0, *stored["ends"].tolist()]
        except (OSError, KeyError, ValueError, BadZipFile) as error:
            raise CannotPlay(text("The computer’s word list is missing or damaged.")) from error
        self.rank = {word: n for n, word in enumerate(words.tobytes().decode().split("\n"))}
        self.vectors = _unpacked(codes, scale)
        self.spaces = tuple(map(slice, ends, ends[1:]))
        self.usual_length = float(np.median(np.linalg.norm(self.vectors, axis=1)))

    def vector(self, word: str) -> Vector | None:
        """Return the vector of a word; None for one that is not in the table."""
        number = self.rank.get(word)
        return None if number is None else self.vectors[number]


def _unpacked(codes: NDArray[np.uint8], scale: Vector) -> Vector:
    """Return float32 of shape (words, dimensions) from two four-bit numbers a byte, each 8 too
    high."""
    vectors = np.empty((len(codes), 2 * codes.shape[1]), np.float32)
    vectors[:, 0::2] = codes & 15
    vectors[:, 1::2] = codes >> 4
    return (vectors - 8) * scale


@cache
def table() -> Table:
    """Return the table of the game, loaded once. Raises CannotPlay."""
    return Table(DATA / "words.npz")
