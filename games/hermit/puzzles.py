"""The puzzles of Hermit in words; their search is `puzzle_search`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.contract import Position, Puzzle, PuzzleBook, Refutation, Text, text
from games.hermit.messages import display_move


def _reason(puzzle: Puzzle, before: Position, move: str, refutation: Refutation) -> Text:
    """Return why a wrong move loses: the opponent's reply leaves a lost position."""
    return text(
        "After %(move)s your opponent answers %(reply)s, and always has a place left.",
        move=display_move(move),
        reply=display_move(refutation.reply),
    )


PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda _puzzle: text("Only one move wins. Find it."),
    reason=_reason,
    praise=lambda puzzle: text(
        "After %(move)s you can place the last block, whatever your opponent does.",
        move=display_move(puzzle.turns[0].right[0]),
    ),
    themes={
        "mirror": text("Mirror"),
        "cut": text("Cutting a region"),
        "region": text("Several regions"),
        "parity": text("Counting squares"),
        "upright": text("Upright"),
    },
)
