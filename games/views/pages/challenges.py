"""Requests for games to known players, and the answers to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse

from games.core.clocks import TimeControl
from games.core.rate_limits import GAMES, SEATS
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.core.seating import Seating
from games.models import Player
from games.people import own_games
from games.services import challenges, plans
from games.services.challenges import NotToBeAsked
from games.state import lists
from games.state.identity import is_bot
from games.state.seat_claims import person_key
from games.views.common import form_action, require_player, show_page, with_player
from games.views.lobby.new import start_planned
from games.views.pages.my_games import my_games_page
from games.web.request import HttpRequest

TIMES = ("", "10+5", "3d")
MOST_KNOWN = 12
"""Players of the last games whom the page lists."""


def _known(player: Player) -> Iterator[tuple[str, Player]]:
    """Yield the other people of a player's last games, each once, by the key that names them in a
    form. Nobody else is named there, since ids of players are secrets."""
    games = [*lists.running_games(player), *lists.finished_games(player)]
    found: set[object] = {player.pk}
    for game, seating in games:
        for other, name in _names(seating).items():
            if other not in found and not is_bot(other) and len(found) <= MOST_KNOWN:
                found.add(other)
                yield f"{game.pk}:{person_key(game.pk, other)}", Player(pk=other, name=name)


def _names(seating: Seating) -> dict[UUID, str]:
    places = seating.places.values()
    return {other: name for place in places for other, name in place.players.items()}


def _people(request: HttpRequest) -> dict[str, Player]:
    """Return the players whom the visitor may ask, with the one of the public page ``of``."""
    player, wanted = request.get_player(), (request.POST or request.GET).get("of", "")
    people = dict(_known(player)) if player else {}
    public = own_games.player_of_page(wanted) if wanted and wanted not in people else None
    return {wanted: public, **people} if public else people


def _page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    chosen = request.POST or request.GET
    context = {
        "people": _people(request),
        "kinds": lists.kinds(),
        "times": [(written, TimeControl.parse(written)) for written in TIMES],
        "chosen": {name: chosen.get(name, "") for name in ("of", "kind", "time")},
    }
    return show_page(request, "lists/ask.html", context, refused)


@form_action(_page, limits=GAMES, asks=_page)
def ask(request: HttpRequest) -> str:
    """Show whom the visitor can ask for which game (GET), and ask (POST)."""
    found = _people(request).get(request.POST.get("of", ""))
    asked = found and Player.objects.filter(pk=found.pk).first()
    rules = all_rules().get(request.POST.get("kind", ""))
    if asked is None or rules is None:
        raise NotToBeAsked
    plan = plans.plan_quick_game(rules=rules, opponent=plans.FRIEND, options={})
    if (time := request.POST.get("time", "")) in TIMES:
        plan = replace(plan, new=replace(plan.new, time=TimeControl.parse(time)))
    start = partial(challenges.challenge, asked=asked)
    return start_planned(request, plan, start=start).get_absolute_url()


@form_action(my_games_page, limits=SEATS)
def answer(request: HttpRequest) -> str:
    """Take the seat for which the visitor is asked in ``game``, or ``decline``."""
    game_id = request.POST.get("game", "")
    if "decline" in request.POST:
        challenges.decline(game_id=game_id, player=require_player(request))
        return reverse("my_games")
    snapshot = with_player(
        request, lambda player: challenges.accept(game_id=game_id, player=player)
    )
    return snapshot.game.get_absolute_url()
