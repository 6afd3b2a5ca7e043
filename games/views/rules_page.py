"""How a game is played, with pictures drawn by the board's own template."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.presentation.board import example_board
from games.views.new import find_rules


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules page; the game's own text in ``<slug>/rules.html`` places the pictures."""
    found = find_rules(slug)
    pictures = {
        name: {"board": example_board(found, example), "caption": example.caption}
        for name, example in found.examples.items()
    }
    context = {"rules": found, "pictures": pictures, "body": f"{slug}/rules.html"}
    return render(request, "games/rules.html", context)
