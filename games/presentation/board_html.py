"""The cells of a board as HTML. `games.presentation.game_page` renders the page around them.

They are built from strings: a board has 64 cells or more with ten values each, and rendering a
template for each took half the time of a whole move. Only the picture in a cell is a template, the
game's own, which is rendered once for all cells that look alike."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import hypot
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.contract import Level, Text
from games.core.translation import Translator, translate
from games.presentation.board import Board, Button, Square
from games.presentation.step_tree import encode_tree

# Boards repeat the same few labels, names and moves.
escape = lru_cache(20_000)(html.escape)
Inside = Callable[[Mapping[str, Any], bool], str]
"""Returns the game's own picture of a cell, from its values without name and label, and from
whether it has a button. It is the same function for all boards whose pictures are alike."""


def figure(level: Level) -> SafeString:
    """Return the figure of an opponent, by default its number, as SVG."""
    shapes = level.figure or f'<text x="12" y="17">{level.number}</text>'
    return SafeString(f'<svg class="figure" viewBox="0 0 24 24" aria-hidden="true">{shapes}</svg>')


def render_heads(board: Board) -> SafeString:
    return SafeString(f"<tr><td></td><th>{'</th><th>'.join(board.columns)}</th></tr>")


def render_rows(board: Board, confirm: str, inside: Inside, translator: Translator) -> SafeString:
    """Return the rows of the table; ``confirm`` says when a click first shows its effects."""
    cells = _cells_of(board, confirm, inside, translator)
    rows = []
    for number, squares in enumerate(board.rows, start=1):
        # Each cell is read out beginning with its coordinates.
        rows.append(f'<tr><th aria-hidden="true">{number}</th>')
        rows.extend(map(cells.html, squares))
        rows.append("</tr>")
    # Names of cells are letters and digits; all else is escaped or from a template.
    return SafeString("".join(rows))


class _Shared(NamedTuple):
    """The values on which all cells depend; ``names`` are those of a cell's own values."""

    inside: Inside
    translator: Translator
    names: tuple[str, ...]
    live: bool


@lru_cache(20_000)
def _quiet_cell(
    shared: _Shared,
    place: tuple[str, int, int],
    values: tuple[Any, ...],
    label: tuple[str, Any, str],
    signs: tuple[str, bool, tuple[str, ...]],
) -> str:
    """Return the HTML of a cell without a button, as most are, from the few values on which it
    depends. The label is as before its translation, which takes longer than the look-up."""
    message, params, plural = label
    cell = {
        **dict(zip(shared.names, values, strict=True)),
        "label": Text(message, dict(params), plural),
    }
    return _Cells(shared).render(Square(*place, cell, None, *signs))


@lru_cache(20_000)
def _picture(shared: _Shared, values: tuple[Any, ...], button: bool) -> str:
    """Return the game's own picture of a cell, with the sign of its step left out."""
    return shared.inside(dict(zip(shared.names, values, strict=True)), button)


def _cells_of(board: Board, confirm: str, inside: Inside, translator: Translator) -> _Cells:
    names = [name for name in board.rows[0][0].cell if name not in {"name", "label"}]
    shared = _Shared(inside, translator, tuple(names), board.live)
    return _Cells(
        shared, tried=board.tried, marked=board.marked, ask_first=board.asks_first(confirm)
    )


