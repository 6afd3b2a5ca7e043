"""The Jinja templates of boards: compiled once, and tolerant of bare cells."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from random import Random
from typing import Any

import pytest
from django.utils.safestring import SafeString
from jinja2 import Environment, UndefinedError

from games.core.translation import active_translator
from games.presentation import jinja
from games.presentation.board import build_board
from games.presentation.board_html import render_rows
from games.state.snapshot import Standing
from tests.support.game_factory import make_game
from tests.support.kinds import two_player_rules
from tests.support.players import new_person


def forget_templates() -> None:
    """Empty the caches of templates, as in a new process."""
    jinja._localized.cache_clear()
    jinja._template.cache_clear()


@pytest.mark.django_db
def test_no_template_is_compiled_by_a_request(monkeypatch):
    owner = new_person("Olive")
    game = make_game(owner)
    forget_templates()
    jinja.load_all()
    monkeypatch.setattr(Environment, "compile", None)
    response = owner.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"})
    assert response.status_code == 200


@pytest.mark.django_db
def test_a_board_of_cells_with_only_a_name_and_a_label_is_rendered():
    rules = two_player_rules()
    position = rules.start(rules.deal(rules.clean({}), Random(1)))
    board = build_board(rules, Standing.of(position), viewpoint=None)
    bare = [
        [square._replace(cell={name: square.cell[name] for name in ("name", "label")})]
        for row in board.rows
        for square in row
    ]
    html = render_rows(
        replace(board, rows=bare), "never", lambda cell, _: str(dict(cell)), active_translator()
    )
    assert html.count(">{}<") == len(bare)


class Disc:
    """A value with an attribute and without keys."""

    colour = "black"


def filled(source: str, **context: Any) -> str:
    """Render a template from its source."""
    return jinja._engine().from_string(source).render(context)


def test_a_name_after_a_dot_is_an_attribute_or_a_key():
    source = "{{ cell.disc.colour }} {{ cell.counts.black }}"
    assert filled(source, cell={"disc": Disc(), "counts": {"black": None}}) == "black None"


def test_a_misspelt_name_after_a_dot_is_an_error():
    with pytest.raises(UndefinedError, match="color"):
        filled("{{ disc.color }}", disc=Disc())


def test_text_is_escaped_once_and_html_is_not():
    source = "{{ name }} {{ name|e }} {{ html }} {{ 2 }} "
    more = "{% set more %}{{ name }}{% endset %}{{ more }}"
    shown = filled(source + more, name='<b class="a">&', html=SafeString("<i>"))
    assert [unescape(shown), shown.count("&amp;"), shown.count("<")] == [
        '<b class="a">& <b class="a">& <i> 2 <b class="a">&',
        3,
        1,
    ]


def test_a_function_is_called_with_all_its_arguments_in_a_loop_too():
    source = "{% for n in [1, 2] %}{{ told(n, *[3], end=loop.last, **{'more': 4}) }} {% endfor %}"
    shown = filled(source, told=lambda *values, **named: sum([*values, *named.values()]))
    assert shown == "8 10 "


def test_a_macro_has_the_body_of_its_call():
    macro = "{% macro bold() %}<b>{{ caller() }}</b>{% endmacro %}"
    call = "{% call bold() %}{{ name }}{% endcall %}"
    assert filled(macro + call, name="<i>") == "<b>&lt;i&gt;</b>"
