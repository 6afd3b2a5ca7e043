"""The visitor's devices: a link that joins another browser, and signing out.

A GET changes nothing: previews in messengers must not use links up.
"""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.core.rate_limits import DEVICES_PER_PLAYER, SEATS_PER_ADDRESS
from games.core.refusals import NotYourSeat, Refusal
from games.people import devices as devices_services
from games.people.devices import (
    HasAccount,
    LinkSpent,
    claim_device,
    has_account,
    link_of_token,
    offer_device,
    withdraw_device,
)
from games.views.common import browser_of, count_request, register_device, require_player
from games.views.people.devices_page import devices_page
from games.views.qr_codes import qr_code
from games.web.player_cookie import set_player_cookie
from games.web.request import HttpRequest
from games.web.user_agents import device_name

LIMITS = (DEVICES_PER_PLAYER, SEATS_PER_ADDRESS)


@cache_control(no_store=True)
@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """Show the visitor's devices, and the link for another device if there is one."""
    return devices_page(request)


@require_POST
def offer(request: HttpRequest) -> HttpResponse:
    """Make a link for another device, or ``cancel`` the existing link."""
    try:
        count_request(request, LIMITS)
        player = require_player(request)
        if "cancel" in request.POST:
            withdraw_device(player=player)
        else:
            if register_device(request) is None:
                # The player of the cookie was deleted.
                raise NotYourSeat
            offer_device(player=player)
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect("devices")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign one of the visitor's devices out: the field ``device``."""
    try:
        device_id = UUID(request.POST.get("device", ""))
        if device_id == request.device_id:
            register_device(request)
        devices_services.sign_out(player=require_player(request), device_id=device_id)
    except ValueError as error:
        raise Http404 from error
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect("home" if device_id == request.device_id else "devices")


@cache_control(no_store=True)
@require_safe
def code(request: HttpRequest, token: str) -> HttpResponse:
    """Return the link for another device as a QR code."""
    if link_of_token(token[:64]) is None:
        raise Http404
    return qr_code(request.build_absolute_uri(reverse("device", args=[token])))


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show whose games a link brings here (GET), and join this browser to that player (POST)."""
    if request.method != "POST":
        return _offer(request, token)
    try:
        count_request(request, LIMITS)
        device = claim_device(
            token=token[:64],
            device=register_device(request),
            claimant=browser_of(request),
            name=device_name(request),
        )
    except Refusal as refused:
        return _offer(request, token, refused)
    return set_player_cookie(redirect("my_games"), device.player, device.pk)


def _offer(request: HttpRequest, token: str, refused: Refusal | None = None) -> HttpResponse:
    link = link_of_token(token[:64])
    if link is None and refused is None:
        refused = LinkSpent()
    own = request.get_player()
    is_own = bool(link and own and link.player_id == own.pk)
    if own and link and not is_own and has_account(own):
        link, refused = None, HasAccount()
    context = {
        "link": link,
        "refused": refused.text if refused else None,
        "is_own": is_own,
        "games": own.holders.values("seat__game").distinct().count() if own else 0,
        "packs": own.packs.count() if own else 0,
    }
    status = refused.status if refused else 200
    return render(request, "people/join_device.html", context, status=status)
