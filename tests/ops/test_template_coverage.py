"""Coverage of templates counts the lines that were rendered."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.template import engines

from scripts.template_coverage import JinjaReporter, JinjaTracer

TEMPLATE = """\
{# no line of code #}
<p>{{ name }}</p>
{% if name == "Olive" %}
  <b>{{ name }}</b>
{% endif %}
"""


@pytest.fixture
def template(tmp_path: Path) -> Path:
    file = tmp_path / "page.jinja"
    file.write_text(TEMPLATE)
    return file


def rendered_lines(template: Path, name: str) -> set[int]:
    """Return the lines of the template that the tracer sees while it is rendered."""
    jinja = engines["boards"].env
    code = jinja.compile(TEMPLATE, filename=str(template))
    compiled = jinja.template_class.from_code(jinja, code, {})
    tracer, lines = JinjaTracer(str(template)), set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != str(template):
            return None
        if event == "line":
            lines.update(tracer.line_number_range(frame))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        compiled.render(name=name)
    finally:
        sys.settrace(before)
    return lines - {-1}


def test_lines_with_code_are_reported(template: Path) -> None:
    assert JinjaReporter(str(template)).lines() == {2, 3, 4}


def test_a_line_counts_when_it_is_rendered(template: Path) -> None:
    assert rendered_lines(template, "Olive") == {2, 3, 4}
    assert rendered_lines(template, "Otto") == {2, 3}
