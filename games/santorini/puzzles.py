"""The puzzles of Santorini in words; their search is `puzzle_search`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.contract import Position, Puzzle, PuzzleBook, Refutation, Text, text
from games.santorini.messages import display_move

_TASKS: Final = {
    "win2": text("Win in two turns."),
    "win3": text("Win in three turns."),
}


def _reason(puzzle: Puzzle, before: Position, move: str, refutation: Refutation) -> Text:
    """Return why a move does not win in time: the reply climbs itself, or stops the win."""
    words = {"move": display_move(move), "reply": display_move(refutation.reply)}
    if refutation.verdict == "climb":
        return text("After %(move)s your opponent climbs with %(reply)s and wins.", **words)
    if not refutation.reply:
        return text("%(move)s is too slow: you can win right now.", **words)
    return text(
        "After %(move)s your opponent answers %(reply)s, and you can’t win in time any more.",
        **words,
    )


PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda puzzle: _TASKS[puzzle.task],
    reason=_reason,
    praise=lambda puzzle: text(
        "%(move)s wins by force: no answer stops it.", move=display_move(puzzle.turns[0].right[0])
    ),
    themes={
        "climb": text("Climb"),
        "step-down": text("Stepping down"),
        "double-threat": text("Two threats at once"),
        "force": text("Forced reply"),
        "block": text("Block"),
        "trap": text("Shutting in"),
    },
)
