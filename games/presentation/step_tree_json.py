"""The tree of steps as JSON, small enough to come with every board of a player to move.

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
picture without. The offset of a refusal is the cell's own, and the refusal without offsets is that
of all other cells. In labels and refusals ``\\t2\\t`` stands for the name of the cell at offset 2.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.contract import Step, Text
from games.presentation.step_tree import Choice, Node, StepTree
from games.translation import say_now, translate

Draw = Callable[[Mapping[str, Any], bool], str]
"""The HTML in a cell, by its values and whether it has a button."""

WHOLE_MOVE, CUT_OFF = -1, -2


LONGEST_TREE = 15_000
"""Characters of the longest whole tree, about 2.5 KB compressed. A longer one, as some of
6 x 6 cells are, is cut off after the next steps, and the page asks the server after each."""


def encode_tree(tree: StepTree, draw: Draw, *, ask: bool) -> SafeString:
    """Return the JSON of a tree, safe in a ``<script>``; ``ask`` if a move is confirmed."""
    text = _encode(tree, draw, ask=ask)
    if len(text) > LONGEST_TREE:
        text = _encode(replace(tree, root=_without_branches(tree.root)), draw, ask=ask)
    return mark_safe(text.replace("<", "\\u003c"))  # noqa: S308


def _encode(tree: StepTree, draw: Draw, *, ask: bool) -> str:
    return json.dumps(_Encoder(tree, draw).tree(ask), ensure_ascii=False, separators=(",", ":"))


def _without_branches(node: Node) -> Node:
    return replace(node, choices=[replace(choice, then=None) for choice in node.choices])


class _Table:
    """A list of values, each at one index."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._indices: dict[Any, int] = {}

    def index(self, value: Any, key: Any = None) -> int:
        key = value if key is None else key
        if (index := self._indices.get(key)) is None:
            index = self._indices[key] = len(self.values)
            self.values.append(value)
        return index


class _Encoder:
    def __init__(self, tree: StepTree, draw: Draw) -> None:
        self._tree, self._draw, self._say = tree, draw, say_now()
        self._places = {name: number for number, name in enumerate(tree.cells)}
        self._strings, self._steps, self._nodes = _Table(), _Table(), _Table()
        self._string = self._strings.index
        self._string("")
        self._said: dict[Any, int] = {}

    def tree(self, ask: bool) -> dict[str, Any]:
        chosen = self._tree.chosen
        at = self._origin(chosen)
        root = self._node(self._tree.root, at, self._tree.cells, is_root=True)
        parts = {
            "at": " ".join(chosen),
            "from": at,
            "ask": int(ask),
            "root": root,
            "s": self._strings.values,
            "t": self._steps.values,
            "n": self._nodes.values,
            "faces": [*chain.from_iterable(self._faces())],
        }
        return {name: value for name, value in parts.items() if value}

    def _origin(self, chosen: Sequence[str]) -> int:
        """Return the place that the root's offsets count from: a chosen cell, if there is one."""
        return next((self._places[step] for step in reversed(chosen) if step in self._places), 0)

    def _faces(self) -> Iterator[tuple[int, int]]:
        """Yield the cells that look different once they have lost their buttons."""
        for choice in self._tree.root.choices:
            if choice.step.cell:
                cell = self._tree.cells[choice.step.cell]
                if (html := self._draw(cell, False)) != self._draw(cell, True):
                    yield self._places[choice.step.cell], self._string(html)

    def _node(self, node: Node, at: int, cells: Mapping[str, Any], *, is_root: bool = False) -> int:
        choices: list[int | None] = []
        for choice in node.choices:
            cell = choice.step.cell
            place = at if cell is None else self._places[cell]
            choices += [None if cell is None else place - at]
            choices += [self._step(choice, place, cells, is_root=is_root)]
        # The page shows the root already: its prompt, its marks, and the labels of its steps.
        prompt = 0 if is_root else self._text(node.stage.prompt, at)
        marks = [] if is_root else self._by_string(node.stage.marks.items(), at)
        refusals = self._refusals(node.refusals, at)
        return self._add(self._nodes, prompt, marks, choices, refusals)

    def _step(self, choice: Choice, at: int, cells: Mapping[str, Any], *, is_root: bool) -> int:
        step = choice.step
        shown = [0, 0, 0, []] if is_root else self._shown(step, at, cells)
        label, sign, face, effects = shown
        changes = [*chain.from_iterable(self._changes(choice.cells, at))]
        token = "" if step.text == step.cell else step.text
        then = WHOLE_MOVE if choice.final else CUT_OFF
        if choice.then:
            then = self._node(choice.then, at, {**cells, **choice.cells})
        return self._add(
            self._steps, self._string(token), label, sign, face, effects, changes, then
        )

    def _shown(self, step: Step, at: int, cells: Mapping[str, Any]) -> list[Any]:
        """Return label, sign, face and effects of a step."""
        face = ""
        if step.cell and (html := self._draw(cells[step.cell], True)) != self._draw(
            cells[step.cell], False
        ):
            face = html
        effects = self._by_string(step.effects.items(), at)
        return [self._text(step.label, at), self._string(step.sign), self._string(face), effects]

    def _changes(self, cells: Mapping[str, Any], at: int) -> Iterator[tuple[int, int, int]]:
        for name, cell in cells.items():
            html = self._string(self._draw(cell, False))
            yield self._places[name] - at, html, self._text(cell["label"], at)

    def _refusals(self, refusals: Mapping[str, Text], at: int) -> list[Any]:
        """Return the refusals by reason, the cells of the most frequent one left out."""
        said = [(self._places[name], reason) for name, reason in refusals.items()]
        reasons = [(place - at, self._text(reason, place)) for place, reason in said]
        if not reasons:
            return []
        ((most, _),) = Counter(reason for _, reason in reasons).most_common(1)
        cells: dict[int, list[int]] = {most: []}
        for offset, reason in reasons:
            if reason != most:
                cells.setdefault(reason, []).append(offset)
        return [*chain.from_iterable(cells.items())]

    def _by_string(self, pairs: Iterable[tuple[str, str]], at: int) -> list[Any]:
        """Return cells with their marks or effects as ``[string, [offset, …], …]``."""
        cells: dict[int, list[int]] = {}
        for name, value in pairs:
            cells.setdefault(self._string(value), []).append(self._places[name] - at)
        return [*chain.from_iterable(cells.items())]

    def _text(self, text: Text, at: int) -> int:
        """Return the index of a sentence in the reader's language, with offsets from ``at``."""
        key = self._key(text, at)
        if (found := self._said.get(key)) is None:
            said = translate(self._relative(text, at), self._say)
            found = self._said[key] = self._string(said)
        return found

    def _key(self, text: Text, at: int) -> Any:
        """Return what the sentence depends on, at half the cost of writing it."""
        key: list[Any] = [text.message]
        for value in text.params.values():
            if isinstance(value, Text):
                key.append(self._key(value, at))
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

    @staticmethod
    def _add(table: _Table, *parts: Any) -> int:
        """Return the index of a row, which ends before the zeros and empty lists at its end."""
        row = list(parts)
        while row and not row[-1]:
            row.pop()
        return table.index(row, repr(row))
