"""How the source of a template is read: without the white space that is there for people only.

Templates are indented, and a browser does not show it. Both template languages drop the
indentation, whose lines stay, so that errors name the line of the file. Jinja's templates, sent
with every move, drop line breaks too: ``trim_blocks`` those after block tags, `Compact` the others.
In a stream of boards each line would cost another ``data:``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from django.template import Origin
from django.template.loaders import filesystem
from django.utils.translation import trim_whitespace
from jinja2 import BaseLoader, nodes
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser

BREAKS = re.compile(r"\n+")
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
# Where a block or a shape begins or ends, a browser shows no white space.
BLOCK = (
    "</?(?:caption|dd|details|div|dl|dt|fieldset|figcaption|figure|h[1-6]|legend|li|ol|p|section"
    "|summary|table|tbody|td|th|thead|title|tr|ul"
    r"|circle|defs|ellipse|g|linearGradient|path|pattern|radialGradient|rect|stop|use)\b"
)
BREAK_AT_BLOCK = re.compile(rf"\n+(?={BLOCK})|(?P<tag>{BLOCK}[^<>]*>)\n+")


class Loader(filesystem.Loader):
    """Load Django templates without their indentation."""

    def get_contents(self, origin: Origin) -> str:
        """Return the source of one template."""
        return INDENTATION.sub("", super().get_contents(origin))


class Compact(Extension):
    """Compile Jinja templates without their indentation and line breaks.

    A line break becomes one space, or nothing before and after the tag of a block.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source without indentation."""
        return INDENTATION.sub("", source)

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens, text without line breaks. Their line numbers stay those of the file."""
        translated = False
        for token in stream:
            if token.type == "data" and not translated:
                text = BREAKS.sub(" ", BREAK_AT_BLOCK.sub(_tag_alone, token.value))
                yield Token(token.lineno, token.type, text)
            else:
                # What is translated keeps its line breaks: `BlockTranslate` replaces them.
                if token.type == "name" and "blocktranslate" in token.value:
                    translated = token.value == "blocktranslate"
                yield token


def _tag_alone(match: re.Match[str]) -> str:
    return match["tag"] or ""


class BlockTranslate(Extension):
    """Add ``{% blocktranslate trimmed %}…{% endblocktranslate %}`` to Jinja, for text with HTML.

    The tag is Django's, because Django's makemessages collects it and does not know Jinja's own
    ``{% trans %}``. It takes no variables.
    """

    tags = {"blocktranslate"}

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node that writes the translation, unescaped."""
        line = next(parser.stream).lineno
        parser.stream.expect("name:trimmed")
        body = parser.parse_statements(("name:endblocktranslate",), drop_needle=True)
        parts = [part for each in body for part in getattr(each, "nodes", [each])]
        if not all(isinstance(part, nodes.TemplateData) for part in parts):
            parser.fail("blocktranslate takes text and HTML only", line)
        message = nodes.Const(trim_whitespace("".join(part.data for part in parts)))
        translated = nodes.Call(nodes.Name("_", "load"), [message], [], None, None)
        return nodes.Output([nodes.MarkSafe(translated)], lineno=line)


class InlineIncludes(Extension):
    """Compile ``{% include "a/name.jinja" %}`` into the template that includes it.

    Jinja renders an included template with a copy of all names, which took longer than rendering
    most partials. ``with`` confines the names that a partial sets, as an include does.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source with the sources of its includes in their places."""
        return _INCLUDE.sub(self._inlined, source)

    def _inlined(self, include: re.Match[str]) -> str:
        loader = cast(BaseLoader, self.environment.loader)
        source, _, _ = loader.get_source(self.environment, include["name"])
        return f"{{% with %}}{self.preprocess(source, include['name'])}{{% endwith %}}"


_INCLUDE = re.compile(r"""\{%-? include "(?P<name>[\w/.]+)" -?%\}""")
