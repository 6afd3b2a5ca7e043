"""Jinja2, for the templates ``_name.jinja`` of everything that changes with a move.

The answer to a move is the whole board, which every subscriber gets too. Rendering it with Django's
template language, in which the pages around the board are written, took most of the time of a move;
Jinja2 compiles templates to Python. Both escape values. A template is compiled once for each
language and game, with the translations and the game's own templates already inserted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from django.conf import settings
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language
from jinja2 import Environment, StrictUndefined, Template

from games.contract import Rules, SeatKey, Text
from games.core.registry import all_rules
from games.core.translation import Translator, active_translator, translate
from games.presentation import board_html, move_list
from games.presentation.board import Board

PAGES = ("board/_answer.jinja", "board/_board.jinja")
"""The templates of a ``page``, which include parts of its game."""


def environment(**options: Any) -> Environment:
    """Return the Jinja environment, with the functions ``url`` and ``part`` (see `part`), the
    filters ``tr``, ``slugify``, ``static``, ``steps`` and ``urlencode``, and those that draw a
    value: ``heads``, ``cells`` and ``tree`` of a board, ``moves`` of a list, ``hidden`` inputs."""
    # A misspelt name is an error and not an empty string. Django sets `autoescape`.
    made = Environment(**options | {"undefined": StrictUndefined})  # noqa: S701
    made.globals.update(url=_url, part=part)
    # Filters, since Jinja makes eight calls of its own to call a function.
    made.filters.update(heads=board_html.render_heads, hidden=board_html.hidden_inputs)
    made.filters.update(tr=translate, slugify=slugify, static=_static, urlencode=_quote)
    made.filters.update(steps=board_html.effects)
    return made


def load_all() -> None:
    """Compile all templates for the active language, so that its first visitors do not wait for
    that."""
    language = get_language()
    for name in _engine().list_templates(extensions=["jinja"]):
        for slug in all_rules() if name in PAGES else [""]:
            _template((name,), language, slug)


def render(name: str, **context: Any) -> str:
    slug = context["page"].game.kind if name in PAGES else ""
    return _filled(_template((name,), get_language(), slug), context)


def render_part(slug: str, name: str, **context: Any) -> str:
    """Render a game's own template; return '' if the game has none."""
    return _filled(part(slug, name), context)


def _heading(sentence: Text, translator: Translator) -> str:
    """Translate a sentence, without its full stop."""
    return translate(sentence, translator).rstrip(".")


def part(slug: str, name: str) -> Template:
    """Return the game's own template ``<slug>/_<name>.jinja``; an empty one if it has none."""
    return _part(slug, name, get_language())


def _part(slug: str, name: str, language: str | None) -> Template:
    return _template((f"{slug}/_{name}.jinja", "board/_empty.jinja"), language)


# Finding a template file takes longer than rendering it.
@lru_cache(maxsize=0 if settings.DEBUG else None)
def _template(names: tuple[str, ...], language: str | None, slug: str = "") -> Template:
    """Return the first existing template, for the active language and the game ``slug``."""
    return _localized(language, slug).select_template(list(names))


@cache
def _localized(_language: str | None, slug: str) -> Environment:
    compiler = _engine().overlay()
    compiler.extend(slug=slug)
    # Looking up the language for each value took as long as rendering a cell.
    translator = active_translator()
    compiler.filters = compiler.filters | {
        "tr": partial(translate, translator=translator),
        "heading": partial(_heading, translator=translator),
        "cells": partial(_cells, translator=translator),
        "tree": partial(_tree, translator=translator),
        "moves": partial(move_list.render_moves, translator=translator),
    }
    return compiler


def _engine() -> Environment:
    return cast(Jinja2, engines["boards"]).env


def _filled(template: Template, context: dict[str, Any]) -> str:
    # Not `Template.render`, which copies all global names at every call and took as long as
    # rendering a cell.
    names = template.environment.globals | context
    content = template.root_render_func(template.new_context(names, shared=True))
    # Escaped by the template.
    filled: str = SafeString("".join(content))
    return filled


# Cached: reversing the URL again for the same game takes longer than rendering the rest.
@lru_cache(10_000)
def _url(name: str, *args: Any) -> str:
    return reverse(name, args=args)


@lru_cache(10_000)
def _quote(address: str) -> str:
    return quote(address)


@lru_cache(maxsize=0 if settings.DEBUG else None)
def _static(path: str) -> str:
    return static(path)


def _cells(board: Board, confirm: str, *, translator: Translator) -> SafeString:
    """Return the rows of the board's table. Each cell contains the game's ``_cell.jinja``, which
    gets ``cell`` (the game's own mapping without ``name`` and ``label``), ``button`` (whether there
    is one), and as ``board`` a `CellBoard`. Since cells that look alike share one cached rendering,
    it gets nothing else."""
    return board_html.render_rows(board, confirm, _inside(board, translator), translator)


def _tree(board: Board, confirm: str, *, translator: Translator) -> SafeString:
    """Return the step tree of a board; see `step_tree_json`."""
    return board_html.render_tree(board, confirm, _inside(board, translator), translator)


class CellBoard(NamedTuple):
    """The values of a board on which the picture of a cell may depend."""

    rules: Rules
    seat: SeatKey | None
    sprite: str


def cell_picture(board: Board, cell: Mapping[str, Any]) -> str:
    """Return the game's own picture of a cell, as it is without a button."""
    values = {name: value for name, value in cell.items() if name not in {"name", "label"}}
    return SafeString(_inside(board, active_translator())(values, False))


def _inside(board: Board, translator: Translator) -> board_html.Inside:
    return _pictures_of(board.rules.slug, board.seat, board.sprite, translator.language)


@lru_cache(2_000)
def _pictures_of(
    slug: str, seat: SeatKey | None, sprite: str, language: str | None
) -> board_html.Inside:
    template = _part(slug, "cell", language)
    shared = CellBoard(all_rules()[slug], seat, sprite)

    def inside(cell: Mapping[str, Any], button: bool) -> str:
        return _filled(template, {"board": shared, "cell": cell, "button": button})

    return inside
