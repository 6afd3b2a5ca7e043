"""The step tree: all steps that can still be chosen, sent with the board to the player to move.

With it a page shows each step of a move, and the move itself, without asking the server. The tree
is built from `Position.stage` after each choice, so every game has one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from games.contract import Position, SeatKey, Stage, Step, Text

Cells = Mapping[str, Mapping[str, Any]]
"""Values of cells, by name."""

_is_marked_first = attrgetter("confirm")

LARGEST_TREE = 600
"""The largest number of moves in a whole tree, which takes some 20 ms to build. With more moves the
tree has the next steps only, and the page asks the server after each."""


class Choice(NamedTuple):
    """A step with the new values of the cells that it changes. ``final`` says that it completes a
    move; otherwise ``then`` has the next steps, None where the tree is cut off."""

    step: Step
    cells: Cells
    final: bool
    then: Node | None


class Node(NamedTuple):
    """A stage with its choices, the values of all cells, and the refusals of the other cells; see
    `Position.refusals`."""

    stage: Stage
    choices: Sequence[Choice]
    cells: Cells
    refusals: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class StepTree:
    """The tree below the steps ``chosen``. The cells of its root are in the order of the board."""

    root: Node
    chosen: Sequence[str]


def step_tree(
    position: Position,
    seat: SeatKey,
    stage: Stage,
    chosen: Sequence[str],
    cells: Cells,
    legal: Collection[str],
) -> StepTree | None:
    """Return the tree of a seat that is to move, beginning with its ``stage`` after the steps
    ``chosen``. ``legal`` are its moves.

    None for a stage without steps, such as a move that is typed."""
    if not stage.steps:
        return None
    head = "".join(f"{step} " for step in chosen)
    begun = [move for move in legal if move.startswith(head)] if chosen else legal
    grower = _Grower(position, seat, legal, deep=len(begun) <= LARGEST_TREE)
    return StepTree(grower.node(stage, tuple(chosen), cells), chosen)


@dataclass(frozen=True, slots=True)
class _Grower:
    position: Position
    seat: SeatKey
    legal: Collection[str]
    deep: bool

    def node(self, stage: Stage, chosen: tuple[str, ...], cells: Cells) -> Node:
        choices = [self._choice(step, chosen, cells) for step in stage.steps]
        taken = {step.cell for step in stage.steps}
        others = [name for name in cells if name not in taken]
        refusals = self.position.refusals(self.seat, chosen, others)
        return Node(stage, choices, cells, refusals)

    def _choice(self, step: Step, chosen: tuple[str, ...], cells: Cells) -> Choice:
        changes = step.cells.items() if step.cells else ()
        new = {name: {**cells[name], **values} for name, values in changes}
        steps = (*chosen, step.text)
        if " ".join(steps) in self.legal:
            return Choice(step, new, final=True, then=None)
        then = None
        if self.deep:
            stage = self.position.stage(self.seat, steps)
            # The page leaves steps that have to be marked first to the server.
            if not any(map(_is_marked_first, stage.steps)):
                then = self.node(stage, steps, {**cells, **new})
        return Choice(step, new, final=False, then=then)
