"""Moves of several steps: the choices for the next step, and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from games.contract.errors import IllegalMove
from games.contract.texts import EMPTY, Text, text
from games.contract.unicode_text import display_excerpt

OTHER_CELLS: Final = ""
"""In refusals, the key of the reason for all cells without a reason of their own."""
CLICKED: Final = "\t0\t"
"""In the text of a refusal, a placeholder for the name of the clicked cell."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A choice for the next part of a move, on the board (``cell``) or beside it (None).

    ``text`` is the step's token, and ``label`` describes its consequence; ``short`` is a label to
    follow the name of a cell, which it need not repeat. ``effects`` maps names of cells to the
    effect of the step on them, shown before it is chosen: ``place``, ``flip``, ``halo``, ``reach``
    or ``build``. ``cells`` maps names of cells to values that replace those of the view (their
    ``label`` too) once the step is chosen, and while the move is being sent; only the seat that
    chooses gets them, and they contain only information that it sees. ``sign`` names the classes of
    a ``<u class="can">`` that is drawn on the cell while the step can be chosen. ``confirm`` is for
    the last step of a move that cannot be taken back, such as one that reveals secret information:
    it is first marked for the other players to see, and then played by a second click."""

    text: str
    label: Text
    cell: str | None = None
    effects: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    cells: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    sign: str = ""
    short: Text | None = None
    confirm: bool = False

    @property
    def on_cell(self) -> Text:
        """The label to follow the name of the cell."""
        return self.short or self.label

    @property
    def question(self) -> Text:
        """The label of the button that confirms a move; whole, if it was marked first."""
        return self.label if self.confirm else self.on_cell


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The choice of a seat after some steps of a move, perhaps none.

    ``prompt`` asks for the next step. ``marks`` maps names of cells to a mark: ``chosen`` for the
    cells of earlier steps, or one of the effects listed at `Step`."""

    prompt: Text
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, str] = field(default_factory=lambda: EMPTY)


# The stages of a move are requested one after the other, and each splits all legal moves.
@lru_cache(10_000)
def split_move(move: str) -> tuple[str, ...]:
    """Return the steps of a move.

    >>> split_move('B E W')
    ('B', 'E', 'W')
    """
    return tuple(move.split())


def display_steps(*steps: Text | str) -> Text:
    """Return a move as players read it, from its steps, of which some are translated.

    >>> print(display_steps("B", text("E"), text("W")))
    B E W
    """
    params = {f"step{number}": step for number, step in enumerate(steps)}
    return Text(" ".join(f"%({name})s" for name in params), params)


def next_steps(legal_moves: Iterable[str], chosen: Sequence[str]) -> list[str]:
    """Return the tokens that follow ``chosen`` in legal moves, each once, in order of appearance.

    Raises IllegalMove if no legal move begins with ``chosen``, or if it is a whole move.

    >>> next_steps(['B E W', 'B E N', 'C S S'], ('B', 'E'))
    ['W', 'N']
    """
    head = tuple(chosen)
    moves = [split_move(move) for move in legal_moves]
    longer = [steps for steps in moves if steps[: len(head)] == head and steps != head]
    if not longer:
        raise no_such_move(head)
    return list(dict.fromkeys(steps[len(head)] for steps in longer))


def no_such_move(chosen: Sequence[str]) -> IllegalMove:
    """Return the refusal of steps that begin no legal move."""
    steps = display_excerpt(" ".join(chosen), 40)
    return IllegalMove(text("No legal move starts with “%(steps)s”.", steps=steps))
