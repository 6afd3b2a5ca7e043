"""Template tags for sentences of the contract, boards, and optional templates of games."""

from __future__ import annotations

from django import template
from django.template import Context

from games.core.translation import translate
from games.people.reports import waiting_reports
from games.presentation import board_html, jinja, move_list
from games.presentation.lists import render_seeker
from games.services.seeking import seeker_for, seekers
from games.web.preferences import is_quiet


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


def someone(context: Context, kind: str) -> str | None:
    """Return the line on a seeker of an opponent, in a ``kind`` or '' for any; '' without
    one, None if the visitor has closed it."""
    request = context["request"]
    if is_quiet(request):
        return None
    found = seeker_for(request.player_id, kind, seekers())
    return render_seeker(*found) if found else ""


register = template.Library()
register.filter("tr", translate)
register.filter("board_lines", board_lines)
register.filter("move", move_list.display_move)
register.filter("figure", board_html.figure)
register.simple_tag(jinja.render, name="render")
register.simple_tag(waiting_reports)
register.simple_tag(someone, takes_context=True)
register.simple_tag(jinja.render_part, name="render_part")
