"""The Jinja templates of boards: compiled once, and tolerant of bare cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
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
    jinja._folder.cache_clear()
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


@pytest.fixture
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder where nothing is compiled yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    forget_templates()
    yield tmp_path
    forget_templates()


def test_a_later_process_loads_the_templates_that_an_earlier_one_compiled(fresh_home, monkeypatch):
    jinja.load_all()
    forget_templates()
    # Jinja compiles what is not cached.
    monkeypatch.setattr(Environment, "compile", None)
    jinja.load_all()


def test_templates_are_compiled_again_once_names_of_static_files_change(fresh_home, monkeypatch):
    before = jinja._folder()
    forget_templates()
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "new", raising=False)
    assert jinja._folder() != before


@pytest.mark.django_db
def test_each_language_has_its_own_compiled_templates(fresh_home):
    owner = new_person("Olive")
    address = f"/g/{make_game(owner).id}/board/"
    pages = []
    for language in ("en", "nl", "en"):
        forget_templates()
        headers = {"HX-Request": "true", "Accept-Language": language}
        pages.append(owner.client.get(address, headers=headers).text)
    assert [("Resign" in page, "Opgeven" in page) for page in pages] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def test_without_a_writable_folder_templates_are_compiled_all_the_same(fresh_home, monkeypatch):
    (fresh_home / "file").touch()
    for name in ("NUMBA_CACHE_DIR", "BOARDSITE_DATA", "HOME"):
        monkeypatch.setenv(name, str(fresh_home / "file"))
    monkeypatch.setattr(jinja, "__file__", str(fresh_home / "file" / "jinja.py"))
    jinja.load_all()
    assert jinja._folder() == ""


def test_where_no_compiled_template_can_be_written_they_are_compiled_all_the_same(fresh_home):
    Path(jinja._folder()).rmdir()
    jinja.load_all()
    assert not any(fresh_home.iterdir())


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
