"""Exercises: classes and programs that courses ask pupils to write, after the document of a game.

The site records how the game's own class answers in random runs, and pupils' classes are compared
with those records. A record holds calls and answers, never source text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any

from games.contract.texts import Text


@dataclass(frozen=True, kw_only=True)
class Run:
    """Lines of Python, or of a program's input, in the order in which they are tried.

    The first line makes the board, the others call it. ``moves`` are the moves of the same game on
    the site, with its ``options``: each with the number of lines after which it has been played. A
    game that the site cannot import has a ``setup`` in place of options, for drawings of cells."""

    lines: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    setup: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    moves: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Play:
    """The way in which a class or a program plays a game of the site.

    ``deal(size, rng)`` returns the setup of a game, whose size is one of ``sizes``, by default the
    first one. ``lines(setup, moves)`` are the lines that play the moves, none before the board can
    be made.

    A pupil's function ``choose`` is asked for the next move by the line ``asks(setup, moves)``, ''
    before there is a board, and names a move by the value ``arguments(move)``. ``about`` tells
    pupils of that value, and ``example`` is such a function; '' for a program."""

    deal: Callable[[int, Random], Mapping[str, Any]]
    lines: Callable[[Mapping[str, Any], Sequence[str]], Sequence[str]]
    sizes: tuple[int, ...] = (0,)
    asks: Callable[[Mapping[str, Any], Sequence[str]], str] = lambda _setup, _moves: ""
    arguments: Callable[[str], object] = str
    about: Text | None = None
    example: str = ""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A class ``name`` that pupils write, or a program if ``answer`` is given.

    ``slug`` is part of the page's address, and ``language`` that of the document. ``example`` is
    the document's own: lines of an interpreter, or the input of the program. ``runs(rng)`` yields
    random runs without end, and those of ``seeds`` are recorded first. A class is recorded from
    ``reference``; ``answer(input)`` is the output that the program must write. With ``play`` it
    plays on the site's board."""

    slug: str
    name: str
    language: str
    example: str
    runs: Callable[[Random], Iterator[Run]]
    seeds: tuple[int, ...] = ()
    reference: type | None = None
    answer: Callable[[str], str] | None = None
    play: Play | None = None


def session_lines(example: str) -> list[str]:
    """Return the lines that are typed in a session of the interpreter.

    >>> session_lines(">>> board = Board(1)\\n>>> print(board)\\n.")
    ['board = Board(1)', 'print(board)']
    """
    return [line[4:] for line in example.splitlines() if line.startswith(">>> ")]
