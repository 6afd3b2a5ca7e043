"""Computer players: the interface of a game's ``computer.py``."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from random import Random
from typing import Protocol

from games.contract.position import Position
from games.contract.seats import SeatKey
from games.contract.texts import Text

WALL_SECONDS = 110.0
"""The longest time of a search by the wall: less than its job's lease, enough for it at load 27."""


def search_clock() -> Callable[[], float]:
    """Return a clock for the limits of a search: the processor time of this thread, in seconds,
    and infinity once `WALL_SECONDS` have passed. Other threads may read it while this one lives.

    The wall goes on while other programs have the processor, so that its time would make moves
    depend on the load of the machine."""
    ends, used = time.monotonic() + WALL_SECONDS, time.monotonic
    if hasattr(time, "pthread_getcpuclockid"):
        # Not on macOS.
        thread = time.pthread_getcpuclockid(threading.get_ident())
        used = partial(time.clock_gettime, thread)
    return lambda: used() if time.monotonic() < ends else inf


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A move of a computer player. ``note`` is stored with the move and shown once the game is over
    (the cards that a clue meant). ``weighed`` are close alternatives, ``move`` among them, which
    people at the board are told before it is played; they follow from the knowledge of the seat."""

    move: str
    note: Text | None = None
    weighed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MoveValue:
    """The value of a move for the seat that plays it; higher is better.

    ``shown`` is the value in words ('+6 discs', 'wins'), ``detail`` its longer form in a list of
    all moves ('wins, Grundy value 0'), ``why`` the sentence of a hint. ``exact`` values are solved
    and not estimated. A move whose value is not ``known`` is never called a mistake, nor compared
    with other moves to find one."""

    value: float
    shown: Text
    why: Text | None = None
    detail: Text | None = None
    exact: bool = False
    known: bool = True


@dataclass(frozen=True, kw_only=True)
class WordTable:
    """A task of `WordTask` and its answers: the ``cards`` on the table, the indices of those that
    are ``meant``, and for each word the first cards that each listener takes, by index. ``common``
    are the words that other visitors may see."""

    cards: Sequence[str]
    meant: Sequence[int]
    orders: Mapping[str, Sequence[Sequence[int]]]
    common: Collection[str]


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of the board that is independent of the rest, and its value."""

    cells: tuple[str, ...]
    value: Text


@dataclass(frozen=True)
class Reason:
    """Why a move was worse than the best one, in a sentence, and in ``figures`` for those who ask.
    ``names_best`` says that they tell the best move, so that they must not be shown to a player who
    is looking for it."""

    sentence: Text
    names_best: bool
    figures: Text | None = None


class Reasons(Protocol):
    """The functions of a game's module ``reasons.py``, which may import numba: `explain` for a kind
    with analysis, `review` for one with `Rules.reviews`. A game need not have the module."""

    def explain(
        self, position: Position, best: str, played: str, values: Mapping[str, MoveValue]
    ) -> Reason | None:
        """Return why ``played`` cost so much, compared with ``best``; None where nothing is
        certain.

        A reason contains only what a search has shown. Of equal answers it may name any."""

    def review(
        self, position: Position, seat: SeatKey, move: str, note: Text | None
    ) -> Text | None:
        """Return the note on a move once the game is over: a note in place of ``note``, that of
        the computer which played it; None to leave it. ``position`` is that before the move."""


class Computer(Protocol):
    """The functions of a game's module ``computer.py``. Only the worker process imports it.

    With ``Rules.analysis`` the module also has ``MISTAKE``, the loss of value from which a move
    counts as a mistake. It may have ``INACCURACY`` and ``BLUNDER`` (by default half and twice
    ``MISTAKE``), ``NOISE``, the error of estimated values, below which a loss is no inaccuracy,
    ``regions(position, *, seconds) -> Sequence[Region]``, which is empty for a board in one piece,
    and ``look_again(position, played, found, *, seconds)``, which returns better values than
    ``found`` of `evaluate` if the move ``played`` was costly, and ``found`` itself otherwise; after
    it ``NOISE`` does not count.

    With `Rules.word_task` it has ``word_table(language, rng) -> WordTable``, a task of a day.

    The same position, level and seed of ``rng`` give the same move, because searches are limited by
    nodes; ``seconds`` by `search_clock` are a cap that no level is expected to reach."""

    def choose(
        self, position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
    ) -> Choice:
        """Return the move of ``seat``, from the information in its `Position.view` alone.

        Raises CannotPlay for a level or a position that it does not support."""

    def evaluate(self, position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
        """Return the value of each legal move of the seat to move. Raises CannotPlay.

        Only games of two sides without hidden information have this function."""
