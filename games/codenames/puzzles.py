"""The puzzles of Codenames in words; their search is `puzzle_search`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.codenames.clues import read_clue
from games.codenames.stages import STOP, UNKNOWN
from games.contract import (
    ANY_MOVE,
    LineMove,
    Position,
    Puzzle,
    PuzzleBook,
    Text,
    Theme,
    Turn,
    ntext,
    text,
)

ROWS, COLUMNS = 4, 5
NEAR: Final = "near "
"""Begins the verdict on a card that is nearly meant; a topic of the cards meant may follow."""
PLAIN: Final = 800
"""The largest effort of a puzzle whose cards fit far better: a gap of two deviations."""


def _shorten(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a setup that differ between puzzles."""
    return {"cards": ",".join(setup["cards"]), "key": setup["key"], "language": setup["language"]}


def expand(short: Mapping[str, Any]) -> dict[str, Any]:
    """Return the setup of words on the board of all puzzles."""
    return {
        "rows": ROWS,
        "columns": COLUMNS,
        "pictures": False,
        **short,
        "cards": short["cards"].split(","),
        "clues_required": True,
    }


def _clue(puzzle: Puzzle) -> str:
    return read_clue(puzzle.moves[-1]).word


def _task(puzzle: Puzzle) -> Text:
    return ntext(
        "Which card does “%(clue)s %(n)s” mean?",
        "Which cards does “%(clue)s %(n)s” mean?",
        n=len(puzzle.turns),
        clue=_clue(puzzle),
    )


def _line(puzzle: Puzzle, before: Position, move: str, turns: Sequence[Turn]) -> list[LineMove]:
    """Return why a card is wrong, and the topic of the cards meant, not which they are."""
    card, verdict = before.label_move(move), turns[0].refutation(move).verdict
    values = {"card": card.text if card else move, "clue": _clue(puzzle)}
    if verdict.startswith(NEAR):
        told = text("“%(card)s” is close to “%(clue)s” too, but other cards are nearer.", **values)
    else:
        told = text("“%(card)s” isn’t meant: other cards are nearer to “%(clue)s”.", **values)
    if topic := verdict.removeprefix(NEAR):
        told = text("%(told)s Think of “%(topic)s”.", told=told, topic=topic)
    return [LineMove(move, told)]


def _praise(puzzle: Puzzle, start: Position) -> Text:
    """Return which card is near too, which topic the cards meant share, or how plain they are."""
    told, clue = puzzle.turns[0].refutations, _clue(puzzle)
    near = [move for move, found in told.items() if found.verdict.startswith(NEAR)]
    if near and (card := start.label_move(near[0])):
        named = {"card": card.text, "clue": clue}
        return text("Right. “%(card)s” is close to “%(clue)s” too, but less so.", **named)
    if ANY_MOVE in told:
        named = {"topic": told[ANY_MOVE].verdict, "clue": clue}
        return text("Right: “%(topic)s” is what they share with “%(clue)s”.", **named)
    if puzzle.effort <= PLAIN:
        return text("Right: these fit “%(clue)s” far better than the others.", clue=clue)
    return text("Right: these fit “%(clue)s” best, if not by far.", clue=clue)


def _theme(name: Text, caption: Text, clue: str, *cells: str) -> Theme:
    """Return a theme on a board of pictures, which has no language."""
    pictures = (
        *("anchor", "bicycle", "castle", "cactus", "guitar"),
        *("rocket", "crown", "sailboat", "lemon", "snail"),
        *("key", "umbrella", "musical-keyboard", "owl", "volcano"),
        *("bridge-at-night", "scissors", "alarm-clock", "bread", "candle"),
    )
    key = "RRBBBRBRRBB-XR-B-RR-"
    setup = {
        **expand({"cards": ",".join(pictures), "key": key, "language": "en"}),
        "pictures": True,
    }
    moves = (("red-spymaster", clue),)
    return Theme(name=name, caption=caption, setup=setup, moves=moves, cells=cells)


_THEMES: Final = {
    "pair": _theme(
        text("Two cards"),
        text(
            "“Water 2” means the anchor and the sailboat. The umbrella would do too, but is less "
            "near: of three cards that fit, take the two that fit best."
        ),
        "clue water 2",
        *("a1", "c2"),
    ),
    "triple": _theme(
        text("Three cards"),
        text(
            "“Transport 3” means the bicycle, the rocket and the sailboat. Look for all three "
            "before you take the first: the third tells you whether you have the meaning."
        ),
        "clue transport 3",
        *("b1", "a2", "c2"),
    ),
}

PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=_task,
    line=_line,
    praise=_praise,
    themes=_THEMES,
    unoffered=frozenset({STOP, UNKNOWN}),
    shorten=_shorten,
    expand=expand,
)
