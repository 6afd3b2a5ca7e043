"""The visitor's preferences and name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import NAME_LENGTH
from games.views.common import form_action, rename_player, show_page
from games.web import preferences
from games.web.request import HttpRequest, return_path


def _page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    context = {
        "saved": "saved" in request.GET,
        "name_length": NAME_LENGTH,
        "player": request.get_player(),
        "next": return_path(request),
        "looks": list(_looks(preferences.read_preferences(request))),
    }
    return show_page(request, "people/settings.html", context, refused)


def _looks(chosen: preferences.Preferences) -> Iterator[Mapping[str, Any]]:
    """Yield the fields for the looks of games: name, game, label, choices, and the chosen value."""
    known = chosen.looks.split()
    for slug, rules in all_rules().items():
        if look := rules.look:
            values = [value for value, _ in look.choices if f"{slug}-{value}" in known]
            yield {
                "name": preferences.look_field(slug),
                "game": rules.name,
                "label": look.label,
                "choices": look.choices,
                "chosen": (values or [look.default])[0],
            }


@form_action(_page, asks=_page)
def settings(request: HttpRequest) -> HttpResponse:
    """Show and save the theme, the confirmation of moves, sound, and the name. Saving redirects to
    the page from which the visitor came; the menu of a game's page stays on the game."""
    player = request.get_player()
    if player and "name" in request.POST:
        rename_player(player, request.POST["name"])
    response = _saved(request)
    preferences.store(response, preferences.from_form(request.POST.dict()))
    return response


def _saved(request: HttpRequest) -> HttpResponse:
    if request.htmx:
        return HttpResponse(status=204)
    return redirect(return_path(request) or f"{reverse('settings')}?saved")
