"""How often tests repeat themselves: more with SOAK=1 (`make soak`)."""

from __future__ import annotations

import os

SOAK = os.environ.get("SOAK") == "1"
SEEDS = range(100 if SOAK else 10)
"""The seeds of random positions."""
EXAMPLES = 100 if SOAK else 15
"""The examples of a property that names no number of its own."""
LANGUAGES = ["nl", "en"] if SOAK else ["nl"]
"""The languages of layouts: Dutch words are longer."""
PAIRS = range(300 if SOAK else 20)
"""The seeds of pairs of games that differ only in hidden parts."""


def examples(most: int) -> int:
    """Return the examples of a property of texts, which finds little with few of them."""
    return most if SOAK else most // 5