class _Cells:
    """Renders the cells of one board. A label that many of them share is translated once."""

    def __init__(
        self,
        shared: _Shared,
        *,
        tried: bool = False,
        marked: Button | None = None,
        ask_first: bool = False,
    ) -> None:
        self._shared, self._translator = shared, shared.translator
        self._tried, self._marked, self._ask_first = tried, marked, ask_first
        names = shared.names
        self._values: Callable[[Mapping[str, Any]], tuple[Any, ...]] = (
            itemgetter(*names) if len(names) > 1 else lambda cell: tuple([cell[n] for n in names])
        )
        self._labels: dict[int, str] = {}

    def html(self, square: Square) -> str:
        if square.button or square.ghost or square.arrows:
            return self.render(square)
        label = square.cell["label"]
        params = tuple(label.params.items()) if label.params else ()
        return _quiet_cell(
            self._shared,
            square[:3],
            self._values(square.cell),
            (label.message, params, label.plural),
            square[5:8],
        )

    def _label(self, text: Text) -> str:
        """Return the label of a cell or step, by identity, while the board holds its text."""
        if (label := self._labels.get(id(text))) is None:
            label = self._labels[id(text)] = escape(translate(text, self._translator))
        return label

    def render(self, square: Square) -> str:
        label = f"{square.name}, {self._label(square.cell['label'])}"
        if square.mark == "chosen":
            label += ", " + gettext("chosen")
        picture = self._picture(square)
        if square.ghost:
            label += ", " + gettext("better move")
            picture += f'<span class="better">{self.picture(square.ghost, False)}</span>'
        picture += "".join(_arrow(*way) for way in square.arrows)
        if self._shared.live:
            label += ", " + gettext("last move") if square.last else ""
            if square.marked_by:
                names = escape(", ".join(square.marked_by))
                label += ", " + gettext("marked by %(names)s") % {"names": names}
                picture += f'<span class="marked-by" aria-hidden="true"><bdi>{names}</bdi></span>'
            content = self._button(square, label, picture)
        elif self._tried and square.button:
            content = self._button(square, label, picture)
        else:
            content = f'<span class="square" role="img" aria-label="{label}">{picture}</span>'
        return f'<td class="cell{_classes(square)}">{content}</td>'

    def _picture(self, square: Square) -> str:
        picture = self.picture(square.cell, square.button is not None)
        sign = square.button.step.sign if square.button else ""
        return f'{picture}<u class="can {sign}"></u>' if sign else picture

    def picture(self, cell: Mapping[str, Any], button: bool) -> str:
        """Return the game's own picture of a cell, with the sign of its step left out."""
        return _picture(self._shared, self._values(cell), button)

    def _marks(self, button: Button) -> str:
        """Return the attributes of a button that marks a whole move, or plays the viewer's mark."""
        way = 'name="move"' if button is self._marked else 'form="marks" name="mark"'
        return f'{way} value="{escape(button.value)}"'

    def _button(self, square: Square, label: str, picture: str) -> str:
        sends = 'type="button" aria-disabled="true"'
        if button := square.button:
            sends = self._marks(button) if button.marks else _sends(button, self._ask_first)
            step = button.step
            on_cell = step.on_cell
            label += f"; {self._label(on_cell)}"
            if step.question is not on_cell:
                sends += f' data-step="{escape(translate(step.label, self._translator))}"'
        return (
            f'<button {sends} id="c-{square.row}-{square.column}" data-cell="{square.name}"'
            f' aria-label="{label}">{picture}</button>'
        )


@lru_cache(10_000)
def hidden_inputs(value: str | int, name: str, forms: tuple[str, ...]) -> SafeString:
    """Return a value as a hidden input for each form, given by id; '' is the enclosing one."""
    field = format_html('<input type="hidden" name="{}" value="{}"', name, value)
    ends = [format_html(' form="{}">', form) if form else ">" for form in forms]
    return SafeString("".join(field + end for end in ends))


def render_tree(board: Board, confirm: str, inside: Inside, translator: Translator) -> SafeString:
    """Return the step tree of a board as JSON; '' for a board without one."""
    if board.tree is None:
        return SafeString()
    picture = _cells_of(board, confirm, inside, translator).picture
    return encode_tree(board.tree, picture, ask=board.asks_first(confirm))


_GAP, _HEAD = 0.22, 0.2
"""The gap between an arrow and the centres of its cells, and the size of its head, in cells."""


def _arrow(down: int, right: int) -> str:
    """Return an arrow from one cell's centre to another's as SVG, in units of a cell."""
    length = hypot(down, right)
    x, y = right / length, down / length
    tip_x, tip_y = right - _GAP * x, down - _GAP * y
    back_x, back_y = tip_x - _HEAD * x, tip_y - _HEAD * y
    side_x, side_y = -_HEAD * y, _HEAD * x
    points = [
        ("M", _GAP * x, _GAP * y),
        ("L", back_x, back_y),
        ("M", back_x + side_x, back_y + side_y),
        ("L", tip_x, tip_y),
        ("L", back_x - side_x, back_y - side_y),
    ]
    path = "".join(f"{letter}{px:.2f} {py:.2f}" for letter, px, py in points)
    path_html = f'<path d="{path}z"/>'
    return f'<svg class="arrow" viewBox="-.5 -.5 1 1" aria-hidden="true">{path_html}</svg>'


def _classes(square: Square) -> str:
    last = " last" if square.last else ""
    mark = f" mark-{escape(square.mark)}" if square.mark else ""
    return f"{last}{mark} legal" if square.button else last + mark


def _sends(button: Button, ask_first: bool) -> str:
    """Return the attributes of a button that sends a whole move, or that chooses one more step."""
    makes_move = button.final and not ask_first
    name = 'name="move"' if makes_move else 'form="steps" name="chosen"'
    sends = f'{name} value="{escape(button.value)}"'
    if button.step.effects:
        sends += f' data-effects="{effects(button.step.effects)}"'
    return sends


def effects(value: Mapping[str, Any]) -> str:
    """Return cells and their effects in the format of the script: ``c3:flip d4:flip``."""
    return escape(" ".join(f"{cell}:{effect}" for cell, effect in value.items()))
