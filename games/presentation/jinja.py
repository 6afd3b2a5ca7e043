"""Jinja2, for the templates ``_name.jinja`` of everything that changes with a move.

The answer to a move is the whole board, which every subscriber gets too. Rendering it with Django's
template language, in which the pages around the board are written, took most of the time of a move;
Jinja2 compiles templates to Python. Both escape values. A template is compiled once for each
language and game, with the translations and the game's own templates already inserted, and its code
kept for later processes: compiling all takes five seconds.

`Compact` removes the white space that no browser shows: a line break with its indentation is sent
as one space, and beside the tag of a block element or an SVG shape not at all. Errors name the line
of the file or, in a partial, the line of the template with its includes inserted. ``trim_blocks``
drops the line break after a block tag, too. Django templates are sent as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import django
import jinja2
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, trim_whitespace
from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, nodes
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser

from games.contract import Rules, SeatKey, Text
from games.contract.compiled import folder_of
from games.core.registry import all_rules
from games.core.translation import Translator, active_translator, translate
from games.presentation import board_html, move_list
from games.presentation.board import Board

PAGES = ("board/_answer.jinja", "board/_board.jinja")
"""The templates of a ``page``, which include parts of its game."""


def environment(**options: Any) -> Environment:
    """Return the Jinja environment, with the functions ``url`` and ``part`` (see `part`), the
    filters ``tr``, ``slugify``, ``static``, ``steps`` and ``urlencode``, and those that draw a
    value: ``figure`` of an opponent, ``heads``, ``cells`` and ``tree`` of a board, ``moves`` of a
    list, ``hidden`` inputs."""
    # A misspelt name is an error and not an empty string. Django sets `autoescape`.
    made = Environment(**options | {"undefined": StrictUndefined})  # noqa: S701
    made.globals.update(url=_url, part=part)
    # Filters, since Jinja makes eight calls of its own to call a function.
    made.filters.update(heads=board_html.render_heads, hidden=board_html.hidden_inputs)
    made.filters.update(tr=translate, slugify=slugify, static=_static, urlencode=_quote)
    made.filters.update(steps=board_html.effects, figure=board_html.figure)
    return made


def load_all() -> None:
    """Compile all templates for the active language, before its first visitors come."""
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


class CompiledTemplates(FileSystemBytecodeCache):
    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, unless the disk is full or the folder has been removed."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def _localized(_language: str | None, slug: str) -> Environment:
    folder = "" if settings.DEBUG else _folder()
    kept = CompiledTemplates(folder, f"{_language}-{slug}-%s") if folder else None
    compiler = _engine().overlay(bytecode_cache=kept)
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


@cache
def _folder() -> str:
    """Return the folder of the compiled templates; '' if there is none. Filters of constants are
    calculated in them, so they depend on all code and on the names of static files too."""
    names = settings.STATIC_URL, getattr(staticfiles_storage, "manifest_hash", "")
    made_with = repr((django.VERSION, jinja2.__version__, names)).encode()
    parts = (Path(settings.BASE_DIR, name) for name in ("games", "locale", "templates"))
    paths = sorted(path for part in parts for path in part.rglob("*.*"))
    sources = (path.read_bytes() for path in paths if path.suffix in {".jinja", ".mo", ".py"})
    return folder_of("templates", chain([made_with], sources), Path(__file__).parent)


def _engine() -> Environment:
    return cast(Jinja2, engines["boards"]).env


def _filled(template: Template, context: dict[str, Any]) -> str:
    # Not `Template.render`, which copies all global names, as long as rendering a cell.
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


BLOCK = (
    "</?(?:article|body|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]"
    "|head|header|html|legend|li|link|main|meta|nav|ol|p|script|section|summary|table|tbody|td"
    "|template|th|thead|title|tr|ul"
    "|circle|defs|ellipse|g|line|linearGradient|path|pattern|polyline|radialGradient|rect|stop"
    r"|use)\b"
)
BREAK_AT_BLOCK = re.compile(rf"\n\s*(?={BLOCK})|(?P<tag>{BLOCK}[^<>]*>)\n\s*")
BREAK = re.compile(r"\n\s*")
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def compact(text: str) -> str:
    """Return the text of a template with its line breaks collapsed as a browser collapses them."""
    return BREAK.sub(" ", BREAK_AT_BLOCK.sub(lambda match: match["tag"] or "", text))


class Compact(Extension):
    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source without indentation: ``trim_blocks`` would leave it behind."""
        return INDENTATION.sub("", source)

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        translated = False
        for token in stream:
            if token.type == "data" and not translated:
                yield Token(token.lineno, token.type, compact(token.value))
            else:
                # A sentence keeps its line breaks, which `BlockTranslate` replaces as Django does.
                if token.type == "name" and "blocktranslate" in token.value:
                    translated = token.value == "blocktranslate"
                yield token


class Sentences(Extension):
    """A Jinja extension that replaces ``_("a sentence")`` by its translation."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens, with a string in place of each call of ``_``."""
        for token in stream:
            if token.test("name:_"):
                stream.expect("lparen")
                sentence = stream.expect("string")
                stream.expect("rparen")
                yield Token(sentence.lineno, "string", gettext(sentence.value))
            else:
                yield token


class BlockTranslate(Extension):
    """A Jinja extension for ``{% blocktranslate trimmed %}…{% endblocktranslate %}``.

    The tag is Django's, because Django's makemessages collects it and does not know Jinja's own
    ``{% trans %}``. It takes no variables."""

    tags = {"blocktranslate"}

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        parser.stream.expect("name:trimmed")
        body = parser.parse_statements(("name:endblocktranslate",), drop_needle=True)
        parts = [part for node in body for part in getattr(node, "nodes", [node])]
        if not all(isinstance(part, nodes.TemplateData) for part in parts):
            parser.fail("blocktranslate takes text and HTML only", line)
        message = trim_whitespace("".join(part.data for part in parts))
        return nodes.Output([nodes.MarkSafe(nodes.Const(gettext(message)))], lineno=line)


class InlineIncludes(Extension):
    """A Jinja extension that inserts included templates at compile time: ``{% include
    "a/name.jinja" %}``, and ``{% include part(game.kind, "name") %}`` for a template of the game
    ``environment.slug``.

    Jinja renders an included template with a copy of all names, which took longer than rendering
    most partials. ``with`` confines the names that a partial sets, as an include does."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        source = _INCLUDE.sub(lambda include: self._inlined(include["name"]), source)
        return _PART.sub(self._inlined_part, source) if self._slug else source

    def _inlined(self, name: str) -> str:
        loader = cast(BaseLoader, self.environment.loader)
        source, _, _ = loader.get_source(self.environment, name)
        return f"{{% with %}}{self.preprocess(source, name)}{{% endwith %}}"

    def _inlined_part(self, part: re.Match[str]) -> str:
        # A game need not have every part.
        with suppress(TemplateNotFound):
            return self._inlined(f"{self._slug}/_{part['name']}.jinja")
        return ""

    @property
    def _slug(self) -> str:
        return getattr(self.environment, "slug", "")


_INCLUDE = re.compile(r"""\{%-? include "(?P<name>[\w/.]+)" -?%\}""")
_PART = re.compile(r"""\{%-? include part\([\w.]+, "(?P<name>\w+)"\) -?%\}""")
