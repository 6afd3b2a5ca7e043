"""The cells of a board as HTML, and the items of its list of moves.

Built of strings: a board has 64 cells and more with ten values each, and rendering a template for
each took half the time of a whole move. The picture in a cell is the game's own template all the
same, rendered once for all cells that look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape
from operator import itemgetter
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games.contract import Rules, Text
from games.presentation.board import Board, Button, Square
from games.presentation.move_list import display_move
from games.registry import all_rules
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
    """Return the rows of the table; ``confirm`` says when a click first shows its effects."""
    ask_first = board.asks_first(confirm)
    draw, say = _drawer(board, inside), _teller()
    look, kind = _look_of(board), (board.rules.slug, get_language(), board.live)
    rows = []
    for number, squares in enumerate(board.rows, start=1):
        rows.append(f'<tr><th scope="row">{number}</th>')
        for square in squares:
            label = say(square.cell["label"])
            if square.button:
                rows.append(_cell(square, label, draw(square), live=board.live, ask=ask_first))
                continue
            key = (kind, square.name, look(square.cell), label, square.mark, square.last)
            if (html := _quiet_cells.get(key)) is None:
                html = _cell(square, label, draw(square), live=board.live, ask=ask_first)
                _remember(key, html)
            rows.append(html)
        rows.append("</tr>")
    # Names of cells are letters and digits; all else is escaped here, or comes from a template.
    return mark_safe("".join(rows))  # noqa: S308


_quiet_cells: dict[Any, str] = {}
"""HTML of cells without a button, which most are: a handful of small values says all of one."""
MAX_QUIET_CELLS = 20_000


def _remember(key: Any, html: str) -> None:
    if len(_quiet_cells) >= MAX_QUIET_CELLS:
        _quiet_cells.clear()
    _quiet_cells[key] = html


def _cell(square: Square, label: str, drawn: str, *, live: bool, ask: bool) -> str:
    label = f"{square.name}, {label}"
    if square.mark == "chosen":
        label += ", " + gettext("chosen")
    if live:
        label += ", " + gettext("last move") if square.last else ""
        content = _button(square, label, drawn, ask)
    else:
        content = f'<span class="square" role="img" aria-label="{label}">{drawn}</span>'
    return f'<td class="cell{_classes(square)}">{content}</td>'


def _look_of(board: Board) -> Callable[[Mapping[str, Any]], Any]:
    """Return a function that gives the game's own values of a cell, without its name and label."""
    said = _said(board)
    return itemgetter(*said) if said else lambda _: ()


def _said(board: Board) -> list[str]:
    return [name for name in board.rows[0][0].cell if name not in {"name", "label"}]


def _drawer(board: Board, inside: Inside) -> Draw:
    """Draws each look once: many squares look alike, and all say the same things of themselves."""
    drawn: dict[Any, str] = {}
    said, look = _said(board), _look_of(board)

    def draw(square: Square) -> str:
        key = (look(square.cell), square.button is None)
        if (found := drawn.get(key)) is None:
            cell = {name: square.cell[name] for name in said}
            found = drawn[key] = inside(cell, square.button is not None)
        return found

    return draw


def _teller() -> Say:
    """Return a translator that translates each text once. By identity: many cells share one text,
    and the board holds them all.
    """
    said: dict[int, str] = {}

    def say(label: Text) -> str:
        if (found := said.get(id(label))) is None:
            found = said[id(label)] = _safe(label)
        return found

    return say


def move_items(moves: Iterable[StoredMove], rules: Rules, address: str, current: int) -> SafeString:
    """Return the moves as items of a list, each a link to its position."""
    language = get_language()
    items = [
        _move_item(rules.slug, language, address, move.ply, move.text, move.ply == current)
        for move in moves
    ]
    return mark_safe("".join(items))  # noqa: S308


@lru_cache(maxsize=20_000)
def _move_item(
    slug: str, _language: str | None, address: str, ply: int, move: str, here: bool
) -> str:
    item, link = (' class="current"', ' aria-current="true"') if here else ("", "")
    said = escape(display_move(move, all_rules()[slug]))
    return f'<li{item}><a href="{address}{ply}/"{link}>{said}</a></li>'


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
    """Return the attributes of a button that sends a whole move, or one more step of it to be
    shown.
    """
    makes_move = button.final and not ask_first
    name = 'name="move"' if makes_move else 'form="steps" name="chosen"'
    sends = f'{name} value="{_safe(button.value)}"'
    if button.step.effects:
        sends += f' data-effects="{effects(button.step.effects)}"'
    return sends


def effects(value: Mapping[str, Any]) -> str:
    """Return cells and their effects as the script reads them: ``c3:flip d4:flip``."""
    return _safe(" ".join(f"{cell}:{effect}" for cell, effect in value.items()))


def _safe(value: str | Text) -> str:
    return escape(translate(value) if isinstance(value, Text) else value)
