"""The templates that change with every move."""

from __future__ import annotations

import pytest
from jinja2 import Environment

from games import drawing
from tests.cast import a_game, person


def forget_templates() -> None:
    """As in a process that has just begun."""
    drawing._engine().cache.clear()
    drawing._template.cache_clear()
    drawing.part.cache_clear()


@pytest.mark.django_db
def test_after_the_start_no_template_is_compiled_for_a_visitor(monkeypatch):
    owner = person("Olive")
    game = a_game(owner)
    forget_templates()
    drawing.load_all()
    monkeypatch.setattr(Environment, "compile", None)
    answer = owner.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"})
    assert answer.status_code == 200
