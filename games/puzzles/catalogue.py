"""The catalogue: all puzzles of all games by id."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256

from django.urls import reverse

from games.contract import Lesson, Position, Puzzle, PuzzleBook, Rules, Text
from games.core.registry import all_rules

ID = "[a-z0-9-]+-[0-9a-f]{8}"
"""The regular expression of ids: the kind of game and the key of the puzzle."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Entry:
    """A puzzle of the catalogue with its kind of game; in a course with its lesson."""

    rules: Rules
    book: PuzzleBook
    puzzle: Puzzle
    lesson: Lesson | None = None

    @property
    def id(self) -> str:
        return f"{self.rules.slug}-{self.puzzle.key}"

    @property
    def task(self) -> Text:
        return self.book.task(self.puzzle)

    @property
    def themes(self) -> list[Text]:
        return [self.book.themes[theme].name for theme in self.puzzle.themes]

    @cached_property
    def start(self) -> Position:
        """The position of the puzzle, which must not be changed."""
        return self.puzzle.position(self.rules.start)

    @cached_property
    def is_readable(self) -> bool:
        """Whether the puzzle and its solution can be played and told. One that cannot, after a
        change of the rules or of the file, is logged."""
        try:
            _told = [self.task, self.book.praise(self.puzzle, self.start), *self.themes]
            position = self.start.copy()
            for move in self.puzzle.solution:
                position.play(min(position.to_move()), move)
        except Exception:
            # Rules expect setups and moves of their own, so damaged ones may raise anything.
            _logger.exception("The puzzle %s is left out, since it cannot be read", self.id)
            return False
        return True

    def get_absolute_url(self) -> str:
        return reverse("puzzle", args=[self.id])


def readable(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the readable puzzles, as far as they are asked for: all are thousands of moves."""
    return (entry for entry in entries if entry.is_readable)


def kinds_with_puzzles() -> list[Rules]:
    kinds = [rules for rules in all_rules().values() if rules.puzzles and rules.puzzles.puzzles()]
    return sorted(kinds, key=lambda rules: rules.place)


def entries(rules: Rules, *languages: str) -> list[Entry]:
    """Return the puzzles of a kind: those without words, and those in some languages."""
    return [entry for entry in _all(rules.slug) if entry.puzzle.language in {"", *languages}]


@cache
def ranked(slug: str, language: str) -> Sequence[Entry]:
    """Return the puzzles of a kind with words in a language, '' for those without, by difficulty;
    equal ones in an order that depends on their ids alone."""
    found = [entry for entry in _all(slug) if entry.puzzle.language == language]
    rank = all_rules()[slug].ladder.rank
    return sorted(found, key=lambda entry: _difficulty(entry, rank(entry.puzzle.level)))


def _difficulty(entry: Entry, rank: int) -> tuple[int, tuple[int, ...], bytes]:
    return rank, entry.puzzle.figures, sha256(entry.id.encode()).digest()


def entry_of(puzzle_id: str) -> Entry | None:
    slug, _, key = puzzle_id.rpartition("-")
    found = _by_key(slug).get(key) if slug in all_rules() else None
    return found if found and found.is_readable else None


@cache
def _by_key(slug: str) -> Mapping[str, Entry]:
    return {entry.puzzle.key: entry for entry in [*_all(slug), *course(slug)]}


@cache
def course(slug: str) -> Sequence[Entry]:
    """Return the steps of the course of a kind, none without one."""
    rules = all_rules()[slug]
    book = rules.puzzles
    return [Entry(rules, book, lesson.puzzle, lesson) for lesson in book.course] if book else []


@cache
def _all(slug: str) -> Sequence[Entry]:
    rules = all_rules()[slug]
    return list(_entries(rules, rules.puzzles)) if rules.puzzles else []


def _entries(rules: Rules, book: PuzzleBook) -> Iterator[Entry]:
    return (Entry(rules, book, puzzle) for puzzle in book.puzzles().values())
