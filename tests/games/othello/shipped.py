"""The solved openings as games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.othello.ai.openings import DATA


def shipped_games() -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each line with its best move."""
    for path in sorted(DATA.glob("openings-*.txt")):
        size = int(path.stem.rpartition("-")[2])
        for line in path.read_text("utf-8").splitlines():
            played, colon, best = line.partition(":")
            if colon and not line.startswith("#"):
                yield {"size": size}, [*played.split(), best.split()[0]]
