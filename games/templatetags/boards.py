"""Template tags: sentences of the contract, boards, and parts that a game may or may not have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import select_template
from django.utils.safestring import SafeString, mark_safe

from games import cells
from games.boards import Board
from games.contract import Text
from games.history import Listed
from games.sentences import translate

register = template.Library()


@register.filter
def tr(value: Any) -> str:
    """A contract's text in the language of the page; anything else as it is."""
    return translate(value) if isinstance(value, Text) else str(value)


@register.simple_tag(takes_context=True)
def part(context: template.Context, slug: str, name: str) -> SafeString:
    """The game's own template ``<slug>/_<name>.html`` in the current context; '' if it has none."""
    with context.push():
        return _part(slug, name).render(context)


@register.simple_tag(takes_context=True)
def board_body(context: template.Context, board: Board, confirm: str) -> SafeString:
    """The rows of the board's table. In each cell is the game's ``_cell.html``, which knows
    ``board``, ``cell`` (the game's own mapping of it, but for ``name`` and ``label``) and whether
    there is a ``button``."""
    inside = _part(board.rules.slug, "cell")

    def draw(looks: cells.Looks) -> str:
        context.dicts[-1].update(cell=dict(looks.cell), button=looks.button)
        return inside.nodelist.render(context)

    # As `Template.render` would, once for all cells.
    with context.render_context.push_state(inside), context.push(board=board):
        return cells.body(board, confirm, draw)


@register.simple_tag
def move_items(moves: Iterable[Listed], address: str, current: int) -> SafeString:
    """The moves as items of a list, each a link to its position; built of strings, as boards are,
    for there may be hundreds."""
    items = []
    for ply, _, text in moves:
        here = ply == current
        item, link = (' class="current"', ' aria-current="true"') if here else ("", "")
        items.append(f'<li{item}><a href="{address}{ply}/"{link}>{escape(text)}</a></li>')
    # Of ours but for the moves, which are escaped.
    return mark_safe("".join(items))  # noqa: S308


@lru_cache(maxsize=None if not settings.DEBUG else 0)
def _part(slug: str, name: str) -> template.Template:
    # A board has one part a cell: looking for the file each time costs more than filling it in.
    return select_template([f"{slug}/_{name}.html", "games/_nothing.html"]).template


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """``mapping[key]``, None where there is none."""
    return mapping.get(key)


@register.filter
def steps(value: Any) -> str:
    """The keys and values of effects as the script reads them: ``c3:flip d4:flip``."""
    return cells.effects(value)
