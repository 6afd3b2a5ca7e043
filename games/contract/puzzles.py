"""Puzzles: positions with one right move, and everything that is needed to serve them.

A game with puzzles sets `Rules.puzzles`, and its folder has a module ``puzzle_search.py`` with the
functions of `PuzzleSearch`, which only the command ``make_puzzles`` imports. The puzzles themselves
are lines of JSON; all replies and refutations are stored in it, so that serving a puzzle needs no
search."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from games.contract.position import Position
from games.contract.texts import Text

if TYPE_CHECKING:
    from games.contract.game_rules import Theme

_logger = logging.getLogger(__name__)

ANY_MOVE = "*"
"""In `Turn.refutations`, the key of the refutation of all moves without one of their own."""


@dataclass(frozen=True)
class Refutation:
    """The ``reply`` that punishes a wrong move, '' if none is needed, the moves ``after`` it by
    both sides, and the ``verdict``: the game's own word for the consequence, for `PuzzleBook.line`.
    """

    reply: str = ""
    verdict: str = ""
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class LineMove:
    """A move of a line on the board, with a sentence on the position after it. It speaks of the
    ``cells``, and ``arrows`` lead from one cell to another."""

    move: str
    said: Text | None = None
    cells: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A choice of the solver. The puzzle goes on after the first of the moves ``right`` with the
    ``replies`` of the others; any other right move solves it, and so does the last turn."""

    right: tuple[str, ...]
    refutations: Mapping[str, Refutation] = field(default_factory=lambda: MappingProxyType({}))
    replies: tuple[str, ...] = ()

    def refutation(self, move: str) -> Refutation:
        """Return the refutation of a wrong move; an empty one if none is stored."""
        return self.refutations.get(move) or self.refutations.get(ANY_MOVE) or Refutation()


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position after ``moves``, a ``task``, and the turns of the solver.

    ``task`` and ``themes`` are keys of `PuzzleBook`; ``level`` is the lowest level of the computer
    that finds the first move, and 100 if none does, and ``effort`` the game's own figure of how
    hard it is among those of its level. With ``any_order`` the first
    moves of all turns may be played in any order. ``language`` is that of its words, '' without
    words."""

    key: str
    task: str
    setup: Mapping[str, Any]
    moves: tuple[str, ...]
    turns: tuple[Turn, ...]
    level: int = 0
    effort: int = 0
    themes: tuple[str, ...] = ()
    language: str = ""
    any_order: bool = False

    @property
    def solution(self) -> tuple[str, ...]:
        """The moves of the solver and the replies, one after the other."""
        return tuple(move for turn in self.turns for move in (turn.right[0], *turn.replies))

    @property
    def figures(self) -> tuple[int, int, int]:
        """How hard it is among those of its level, the most telling figure first."""
        return self.effort, len(self.turns), sum(len(turn.refutations) for turn in self.turns)

    def position(self, start: Callable[[Mapping[str, Any]], Position]) -> Position:
        """Return the position of the puzzle; ``start`` is that of the rules."""
        position = start(self.setup)
        for move in self.moves:
            position.replay(min(position.to_move()), move)
        return position


@dataclass(frozen=True)
class Lesson:
    """A step of a course: a puzzle that no list has, with a heading and the sentences above it."""

    number: int
    puzzle: Puzzle
    title: Text
    said: Text


@dataclass(frozen=True, kw_only=True)
class PuzzleBook:
    """The puzzles of a kind of game: the file with them, and their words.

    ``task`` returns the sentence above a puzzle. ``line`` returns why a wrong move fails, from the
    position before it, the move and the turns that are left: the move, its reply, and all that
    follows until the point is seen. The reply says something, or without one the move. ``praise``
    returns what the first right move does in the position of a puzzle. ``themes`` are the themes by
    key, and ``unoffered`` are legal moves that solve no puzzle of the kind. ``course`` has the
    steps of a course in their order. ``shorten`` makes setups shorter in the file, and ``expand``
    restores them."""

    path: Path
    task: Callable[[Puzzle], Text]
    line: Callable[[Puzzle, Position, str, Sequence[Turn]], Sequence[LineMove]]
    praise: Callable[[Puzzle, Position], Text]
    themes: Mapping[str, Theme] = field(default_factory=lambda: MappingProxyType({}))
    unoffered: frozenset[str] = frozenset()
    course: Sequence[Lesson] = ()
    shorten: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    expand: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return all puzzles by key, in the order of the file."""
        return _read(self)

    def write_line(self, puzzle: Puzzle) -> str:
        """Return a puzzle as a line of the file: its fields as JSON, those that are empty apart."""
        turns = [_write_turn(turn) for turn in puzzle.turns]
        fields = {**vars(puzzle), "setup": self.shorten(puzzle.setup), "turns": turns}
        return _json({name: value for name, value in fields.items() if value})

    def read_line(self, line: str) -> Puzzle:
        """Return the puzzle of a line that `write_line` wrote."""
        read: dict[str, Any] = json.loads(line)
        read |= {name: tuple(read.get(name, ())) for name in ("moves", "themes")}
        read["turns"] = tuple(map(_read_turn, read["turns"]))
        return Puzzle(**{**read, "setup": self.expand(read.get("setup", {}))})


