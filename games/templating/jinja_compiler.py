"""Jinja's compiler, with shorter Python for attributes, calls and values: a board has hundreds.

Jinja looks attributes up in a function of its own, looks at each function before it calls it, and
wraps each escaped value in a class. All three took a third of the time of a template. Here an
attribute is looked up in place, a function is called at once, and an escaped value is a string.
Templates mean the same as before, but for functions that ask for Jinja's context: those have to be
filters.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import lru_cache
from operator import call
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst


class _ShortCodeGenerator(CodeGenerator):
    # The names of the methods are Jinja's.

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        # A value of a mapping has the same notation as an attribute: Jinja's lookup finds it.
        self.write("(found if (found := getattr((of := ")
        self.visit(node.node, frame)
        self.write(f"), {node.attr!r}, missing)) is not missing")
        self.write(f" else environment.getattr(of, {node.attr!r}))")

    @optimizeconst
    def visit_Call(  # noqa: N802
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        self.write("environment.call(")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.escape(")


@lru_cache(10_000)
def _escape_text(text: str) -> str:
    return html.escape(text)


def _escape(value: Any) -> str:
    if value.__class__ is str:
        return _escape_text(value)
    safe = getattr(value, "__html__", None)
    return _escape_text(str(value)) if safe is None else str(safe())


class ShortEnvironment(Environment):
    """Compiles templates with the shorter Python. All of them escape their values."""

    code_generator_class = _ShortCodeGenerator
    # mypy cannot tell the type of a generic function in a staticmethod.
    call: Callable[..., Any] = staticmethod(call)  # type: ignore[arg-type]
    escape: Callable[[Any], str] = staticmethod(_escape)
