"""Names of libraries that they do not document, and that the code uses. Each has an upper bound in
pyproject.toml."""

from __future__ import annotations

import inspect

from django.db import connection
from jinja2 import Environment
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from games.models import Game
from scripts.sources import ROOT

BOUNDED = ["django>=5.2,<5.3", "jinja2>=3.1,<3.2", "uvicorn>=0.50,<0.60"]


def test_every_library_with_private_names_has_an_upper_bound():
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [bound for bound in BOUNDED if f'"{bound}"' not in declared] == []


def test_uvicorns_protocol_has_the_members_that_the_header_timeout_uses():
    source = inspect.getsource(HttpToolsProtocol)
    members = ["self.pipeline", "self.cycle", "self.transport", "self.loop"]
    methods = ["data_received", "on_message_begin", "on_headers_complete", "on_body"]
    assert [name for name in members if name not in source] == []
    assert [name for name in methods if not hasattr(HttpToolsProtocol, name)] == []
    assert "response_complete" in inspect.getsource(RequestResponseCycle)


def test_a_jinja_template_renders_into_a_context_that_shares_its_names():
    template = Environment(autoescape=True).from_string("{{ name }}")
    context = template.new_context({"name": "<b>"}, shared=True)
    assert "".join(template.root_render_func(context)) == "&lt;b&gt;"


def test_a_row_of_django_has_a_state_with_the_rows_beside_it():
    assert Game()._state.fields_cache == {}


def test_a_compiler_of_django_tells_its_columns_and_converters():
    compiler = Game.objects.filter(pk="").query.get_compiler(connection=connection)
    compiler.as_sql()
    columns = [column for column, *_ in compiler.select[: compiler.col_count]]
    assert compiler.get_converters(columns)
    assert compiler.apply_converters
