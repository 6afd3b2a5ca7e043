"""The puzzles of Othello in words; their search is `puzzle_search`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.contract import Position, Puzzle, PuzzleBook, Refutation, Text, text
from games.othello.messages import PLAYERS

_TASKS: Final = {
    "win": text("Only one move keeps the win. Find it."),
    "tie": text("Only one move saves the draw. Find it."),
}


def _reason(puzzle: Puzzle, before: Position, move: str, refutation: Refutation) -> Text:
    """Return the cost of a wrong move with best play; the verdict is the final score after it."""
    (seat,) = before.to_move()
    discs = abs(int(refutation.verdict or 0))
    words = {
        "move": move,
        "discs": discs,
        "reply": refutation.reply,
        "opponent": PLAYERS["white" if seat == "black" else "black"],
    }
    if not discs:
        return text("After %(move)s %(opponent)s reaches a draw.", **words)
    if not refutation.reply:
        return text(
            "After %(move)s %(opponent)s has to pass, and still wins by %(discs)s discs.", **words
        )
    return text("After %(move)s %(opponent)s plays %(reply)s and wins by %(discs)s discs.", **words)


def _praise(puzzle: Puzzle) -> Text:
    """Return the gain of the first right move, and the cost of the next best one."""
    turn = puzzle.turns[0]
    discs = {move: int(wrong.verdict or 0) for move, wrong in turn.refutations.items()}
    other = max(discs, key=lambda move: (discs[move], move))
    words = {"move": turn.right[0], "other": other, "discs": -discs[other]}
    if puzzle.task == "tie":
        return text(
            "%(move)s saves the draw. The next best, %(other)s, loses by %(discs)s discs.", **words
        )
    if not discs[other]:
        return text("%(move)s wins. The next best, %(other)s, only draws.", **words)
    return text("%(move)s wins. The next best, %(other)s, loses by %(discs)s discs.", **words)


PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda puzzle: _TASKS[puzzle.task],
    reason=_reason,
    praise=_praise,
    themes={
        "corner": text("Corner"),
        "sacrifice": text("Giving a corner"),
        "defence": text("Keeping a corner"),
        "parity": text("Parity"),
        "pass": text("Passing the opponent"),
        "wipe-out": text("Wipe-out"),
    },
)
