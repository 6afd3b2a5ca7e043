"""The Jinja templates of boards: compiled once, and tolerant of bare cells."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from jinja2 import Environment

from games.presentation import jinja
from games.presentation.board import build_board
from games.presentation.board_html import render_rows
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
    board = build_board(rules, rules.start(rules.deal(rules.clean({}), Random(1))), viewpoint=None)
    bare = [
        [square._replace(cell={name: square.cell[name] for name in ("name", "label")})]
        for row in board.rows
        for square in row
    ]
    html = render_rows(replace(board, rows=bare), "never", lambda cell, _: str(dict(cell)))
    assert html.count(">{}<") == len(bare)
