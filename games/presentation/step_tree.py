"""The tree of the steps that can still be chosen: it comes with the board of the player to move.

A page that has it shows each step of a move, and the move itself, without asking the server. The
tree holds what `Position.stage` says after each choice, so every game has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import Position, SeatKey, Stage, Step, Text, split_move

Cells = Mapping[str, Mapping[str, Any]]
"""Values of cells, by name."""

LARGEST_TREE = 600
"""The most moves of a whole tree, which takes some 20 ms to grow. With more of them to come the
tree has the next steps alone, and the page asks the server after each."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A step with the cells that it changes, as they are once it is chosen. ``final`` if it makes a
    whole move; else ``then`` has the next steps, None where the tree is cut off."""

    step: Step
    cells: Cells
    final: bool
    then: Node | None


@dataclass(frozen=True, slots=True)
class Node:
    """A stage with its choices, and the reasons why other cells cannot be chosen, by name."""

    stage: Stage
    choices: Sequence[Choice]
    refusals: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class StepTree:
    """The tree below the steps ``chosen``. ``cells`` are all cells of the board as they are there,
    by name, in the order of the board."""

    root: Node
    chosen: Sequence[str]
    cells: Cells


def step_tree(
    position: Position, seat: SeatKey, stage: Stage, chosen: Sequence[str], cells: Cells
) -> StepTree | None:
    """Return the tree of a seat that is to move, from its ``stage`` after the steps ``chosen``.

    None for a stage without steps, such as a move that is typed."""
    if not stage.steps:
        return None
    moves = [split_move(move) for move in position.legal_moves(seat)]
    begun = [move for move in moves if move[: len(chosen)] == tuple(chosen)]
    grower = _Grower(position, seat, cells, frozenset(moves), deep=len(begun) <= LARGEST_TREE)
    return StepTree(grower.node(stage, tuple(chosen), {}), chosen, cells)


@dataclass(frozen=True, slots=True)
class _Grower:
    position: Position
    seat: SeatKey
    cells: Cells
    moves: frozenset[tuple[str, ...]]
    deep: bool

    def node(self, stage: Stage, chosen: tuple[str, ...], changed: Cells) -> Node:
        choices = [self._choice(step, chosen, changed) for step in stage.steps]
        taken = {step.cell for step in stage.steps}
        others = [name for name in self.cells if name not in taken]
        refusals = self.position.refusals(self.seat, chosen, others)
        return Node(stage, choices, refusals)

    def _choice(self, step: Step, chosen: tuple[str, ...], changed: Cells) -> Choice:
        steps = (*chosen, step.text)
        new = {
            name: {**(changed.get(name) or self.cells[name]), **values}
            for name, values in step.cells.items()
        }
        if steps in self.moves:
            return Choice(step, new, final=True, then=None)
        then = None
        if self.deep:
            stage = self.position.stage(self.seat, steps)
            # The page leaves steps that are marked first to the server.
            if not any(each.confirm for each in stage.steps):
                then = self.node(stage, steps, {**changed, **new})
        return Choice(step, new, final=False, then=then)
