"""Setting up a game."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import services
from games.contract import BadSetup, Rules
from games.forms import NewGameForm
from games.models import Player
from games.rate_limits import (
    COMPUTER_GAMES_PER_ADDRESS,
    GAMES_PER_ADDRESS,
    GAMES_PER_PLAYER,
    RateLimited,
)
from games.registry import all_rules
from games.translation import translate
from games.views.common import count_request, with_player
from games.web.client_address import client_address
from games.web.request import HttpRequest


def find_rules(slug: str) -> Rules:
    """Return the rules of an address, or 404."""
    try:
        return all_rules()[slug]
    except KeyError:
        raise Http404 from None


@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to play; make the game and go there."""
    rules = find_rules(slug)
    player = request.get_player()
    form = NewGameForm(rules, request.POST or None, name=player.name if player else "")
    if request.method == "POST" and form.is_valid():
        try:
            return _create(request, rules, form)
        except RateLimited as error:
            form.add_error(None, translate(error.text))
            return _page(request, rules, form, error.status)
        except BadSetup as error:
            field = error.option if error.option in form.fields else None
            form.add_error(field, translate(error.text))
    return _page(request, rules, form, 422 if request.method == "POST" else 200)


def _page(request: HttpRequest, rules: Rules, form: NewGameForm, status: int) -> HttpResponse:
    for field in form.wrong_fields()[:1]:
        field.field.widget.attrs["autofocus"] = True
    return render(request, "games/new.html", {"rules": rules, "form": form}, status=status)


def _create(request: HttpRequest, rules: Rules, form: NewGameForm) -> HttpResponse:
    """Make the game. Raises BadSetup or RateLimited."""
    count_request(request, (GAMES_PER_PLAYER, GAMES_PER_ADDRESS))
    plan = _plan(rules, form)
    return with_player(
        request, lambda player: _start(request, plan, player), form.cleaned_data["name"]
    )


def _start(request: HttpRequest, plan: services.Plan, player: Player) -> str:
    game = services.start_game(player=player, plan=plan)
    if plan.only_computers:
        COMPUTER_GAMES_PER_ADDRESS.hit(client_address(request))
    return reverse("game", args=[game.id])


def _plan(rules: Rules, form: NewGameForm) -> services.Plan:
    return services.plan_game(
        rules=rules,
        options=form.options(),
        seating=form.seating(),
        hints=form.cleaned_data.get("hints", False),
        transcript=form.cleaned_data.get("transcript", ""),
        random_seats=form.cleaned_data.get("random_seats", False),
        # Sent by a button, so that friends are invited without a further field.
        lobby=form.data.get("lobby") == "1",
    )
