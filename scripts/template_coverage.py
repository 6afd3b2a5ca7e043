"""A coverage.py plugin that measures the lines of Django and Jinja templates.

django-coverage-plugin measures Django's, but refuses projects with a second template language and
templates with empty text. No maintained plugin measures Jinja's.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from coverage.plugin import CoveragePlugin, FileReporter, FileTracer
from coverage.plugin_support import Plugins
from coverage.types import TLineNo
from django_coverage_plugin.plugin import DjangoTemplatePlugin

NO_LINES = (-1, -1)
DEBUG_INFO = re.compile(r"^debug_info = '(.*)'$", re.MULTILINE)


class DjangoTemplates(DjangoTemplatePlugin):  # type: ignore[misc]  # has no types
    """The lines of Django's templates."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        # Skip the check for templates of other languages.
        self.debug_checked = True

    def file_reporter(self, filename: str) -> Any:
        """Return the reporter of a template."""
        _set_up_django()
        return super().file_reporter(filename)

    def line_number_range(self, frame: FrameType) -> Any:
        """Return the lines of the rendered node. The plugin reads the first line of a text, which
        is empty if it was a line break that no browser shows."""
        is_empty = getattr(frame.f_locals["self"], "s", None) == ""
        return NO_LINES if is_empty else super().line_number_range(frame)


class JinjaTemplates(CoveragePlugin):
    """The lines of Jinja's templates, which it compiles to Python functions."""

    def file_tracer(self, filename: str) -> FileTracer | None:
        """Return the tracer of a template."""
        return JinjaTracer(filename) if filename.endswith(".jinja") else None

    def file_reporter(self, filename: str) -> FileReporter:
        """Return the reporter of a template."""
        _set_up_django()
        return JinjaReporter(filename)

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        """Yield all templates in a folder."""
        return map(str, Path(src_dir).rglob("*.jinja"))


class JinjaTracer(FileTracer):
    """Translates lines of compiled code into lines of a template."""

    def __init__(self, filename: str) -> None:
        self._filename = filename

    def source_filename(self) -> str:
        """Return the file of the template."""
        return self._filename

    def line_number_range(self, frame: FrameType) -> tuple[TLineNo, TLineNo]:
        """Return the line of the template that is rendered."""
        # The compiled code ends with this variable; it is not set while the module is executed.
        pairs = _line_pairs(frame.f_globals.get("debug_info", ""))
        index = bisect_right(pairs, frame.f_lineno, key=lambda pair: pair[1]) - 1
        if index < 0:
            return NO_LINES
        line, _ = pairs[index]
        return line, line


class JinjaReporter(FileReporter):
    """Knows the lines of a template that are compiled to code."""

    def lines(self) -> set[TLineNo]:
        """Return the numbers of these lines."""
        from django.template import engines

        jinja = engines["boards"].env  # type: ignore[attr-defined]  # of Django's Jinja2 backend
        code = jinja.compile(self.source(), filename=self.filename, raw=True)
        debug_info = DEBUG_INFO.search(code)
        return {line for line, _ in _line_pairs(debug_info[1])} if debug_info else set()


@cache
def _line_pairs(debug_info: str) -> list[tuple[int, int]]:
    """Return the lines of a template with their lines of code, in the order of the code."""
    pairs = [pair.split("=") for pair in debug_info.split("&") if pair]
    return [(int(line), int(code_line)) for line, code_line in pairs]


def _set_up_django() -> None:
    """Load the settings of the tests in the process that reports."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()


def coverage_init(registry: Plugins, options: dict[str, str]) -> None:
    """Register both plugins."""
    django_templates = DjangoTemplates(options)
    registry.add_configurer(django_templates)
    registry.add_file_tracer(django_templates)
    registry.add_file_tracer(JinjaTemplates())
