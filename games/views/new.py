"""Setting up a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import services
from games.contract import BadSetup, Rules
from games.forms import NewGameForm
from games.models import Player
from games.quotas import GAMES_A_PLAYER, GAMES_AN_ADDRESS, TooMany
from games.registry import all_rules
from games.sentences import translate
from games.views.common import player_of, with_player


def find_rules(slug: str) -> Rules:
    """The rules of an address, or 404."""
    try:
        return all_rules()[slug]
    except KeyError:
        raise Http404 from None


@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to play; make the game and go there."""
    rules = find_rules(slug)
    player = player_of(request)
    form = NewGameForm(rules, request.POST or None, name=player.name if player else "")
    if request.method == "POST" and form.is_valid():
        try:
            return with_player(
                request,
                lambda player: _create(rules, form, player),
                form.cleaned_data["name"],
                (GAMES_A_PLAYER, GAMES_AN_ADDRESS),
            )
        except TooMany as error:
            form.add_error(None, translate(error.text))
            return _page(request, rules, form, error.status)
        except BadSetup as error:
            field = error.option if error.option in form.fields else None
            form.add_error(field, translate(error.text))
    return _page(request, rules, form, 422 if request.method == "POST" else 200)


def _page(request: HttpRequest, rules: Rules, form: NewGameForm, status: int) -> HttpResponse:
    return render(request, "games/new.html", {"rules": rules, "form": form}, status=status)


def _create(rules: Rules, form: NewGameForm, player: Player) -> str:
    game = services.create_game(
        player=player,
        rules=rules,
        options=form.options(),
        seating=form.seating(),
        hints=form.cleaned_data.get("hints", False),
        record=form.cleaned_data.get("record", ""),
    )
    return reverse("game", args=[game.id])
