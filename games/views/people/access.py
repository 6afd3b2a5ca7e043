"""The page about all that can act for the visitor: devices, tokens, bots, the web hook, links."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from games.core.rate_limits import GAMES_PER_ADDRESS, TESTS_PER_PLAYER
from games.core.refusals import NotYourSeat, Refusal
from games.models import Bot, Player
from games.notices.channels import hook_of
from games.people import access as programs
from games.people import devices
from games.people.accounts import account_of
from games.people.bots import bots_of, make_token, withdraw_token
from games.people.passkeys import passkeys_of
from games.views.common import (
    count_request,
    form_action,
    register_device,
    require_player,
    show_page,
    signed_in,
    with_player,
)
from games.web.request import HttpRequest, form_key, parse_ply

LIMITS = (TESTS_PER_PLAYER, GAMES_PER_ADDRESS)


def show_access(
    request: HttpRequest,
    refused: Refusal | None = None,
    made: str = "",
    made_for: Bot | None = None,
    player: Player | None = None,
) -> HttpResponse:
    """Show all that can act for the visitor, with a token that was ``made`` just now."""
    player = player or request.get_player()
    if request.device_id:
        devices.note_device(request.device_id)
    owned = account_of(player) if player else None
    context: dict[str, Any] = {
        "player": player,
        "this": request.device_id,
        "account": owned,
        "now": timezone.now(),
        "made": made,
        "made_for": made_for,
        "done": request.GET.get("done", ""),
    }
    if player:
        context |= {
            "devices": devices.devices_of(player),
            "link": devices.open_device_link(player),
            "passkeys": passkeys_of(owned) if owned else [],
            "tokens": programs.tokens_of(player),
            "bots": bots_of(player),
            "hook": hook_of(player),
            "asks": programs.has_stopped_programs(player),
            "events": programs.last_events(player),
        }
    return show_page(request, "people/access.html", context, refused)


@form_action(show_access, asks=show_access)
def access(request: HttpRequest) -> str | HttpResponse:
    """Show all that can act for the visitor (GET); end all others, stop a bot, let a stopped
    program go on, withdraw a token, or make one (POST)."""
    if "name" in request.POST:
        return _make_token(request)
    player = require_player(request)
    if "end" in request.POST:
        return _end_others(request)
    if stopped := bots_of(player).filter(pk=parse_ply(request.POST.get("stop", ""))).first():
        programs.stop_programs(stopped.player)
    if "hook" in request.POST:
        programs.allow_hook(player=player)
    if "allow" in request.POST:
        programs.allow_token(player=player, token_id=parse_ply(request.POST["allow"]))
    if "withdraw" in request.POST:
        withdraw_token(player=player, token_id=parse_ply(request.POST["withdraw"]))
    return "access"


def _make_token(request: HttpRequest) -> HttpResponse:
    """Make a token, shown once, also of a visitor who becomes a player by it."""

    def make(player: Player) -> tuple[Player, Bot | None, str]:
        bot = bots_of(player).filter(pk=parse_ply(request.POST.get("bot", ""))).first()
        name, key = request.POST.get("name", ""), form_key(request)
        return player, bot, make_token(player=player, name=name, bot=bot, key=key)

    count_request(request, LIMITS)
    player, bot, token = with_player(request, make)
    # A redirect would lose the token, which is stored nowhere.
    return show_access(request, made=token, made_for=bot, player=player)


def _end_others(request: HttpRequest) -> str:
    device = register_device(request)
    if device is None:
        raise NotYourSeat
    signed_in(request, devices.keep_only(device=device))
    return "access"