class PuzzleSearch(Protocol):
    """The functions of a game's module ``puzzle_search.py``, which may import numba."""

    LANGUAGES: Sequence[str]
    """The languages for which separate puzzles are made; [''] for a game without words."""

    def find(self, rng: Random, language: str) -> Iterable[Puzzle]:
        """Yield the puzzles of one game of computers, which ``rng`` determines, with any keys."""

    def find_in(self, setup: Mapping[str, Any], moves: Sequence[str]) -> Iterable[Puzzle]:
        """Yield the puzzles of a finished game."""


_books: dict[Path, Mapping[str, Puzzle]] = {}


def _read(book: PuzzleBook) -> Mapping[str, Puzzle]:
    if book.path not in _books:
        written = book.path.read_text(encoding="utf-8") if book.path.exists() else ""
        _books[book.path] = {puzzle.key: puzzle for puzzle in _readable(book, written)}
    return _books[book.path]


def _readable(book: PuzzleBook, written: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a file. A line that is none is logged and left out."""
    for number, line in enumerate(written.splitlines(), start=1):
        try:
            yield book.read_line(line)
        except (AttributeError, KeyError, TypeError, ValueError):
            _logger.exception("Line %s of %s is no puzzle", number, book.path)


def with_common_refutation(turn: Turn) -> Turn:
    """Return the turn with its most frequent refutation under `ANY_MOVE`, which makes a shorter
    line. It must answer every wrong move that has one."""
    groups: dict[Refutation, list[str]] = {}
    for move, refutation in turn.refutations.items():
        groups.setdefault(refutation, []).append(move)
    if not groups:
        return turn
    common = max(groups, key=lambda refutation: len(groups[refutation]))
    rest = {
        move: refutation for move, refutation in turn.refutations.items() if refutation != common
    }
    return replace(turn, refutations={ANY_MOVE: common, **rest})


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _write_turn(turn: Turn) -> dict[str, Any]:
    """Return a turn as JSON; a refutation lists a reply with the moves after it, a verdict and
    wrong moves."""
    groups: dict[Refutation, list[str]] = {}
    for move, refutation in turn.refutations.items():
        groups.setdefault(refutation, []).append(move)
    wrong = [
        [",".join((found.reply, *found.after)), found.verdict, *moves]
        for found, moves in groups.items()
    ]
    written = {"right": turn.right, "replies": turn.replies, "refutations": wrong}
    return {name: value for name, value in written.items() if value}


def _read_turn(read: Mapping[str, Any]) -> Turn:
    refutations = {
        move: Refutation(reply, verdict, tuple(after))
        for line, verdict, *moves in read.get("refutations", ())
        for reply, *after in [line.split(",")]
        for move in moves
    }
    replies = tuple(read.get("replies", ()))
    return Turn(right=tuple(read["right"]), replies=replies, refutations=refutations)
