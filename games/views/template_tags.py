"""Template tags for sentences of the contract, boards, and optional templates of games."""

from __future__ import annotations

from django import template

from games.core.translation import translate
from games.people.reports import waiting_reports
from games.presentation import jinja, move_list


def board_lines(value: object, picture: str) -> str:
    """Return the lines between the rows, the columns, or both of a ``board``, as a path in a square
    of 24 units.

    >>> board_lines(2, "board")
    'M0 12h24M12 0v24'
    """
    parts = int(str(value))
    places = [f"{24 * line / parts:.4g}" for line in range(1, parts)]
    rows = "".join(f"M0 {at}h24" for at in places if picture != "columns")
    return rows + "".join(f"M{at} 0v24" for at in places if picture != "rows")


register = template.Library()
register.filter("tr", translate)
register.filter("board_lines", board_lines)
register.filter("move", move_list.display_move)
register.simple_tag(jinja.render, name="render")
register.simple_tag(waiting_reports)
register.simple_tag(jinja.render_part, name="render_part")
