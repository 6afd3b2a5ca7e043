"""How often tests repeat themselves: SOAK=1 (`make soak`) tries ten times as much."""

from __future__ import annotations

import os

SOAK = os.environ.get("SOAK") == "1"
SEEDS = range(100 if SOAK else 10)
"""The seeds of random positions."""
