"""The white space of templates, and ``blocktranslate`` in Jinja."""

from __future__ import annotations

from typing import Any

import pytest
from django.template import engines
from django.utils import translation
from jinja2 import TemplateSyntaxError

TRANSLATED = """
<p>
  {% blocktranslate trimmed %}
    <strong>Any number of operatives per team</strong> do the guessing. Any of them
    can pick a card
    for the team, so agree first.
  {% endblocktranslate %}
</p>
"""


def jinja(source: str, **context: Any) -> str:
    """Render a Jinja template from its source."""
    return engines["boards"].from_string(source).render(context)  # type: ignore[no-any-return]


def test_indentation_and_line_breaks_of_blocks_are_not_sent():
    source = "<ul>\n  {% for n in [1, 2] %}\n    <li>{{ n }}</li>\n  {% endfor %}\n</ul>"
    assert jinja(source) == "<ul><li>1</li><li>2</li></ul>"


def test_a_line_break_between_words_is_one_space():
    assert jinja("<b>{{ 1 }}</b>\n    <i>of</i>\n\n  two") == "<b>1</b> <i>of</i> two"


def test_attributes_on_lines_of_their_own_stay_apart():
    source = '<i id="a"\n   {% if true %}\n     class="b"\n   {% endif %}\n   title="c"></i>'
    assert jinja(source) == '<i id="a" class="b" title="c"></i>'


def test_an_error_names_its_line_in_the_file():
    with pytest.raises(TemplateSyntaxError) as caught:
        jinja("<ul>\n\n  <li>\n    {% nonsense %}\n")
    assert caught.value.lineno == 4


def test_blocktranslate_renders_alike_in_django_and_jinja():
    with translation.override("nl"):
        html = engines["django"].from_string("{% load i18n %}" + TRANSLATED).render()
        assert jinja(TRANSLATED) == f"<p>{' '.join(html.split())[4:-5]}</p>"
        assert "<strong>" in html
        assert "Any number" not in html


def test_blocktranslate_escapes_nothing_and_takes_no_variable():
    source = "{% blocktranslate trimmed %}<kbd>{{ key }}</kbd>{% endblocktranslate %}"
    with pytest.raises(TemplateSyntaxError, match="text and HTML only"):
        jinja(source, key="R")
