"""The rules pages, with pictures drawn by the board's own template."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.contract import Text
from games.presentation import jinja
from games.presentation.board import Board, example_board
from games.presentation.pictures import render_kind_svg, render_small_png
from games.presentation.sharing import rules_preview
from games.presentation.sprites import example_sprite_address
from games.views.lobby.new import find_rules
from games.views.responses import picture_response
from games.web.request import HttpRequest, return_path
from games.web.slot import in_slot

DAY = 24 * 3600


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the rules page. The game's own text, ``<slug>/rules.jinja``, contains the pictures."""
    found = find_rules(slug)
    sprite = example_sprite_address(found)
    pictures = {
        name: _picture(example_board(found, example, sprite=sprite), example.caption)
        for name, example in found.examples.items()
    }
    body = jinja.render(f"{slug}/rules.jinja", pictures=pictures)
    context = {
        "rules": found,
        "body": body,
        "next": return_path(request),
        "preview": rules_preview(found),
    }
    return render(request, "page/rules.html", context)


@cache_control(public=True, max_age=DAY)
@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the picture of a kind of game as PNG, for link previews."""
    svg = render_kind_svg(find_rules(slug))
    return picture_response(in_slot(request, render_small_png, svg, free=True))


def _picture(board: Board, caption: Text) -> str:
    return jinja.render("board/_picture.jinja", board=board, caption=caption, confirm="")
