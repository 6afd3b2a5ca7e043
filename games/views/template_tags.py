"""Template tags for sentences of the contract, boards, and optional templates of games."""

from __future__ import annotations

from django import template

from games.presentation import jinja, move_list
from games.views.lobby.drawings import board_lines

register = template.Library()
register.filter("tr", jinja.translate_value)
register.filter("board_lines", board_lines)
register.filter("move", move_list.display_move)
register.simple_tag(jinja.render, name="render")
register.simple_tag(jinja.render_part, name="render_part")
