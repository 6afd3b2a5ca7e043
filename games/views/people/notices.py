"""The channels through which the visitor gets notices, their kinds, and a test."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST

from games.core.rate_limits import (
    DEVICES_PER_PLAYER,
    PASSWORDS_PER_PLAYER,
    SEATS_PER_ADDRESS,
    TESTS_PER_PLAYER,
)
from games.core.refusals import Refusal
from games.models import NoticeKind
from games.notices import channels, events
from games.notices.subscriptions import subscribe_device, unsubscribe_device
from games.people import emails
from games.views.common import count_request, register_device, require_player
from games.views.people.devices_page import devices_page
from games.web.request import HttpRequest

LIMITS = (DEVICES_PER_PLAYER, SEATS_PER_ADDRESS)


@require_POST
def push(request: HttpRequest) -> HttpResponse:
    """Subscribe this device to notices of turns, or unsubscribe it (``off``)."""
    if not settings.PUSH_KEY:
        raise Http404
    try:
        count_request(request, LIMITS)
        require_player(request)
        if request.device_id and "off" in request.POST:
            unsubscribe_device(device_id=request.device_id)
        elif device := register_device(request):
            subscribe_device(
                device=device,
                endpoint=request.POST.get("endpoint", ""),
                key=request.POST.get("p256dh", ""),
                secret=request.POST.get("auth", ""),
                site=request.build_absolute_uri(reverse("home")),
            )
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect(f"{reverse('devices')}#notices")


@cache_control(no_store=True)
@require_POST
def hook(request: HttpRequest) -> HttpResponse:
    """Set the web hook for notices of the visitor's turns; an empty address removes it."""
    try:
        PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
        if player := request.get_player():
            site = request.build_absolute_uri(reverse("home"))
            channels.set_hook(player=player, url=request.POST.get("url", ""), site=site)
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect(f"{reverse('devices')}?done=hook")


@require_POST
def kinds(request: HttpRequest) -> HttpResponse:
    """Store which kinds of notices the visitor wants: the fields ``kind``."""
    try:
        wanted = request.POST.getlist("kind")[: len(NoticeKind)]
        events.choose_kinds(player=require_player(request), wanted=wanted)
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect(f"{reverse('devices')}?done=kinds#notices")


@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Send a test to all channels of the visitor, and to the e-mail address."""
    try:
        player = require_player(request)
        TESTS_PER_PLAYER.hit(str(player.pk))
        events.ask_for_test(player)
        if settings.HAS_EMAIL:
            emails.ask_for_test(player=player)
    except Refusal as refused:
        return devices_page(request, refused)
    return redirect(f"{reverse('devices')}?done=test#notices")
