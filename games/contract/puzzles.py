"""Puzzles: positions with one right move, and everything that is needed to serve them.

A game with puzzles sets `Rules.puzzles`, and its folder has a module ``puzzle_search.py`` with the
functions of `PuzzleSearch`, which only the command ``make_puzzles`` imports. The puzzles themselves
are lines of a text file; all replies and refutations are stored in it, so that serving a puzzle
needs no search.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from games.contract.position import Position
from games.contract.texts import Text

_logger = logging.getLogger(__name__)

ANY_MOVE = "*"
"""In `Turn.refutations`, the key of the refutation of all moves without one of their own."""


@dataclass(frozen=True)
class Refutation:
    """The ``reply`` that punishes a wrong move, '' if none is needed, and the ``verdict``: the
    game's own word for the consequence, from which `PuzzleBook.reason` makes a sentence."""

    reply: str = ""
    verdict: str = ""


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
    that finds the first move, one above the highest if none does. With ``any_order`` the first
    moves of all turns may be played in any order. ``language`` is that of its words, '' without
    words."""

    key: str
    task: str
    setup: Mapping[str, Any]
    moves: tuple[str, ...]
    turns: tuple[Turn, ...]
    level: int = 0
    themes: tuple[str, ...] = ()
    language: str = ""
    any_order: bool = False

    @property
    def solution(self) -> tuple[str, ...]:
        """The moves of the solver and the replies, one after the other."""
        return tuple(move for turn in self.turns for move in (turn.right[0], *turn.replies))

    def position(self, start: Callable[[Mapping[str, Any]], Position]) -> Position:
        """Return the position of the puzzle; ``start`` is that of the rules."""
        position = start(self.setup)
        for move in self.moves:
            position.replay(min(position.to_move()), move)
        return position


@dataclass(frozen=True, kw_only=True)
class PuzzleBook:
    """The puzzles of a kind of game: the file with them, and their words.

    ``task`` returns the sentence above a puzzle. ``reason`` returns why a wrong move fails, from
    the position before it, the move and its refutation; ``praise`` returns the sentence at the end
    of a solved puzzle. ``themes`` names the themes. ``shorten`` makes setups shorter in the file,
    and ``expand`` restores them."""

    path: Path
    task: Callable[[Puzzle], Text]
    reason: Callable[[Puzzle, Position, str, Refutation], Text]
    praise: Callable[[Puzzle], Text]
    themes: Mapping[str, Text] = field(default_factory=lambda: MappingProxyType({}))
    shorten: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    expand: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict

    def puzzles(self) -> Mapping[str, Puzzle]:
        """Return all puzzles by key, in the order of the file."""
        return _read(self)

    def write_line(self, puzzle: Puzzle) -> str:
        """Return a puzzle as a line of the file."""
        return _write_line(replace(puzzle, setup=self.shorten(puzzle.setup)))

    def read_line(self, line: str) -> Puzzle:
        """Return the puzzle of a line that `write_line` wrote."""
        puzzle = _read_line(line)
        return replace(puzzle, setup=self.expand(puzzle.setup))


class PuzzleSearch(Protocol):
    """The functions of a game's module ``puzzle_search.py``, which may import numba."""

    LANGUAGES: Sequence[str]
    """The languages for which separate puzzles are made; [''] for a game without words."""

    def find(self, rng: Random, language: str) -> Iterable[Puzzle]:
        """Yield the puzzles of one game of computer players, which ``rng`` determines. Their keys
        are `shape`; the command replaces them."""

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
        except (KeyError, TypeError, ValueError):
            _logger.exception("Line %s of %s is no puzzle", number, book.path)


# --- a puzzle as a line of text ---------------------------------------------------------------

_BETWEEN = "\t"


def _write_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line: columns between tabs.

    They are the key, the level, the task, the themes, the language (with ``+`` for any order), the
    setup as JSON, the moves, and two columns for each turn: its right moves with the replies after
    ``/``, and its refutations, where ``reply=verdict<wrong,wrong`` stand between semicolons."""
    columns = [
        puzzle.key,
        str(puzzle.level),
        puzzle.task,
        ",".join(puzzle.themes),
        puzzle.language + ("+" if puzzle.any_order else ""),
        json.dumps(puzzle.setup, separators=(",", ":"), ensure_ascii=False),
        ",".join(puzzle.moves),
    ]
    for turn in puzzle.turns:
        columns.append("/".join(filter(None, [",".join(turn.right), ",".join(turn.replies)])))
        columns.append(_write_refutations(turn.refutations))
    return _BETWEEN.join(columns)


def _read_line(line: str) -> Puzzle:
    """Return the puzzle of a line that `_write_line` wrote."""
    key, level, task, themes, language, setup, moves, *rest = line.split(_BETWEEN)
    turns = zip(rest[::2], rest[1::2], strict=True)
    return Puzzle(
        key=key,
        level=int(level),
        task=task,
        themes=_split(themes),
        language=language.rstrip("+"),
        any_order=language.endswith("+"),
        setup=json.loads(setup),
        moves=_split(moves),
        turns=tuple(_read_turn(*columns) for columns in turns),
    )


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


def _write_refutations(refutations: Mapping[str, Refutation]) -> str:
    groups: dict[Refutation, list[str]] = {}
    for move, refutation in refutations.items():
        groups.setdefault(refutation, []).append(move)
    return ";".join(
        f"{refutation.reply}={refutation.verdict}<{','.join(moves)}"
        for refutation, moves in groups.items()
    )


def _read_turn(moves: str, refutations: str) -> Turn:
    right, _, replies = moves.partition("/")
    known = {}
    for group in filter(None, refutations.split(";")):
        answer, _, wrong = group.partition("<")
        reply, _, verdict = answer.partition("=")
        known.update(dict.fromkeys(wrong.split(","), Refutation(reply, verdict)))
    return Turn(right=_split(right), replies=_split(replies), refutations=known)


def _split(joined: str) -> tuple[str, ...]:
    return tuple(joined.split(",")) if joined else ()
