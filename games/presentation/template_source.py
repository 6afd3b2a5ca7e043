"""Removal of the white space in Jinja templates that no browser shows.

A line break with its indentation is sent as one space, and beside the tag of a block element or an
SVG shape not at all. Errors name the line of the file or, in a partial, the line of the template
with its includes inserted. ``trim_blocks`` drops the line break after a block tag, too. Boards are
sent with every move; pages of Django templates are sent as they are written, and compressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

from django.utils.translation import gettext, trim_whitespace
from jinja2 import BaseLoader, TemplateNotFound, nodes
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser

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
    """A Jinja extension that replaces ``_("a sentence")`` by its translation at compile time. A
    template is compiled once for each language."""

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
