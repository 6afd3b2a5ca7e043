"""The visitor's devices and notices: a link that joins another browser, signing out, the channels
of notices, their kinds, and a test.

A GET changes nothing: previews in messengers must not use links up."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.core.rate_limits import (
    DEVICES_PER_PLAYER,
    PASSWORDS_PER_PLAYER,
    SEATS_PER_ADDRESS,
    TESTS_PER_PLAYER,
)
from games.core.refusals import NotYourSeat, Refusal
from games.models import NoticeKind, Player
from games.notices import channels, events, web_push
from games.people import devices as devices_services
from games.people import emails
from games.people.access import Kind, note
from games.people.devices import HasAccount, LinkSpent, claim_device, has_account, link_of_token
from games.views.common import form_action, register_device, require_player, show_page, signed_in
from games.views.responses import qr_code
from games.web.client_address import origin_of
from games.web.request import HttpRequest, device_name, form_key

LIMITS = (DEVICES_PER_PLAYER, SEATS_PER_ADDRESS)


def devices_page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    player = request.get_player()
    if request.device_id:
        devices_services.note_device(request.device_id)
    link = devices_services.open_device_link(player) if player else None
    token = devices_services.device_token(link) if link else ""
    context = {
        "player": player,
        "link": link,
        "address": request.build_absolute_uri(reverse("device", args=[token])) if token else "",
        "code": reverse("device_code", args=[token]) if token else "",
        "push_key": settings.PUSH_KEY and web_push.public_key(settings.PUSH_KEY),
        "is_told": bool(request.device_id and channels.is_subscribed(request.device_id)),
        "has_email": settings.HAS_EMAIL,
        **_notices(player, request.device_id),
        "url": request.POST.get("url", ""),
        "done": request.GET.get("done", ""),
    }
    return show_page(request, "people/devices.html", context, refused)


class KindChoice(NamedTuple):
    """A kind of notices, as the page offers it."""

    value: str
    label: Any
    wanted: bool


def _notices(player: Player | None, device_id: UUID | None) -> dict[str, Any]:
    if player is None:
        return {}
    muted = events.muted_kinds(player.pk)
    hook = channels.hook_of(player)
    return {
        "kinds": [KindChoice(kind, kind.label, kind not in muted) for kind in NoticeKind],
        "hook": hook,
        "hook_failure": hook and channels.failure_of(hook),
        "push_failure": device_id and channels.push_failure(device_id),
        "email": emails.email_of(player) if settings.HAS_EMAIL else None,
        "channels": {each.kind: each for each in channels.channels_of(player.pk)}.values(),
    }


@cache_control(no_store=True)
@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    return devices_page(request)


@form_action(devices_page, limits=LIMITS)
def offer(request: HttpRequest) -> str:
    """Make a link for another device, or ``cancel`` the existing link."""
    player = require_player(request)
    if "cancel" in request.POST:
        devices_services.withdraw_device(player=player)
    elif register_device(request) is None:
        # The player of the cookie was deleted.
        raise NotYourSeat
    else:
        devices_services.offer_device(player=player)
    return "devices"


@form_action(devices_page)
def sign_out(request: HttpRequest) -> str:
    """Sign one of the visitor's devices out: the field ``device``."""
    try:
        device_id = UUID(request.POST.get("device", ""))
    except ValueError as error:
        raise Http404 from error
    if device_id == request.device_id:
        register_device(request)
    devices_services.sign_out(player=require_player(request), device_id=device_id)
    return "home" if device_id == request.device_id else "access"


@form_action(devices_page, limits=LIMITS)
def push(request: HttpRequest) -> str:
    """Subscribe this device to notices of turns, or unsubscribe it (``off``). The service worker
    replaces a subscription that the browser has changed (``renewed``)."""
    if not settings.PUSH_KEY:
        raise Http404
    require_player(request)
    fields = {"endpoint": "endpoint", "key": "p256dh", "secret": "auth"}
    values = {name: request.POST.get(field, "") for name, field in fields.items()}
    if request.device_id and "off" in request.POST:
        channels.unsubscribe_device(device_id=request.device_id)
    elif request.device_id and "renewed" in request.POST:
        channels.renew_subscription(device_id=request.device_id, **values)
    elif device := register_device(request):
        site = request.build_absolute_uri(reverse("home"))
        channels.subscribe_device(device=device, site=site, origin=origin_of(request), **values)
    return f"{reverse('devices')}#notices"


@form_action(devices_page)
def hook(request: HttpRequest) -> str:
    """Set the web hook for notices of the visitor's turns; an empty address removes it."""
    PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
    if player := request.get_player():
        site = request.build_absolute_uri(reverse("home"))
        url, origin = request.POST.get("url", ""), origin_of(request)
        channels.set_hook(player=player, url=url, site=site, origin=origin)
        note(player, Kind.HOOK)
    return f"{reverse('devices')}?done=hook"


@form_action(devices_page)
def kinds(request: HttpRequest) -> str:
    """Store which kinds of notices the visitor wants, the fields ``kind``, and through which
    channels they come together, the fields ``gathered``."""
    player, wanted = require_player(request), request.POST.getlist("kind")[: len(NoticeKind)]
    events.choose_kinds(player=player, wanted=wanted)
    channels.gather(player=player, kinds=request.POST.getlist("gathered")[: len(channels.KINDS)])
    return f"{reverse('devices')}?done=kinds#notices"


@form_action(devices_page)
def test(request: HttpRequest) -> str:
    """Send a test to all channels of the visitor, and to the e-mail address."""
    player = require_player(request)
    TESTS_PER_PLAYER.hit(str(player.pk))
    events.ask_for_test(player)
    return f"{reverse('devices')}?done=test#notices"


code = qr_code("device", link_of_token)


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
        "is_own": is_own,
        "games": own.holders.values("seat__game").distinct().count() if own else 0,
        "packs": own.packs.count() if own else 0,
    }
    return show_page(request, "people/join_device.html", context, refused)


@form_action(_offer, limits=LIMITS, asks=_offer)
def join(request: HttpRequest, token: str) -> str:
    """Show whose games a link brings here (GET), and join this browser to that player (POST)."""
    device = claim_device(
        token=token[:64],
        device=register_device(request),
        claimant=form_key(request),
        name=device_name(request),
    )
    return signed_in(request, device)
