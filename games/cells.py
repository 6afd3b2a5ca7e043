"""The cells of a board as HTML, and the items of its list of moves.

Built of strings: there are 64 cells and more, each with ten things to say, and filling in a
template for each took half the time of a whole move. What a cell shows inside is the game's own
template all the same, filled in once for all cells that look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.boards import Board, Button, Square
from games.contract import Text
from games.history import Listed
from games.sentences import translate


class Looks(NamedTuple):
    """All that the inside of a cell depends on besides the board: what the game says of it, but
    for its name and label, and whether it has a button."""

    cell: tuple[tuple[str, Any], ...]
    button: bool


Draw = Callable[[Looks], str]
"""The game's own picture of what is on a square."""
Say = Callable[[Text], str]
"""A sentence in the language of the page, safe in HTML."""


def body(board: Board, confirm: str, draw: Draw) -> SafeString:
    """The rows of the table; ``confirm`` says when a click first shows what it would do."""
    ask_first = confirm == "always" and board.confirm is None
    draw, say = cache(draw), _teller()
    last_move = gettext("last move")
    rows = [f'<tr><th scope="row">{number}</th>\n' for number in range(1, len(board.rows) + 1)]
    for number, squares in enumerate(board.rows):
        rows[number] += "".join(
            f'<td class="{_classes(square)}">'
            + _content(square, board, ask_first, last_move, say, draw)
            + "</td>"
            for square in squares
        )
    # Names of cells are letters and digits; all else is escaped here, or comes from a template.
    return mark_safe("</tr>".join([*rows, ""]))  # noqa: S308


def _teller() -> Say:
    """Says each text once. By identity: what is said of many cells is one text, and the board
    holds them all."""
    said: dict[int, str] = {}

    def say(label: Text) -> str:
        if (found := said.get(id(label))) is None:
            found = said[id(label)] = _safe(label)
        return found

    return say


def move_items(moves: Iterable[Listed], address: str, current: int) -> SafeString:
    """The moves as items of a list, each a link to its position."""
    items = []
    for ply, _, move in moves:
        here = ply == current
        item, link = (' class="current"', ' aria-current="true"') if here else ("", "")
        items.append(f'<li{item}><a href="{address}{ply}/"{link}>{escape(move)}</a></li>')
    return mark_safe("".join(items))  # noqa: S308


def _looks(square: Square) -> Looks:
    said = dict(square.cell)
    del said["name"], said["label"]
    return Looks(tuple(said.items()), square.button is not None)


def _classes(square: Square) -> str:
    last = " last" if square.last else ""
    mark = f" mark-{_safe(square.mark)}" if square.mark else ""
    legal = " legal" if square.button else ""
    return f"cell{last}{mark}{legal}"


def _content(
    square: Square, board: Board, ask_first: bool, last_move: str, say: Say, draw: Draw
) -> str:
    name, inside = square.name, draw(_looks(square))
    label = f"{name}, {say(square.cell['label'])}"
    if not board.live:
        return f'<span class="square" role="img" aria-label="{label}">{inside}</span>'
    button = square.button
    if square.last:
        label += f", {last_move}"
    if button:
        label += f"; {_safe(button.step.label)}"
    sends = _sends(button, ask_first) if button else 'type="button" aria-disabled="true"'
    return (
        f'<button {sends} id="c-{square.row}-{square.column}" data-cell="{name}"'
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
