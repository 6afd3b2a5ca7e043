"""Moves of several steps: what can be chosen next, and what choosing it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from games.contract.errors import IllegalMove
from games.contract.texts import Text, text
from games.contract.unicode_text import display_excerpt


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing that can be chosen next, on the board (``cell``) or beside it (None).

    ``text`` is the step's token. ``label`` says what choosing it does. ``effects`` maps names of
    cells to what would happen to them, shown before it is done: ``place``, ``flip``, ``halo``,
    ``reach``, ``build``. ``cells`` maps names of cells to what a view says differently of them
    (their ``label`` too) once the step is chosen and the move not yet made: it is only for whoever
    chooses, and tells nothing that the seat does not see.
    """

    text: str
    label: Text
    cell: str | None = None
    effects: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    cells: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What a seat can do now, some steps of a move being chosen already.

    ``prompt`` says what to do. ``marks`` maps names of cells to a mark: ``chosen`` for what is
    chosen already, or one of the effects of `Step`.
    """

    prompt: Text
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def split_move(move: str) -> tuple[str, ...]:
    """The steps of a move."""
    return tuple(move.split())


def next_steps(legal_moves: Iterable[str], chosen: Sequence[str]) -> list[str]:
    """The tokens that can follow ``chosen`` in a legal move, each once, in order of appearance.

    Raises IllegalMove when none can: no legal move begins with ``chosen``, or it is a whole one.
    """
    head = tuple(chosen)
    moves = [split_move(move) for move in legal_moves]
    longer = [steps for steps in moves if steps[: len(head)] == head and steps != head]
    if not longer:
        steps = display_excerpt(" ".join(head), 40)
        raise IllegalMove(text("No legal move starts with “%(steps)s”.", steps=steps))
    return list(dict.fromkeys(steps[len(head)] for steps in longer))
