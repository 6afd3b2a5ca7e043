"""The step tree: all steps that can still be chosen, sent as JSON with every board to the player to
move. With it a page shows each step of a move, and the move itself, without asking the server. The
tree is built from `Position.stage` after each choice, so every game has one.

Equal parts are written once, and cells are written as offsets from the cell of the step before, so
that the same choice in another place on the board is an equal part too. Arrays, without the zeros
at their ends::

    tree    {"at": steps before the root, "ask": whether moves are confirmed, "s": strings,
             "t": steps, "n": nodes, "root": node, "faces": [cell, html, …],
             "from": the cell that the root's offsets count from}
    node    [prompt, marks, [offset or null, step, …], refusals]
    step    [token, label, sign, face, effects, changes, next]
    changes [offset, html, label, …]
    marks, effects, refusals    [string, [offset, …], …]

Prompts, marks, tokens, labels, signs, HTML and effects are indices of strings; string 0 is empty.
An empty token stands for the name of the cell. ``next`` is -1 for a whole move, -2 where the tree
is cut off, else a node. A face is the picture of a cell with a button, where it differs from the
picture without. The offset of a refusal is the cell's own, and the first refusal, without offsets,
is that of all other cells. In labels and refusals ``\\t2\\t`` stands for the name of the cell at
offset 2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.contract import OTHER_CELLS, Position, SeatKey, Stage, Step, Text
from games.core.translation import active_translator, translate

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
    """A stage with its choices, all cells, and `Position.refusals` of the others."""

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
    """Return the tree of a seat that is to move, from its ``stage`` after the steps ``chosen`` on,
    with its ``legal`` moves; None for a stage without steps, such as a typed move."""
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


CellPicture = Callable[[Mapping[str, Any], bool], str]
"""The HTML in a cell, by its values and whether it has a button."""

WHOLE_MOVE, CUT_OFF = -1, -2


LONGEST_TREE = 15_000
"""Characters of the longest whole tree, about 2.5 KB compressed. A longer tree, as some boards of 6
x 6 cells have, is cut off after the next steps, and the page asks the server after each."""


def encode_tree(tree: StepTree, picture: CellPicture, *, ask: bool) -> SafeString:
    """Return the JSON of a tree, safe in a ``<script>``. ``ask`` says that moves are confirmed."""
    text = _encode(tree, picture, ask=ask)
    if len(text) > LONGEST_TREE:
        text = _encode(replace(tree, root=_without_branches(tree.root)), picture, ask=ask)
    return SafeString(text.replace("<", "\\u003c"))


def _encode(tree: StepTree, picture: CellPicture, *, ask: bool) -> str:
    return json.dumps(_Encoder(tree, picture).tree(ask), ensure_ascii=False, separators=(",", ":"))


def _without_branches(node: Node) -> Node:
    return node._replace(choices=[choice._replace(then=None) for choice in node.choices])


Row = tuple[Any, ...]


class _Table(dict[Any, int]):
    """The index of each value, in the order in which they were first looked up."""

    def __missing__(self, value: Any) -> int:
        index = self[value] = len(self)
        return index


class _Encoder:
    def __init__(self, tree: StepTree, picture: CellPicture) -> None:
        self._tree, self._picture, self._translator = tree, picture, active_translator()
        self._places = {name: number for number, name in enumerate(tree.root.cells)}
        self._strings, self._steps, self._nodes = _Table({"": 0}), _Table(), _Table()
        self._said: dict[Any, int] = {}

    def tree(self, ask: bool) -> dict[str, Any]:
        chosen = self._tree.chosen
        at = self._origin(chosen)
        root = self._node(self._tree.root, at, is_root=True)
        parts = {
            "at": " ".join(chosen),
            "from": at,
            "ask": int(ask),
            "root": root,
            "s": [*self._strings],
            "t": [*self._steps],
            "n": [*self._nodes],
            "faces": [*chain.from_iterable(self._faces())],
        }
        return {name: value for name, value in parts.items() if value}

    def _origin(self, chosen: Sequence[str]) -> int:
        """Return the place from which the root's offsets count: a chosen cell, if there is one."""
        return next((self._places[step] for step in reversed(chosen) if step in self._places), 0)

    def _faces(self) -> Iterator[tuple[int, int]]:
        """Yield the cells that look different without their buttons."""
        root = self._tree.root
        for choice in root.choices:
            if choice.step.cell:
                cell = root.cells[choice.step.cell]
                if (html := self._picture(cell, False)) != self._picture(cell, True):
                    yield self._places[choice.step.cell], self._strings[html]

    def _node(self, node: Node, at: int, *, is_root: bool = False) -> int:
        choices: list[int | None] = []
        for choice in node.choices:
            cell = choice.step.cell
            place = at if cell is None else self._places[cell]
            step = self._step(choice, place, None if is_root else node.cells)
            choices += [None if cell is None else place - at, step]
        # The page already shows the root's prompt, its marks, and the labels of its steps.
        prompt = 0 if is_root else self._text(node.stage.prompt, at)
        marks = () if is_root else self._by_string(node.stage.marks, at)
        refusals = self._refusals(node.refusals, at)
        return self._nodes[_row(prompt, marks, tuple(choices), refusals)]

    def _step(self, choice: Choice, at: int, cells: Cells | None) -> int:
        """Return the index of a step on ``cells``; None for the root."""
        step, then = choice.step, WHOLE_MOVE if choice.final else CUT_OFF
        shown = (0, 0, 0, ()) if cells is None else self._shown(step, at, cells)
        token = "" if step.text == step.cell else step.text
        changes = self._changes(choice.cells, at)
        if choice.then:
            then = self._node(choice.then, at)
        return self._steps[self._strings[token], *shown, changes, then]

    def _shown(self, step: Step, at: int, cells: Cells) -> Row:
        face = ""
        if step.cell:
            cell = cells[step.cell]
            if (html := self._picture(cell, True)) != self._picture(cell, False):
                face = html
        label, effects = self._text(step.on_cell, at), self._by_string(step.effects, at)
        return label, self._strings[step.sign], self._strings[face], effects

    def _changes(self, cells: Cells, at: int) -> Row:
        changes: list[int] = []
        for name, cell in cells.items():
            html, label = self._picture(cell, False), self._text(cell["label"], at)
            changes += [self._places[name] - at, self._strings[html], label]
        return tuple(changes)

    def _refusals(self, refusals: Mapping[str, Text], at: int) -> Row:
        """Return the refusals by reason, beginning with the one for all other cells."""
        if not refusals:
            return ()
        others = self._text(refusals[OTHER_CELLS], at) if OTHER_CELLS in refusals else 0
        cells: dict[int, list[int]] = {others: []}
        for name, reason in refusals.items():
            if name != OTHER_CELLS:
                place = self._places[name]
                if (string := self._text(reason, place)) != others:
                    cells.setdefault(string, []).append(place - at)
        return tuple([part for said, places in cells.items() for part in (said, tuple(places))])

    def _by_string(self, values: Mapping[str, str], at: int) -> Row:
        """Return cells with their marks or effects as ``(string, (offset, …), …)``."""
        row: list[Any] = []
        for value in dict.fromkeys(values.values()):
            cells = [self._places[name] - at for name, other in values.items() if other == value]
            row += [self._strings[value], tuple(cells)]
        return tuple(row)

    def _text(self, text: Text, at: int) -> int:
        """Return the index of a sentence in the reader's language, with offsets from ``at``."""
        key = self._key(text, at) if text.params else text.message
        if (found := self._said.get(key)) is None:
            sentence = translate(self._relative(text, at), self._translator)
            found = self._said[key] = self._strings[sentence]
        return found

    def _key(self, text: Text, at: int) -> Any:
        key: list[Any] = [text.message]
        for value in text.params.values():
            if isinstance(value, Text):
                key.append(self._key(value, at) if value.params else (value.message,))
            elif (place := self._places.get(value)) is None:
                key.append(value)
            else:
                key.append((place - at,))
        return tuple(key)

    def _relative(self, text: Text, at: int) -> Text:
        params = {
            name: self._relative(value, at) if isinstance(value, Text) else self._place(value, at)
            for name, value in text.params.items()
        }
        return Text(text.message, params, text.plural)

    def _place(self, value: Any, at: int) -> Any:
        place = self._places.get(value) if isinstance(value, str) else None
        return value if place is None else f"\t{place - at}\t"


def _row(*parts: Any) -> Row:
    end = len(parts)
    while end and not parts[end - 1]:
        end -= 1
    return parts[:end]
