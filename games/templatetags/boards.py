"""Template tags: sentences of the contract, boards, and parts that a game may or may not have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import select_template
from django.utils.safestring import SafeString

from games.presentation import jinja, move_list

register = template.Library()
register.filter("tr", jinja.translate_value)
register.filter("move", move_list.display_move)
register.simple_tag(jinja.render, name="draw")
register.simple_tag(jinja.render_part, name="draw_part")


@register.simple_tag(takes_context=True)
def part(context: template.Context, slug: str, name: str) -> SafeString:
    """The game's own template ``<slug>/_<name>.html`` in the current context; '' if it has none."""
    with context.push():
        return _part(slug, name).render(context)


@lru_cache(maxsize=0 if settings.DEBUG else None)
def _part(slug: str, name: str) -> template.Template:
    # A preview has one part a cell: looking for the file costs more than filling it in.
    return select_template([f"{slug}/_{name}.html", "games/_nothing.html"]).template


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """``mapping[key]``, None where there is none."""
    return mapping.get(key)
