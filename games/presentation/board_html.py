"""The cells of a board as HTML, and the items of its list of moves.

Built of strings: there are 64 cells and more, each with ten things to say, and filling in a
template for each took half the time of a whole move. What a cell shows inside is the game's own
template all the same, filled in once for all cells that look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from operator import itemgetter
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.contract import Rules, Text
from games.presentation.board import Board, Button, Square
from games.presentation.move_list import move_displayer
from games.replay import StoredMove
from games.translation import translate

Inside = Callable[[Mapping[str, Any], bool], str]
"""The game's own picture of what is on a square: of what the game says of it, but for its name
and label, and of whether it has a button."""
Draw = Callable[[Square], str]
"""What is inside a square, by whatever way it is drawn."""
Say = Callable[[Text], str]
"""A sentence in the language of the page, safe in HTML."""


def render_rows(board: Board, confirm: str, inside: Inside) -> SafeString:
    """The rows of the table; ``confirm`` says when a click first shows what it would do."""
    ask_first = board.asks_first(confirm)
    draw, say = _drawer(board, inside), _teller()
    last_move, chosen = gettext("last move"), gettext("chosen")
    rows = []
    for number, squares in enumerate(board.rows, start=1):
        rows.append(f'<tr><th scope="row">{number}</th>')
        for square in squares:
            label = f"{square.name}, {say(square.cell['label'])}"
            label += f", {chosen}" if square.mark == "chosen" else ""
            if board.live:
                label += f", {last_move}" if square.last else ""
                content = _button(square, label, draw(square), ask_first)
            else:
                content = (
                    f'<span class="square" role="img" aria-label="{label}">{draw(square)}</span>'
                )
            rows.append(f'<td class="cell{_classes(square)}">{content}</td>')
        rows.append("</tr>")
    # Names of cells are letters and digits; all else is escaped here, or comes from a template.
    return mark_safe("".join(rows))  # noqa: S308


def _drawer(board: Board, inside: Inside) -> Draw:
    """Draws each look once: many squares look alike, and all say the same things of themselves."""
    drawn: dict[Any, str] = {}
    said = [name for name in board.rows[0][0].cell if name not in {"name", "label"}]
    look = itemgetter(*said) if said else lambda _: ()

    def draw(square: Square) -> str:
        key = (look(square.cell), square.button is None)
        if (found := drawn.get(key)) is None:
            cell = {name: square.cell[name] for name in said}
            found = drawn[key] = inside(cell, square.button is not None)
        return found

    return draw


def _teller() -> Say:
    """Says each text once. By identity: what is said of many cells is one text, and the board
    holds them all."""
    said: dict[int, str] = {}

    def say(label: Text) -> str:
        if (found := said.get(id(label))) is None:
            found = said[id(label)] = _safe(label)
        return found

    return say


def move_items(moves: Iterable[StoredMove], rules: Rules, address: str, current: int) -> SafeString:
    """The moves as items of a list, each a link to its position."""
    items, display = [], move_displayer(rules)
    for move in moves:
        here = move.ply == current
        item, link = (' class="current"', ' aria-current="true"') if here else ("", "")
        said = escape(display(move.text))
        items.append(f'<li{item}><a href="{address}{move.ply}/"{link}>{said}</a></li>')
    return mark_safe("".join(items))  # noqa: S308


def _classes(square: Square) -> str:
    last = " last" if square.last else ""
    mark = f" mark-{_safe(square.mark)}" if square.mark else ""
    return f"{last}{mark} legal" if square.button else last + mark


def _button(square: Square, label: str, inside: str, ask_first: bool) -> str:
    sends = 'type="button" aria-disabled="true"'
    if button := square.button:
        sends = _sends(button, ask_first)
        label += f"; {_safe(button.step.label)}"
    return (
        f'<button {sends} id="c-{square.row}-{square.column}" data-cell="{square.name}"'
        f' aria-label="{label}">{inside}</button>'
    )


def _sends(button: Button, ask_first: bool) -> str:
    """What a click sends: a whole move, or one more step of it to be shown."""
    makes_move = button.final and not ask_first
    name = 'name="move"' if makes_move else 'form="steps" name="chosen"'
    sends = f'{name} value="{_safe(button.value)}"'
    if button.step.effects:
        sends += f' data-effects="{effects(button.step.effects)}"'
    return sends


def effects(value: Mapping[str, Any]) -> str:
    """Cells and what happens to them as the script reads them: ``c3:flip d4:flip``."""
    return _safe(" ".join(f"{cell}:{effect}" for cell, effect in value.items()))


def _safe(value: str | Text) -> str:
    return escape(translate(value) if isinstance(value, Text) else value)
