"""Template tags: sentences of the contract, boards, and parts that a game may or may not have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import select_template
from django.utils.safestring import SafeString

from games import cells
from games.boards import Board
from games.contract import Text
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
