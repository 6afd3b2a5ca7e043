"""The page of the visitor's devices and notices, shown by the views of both."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.core.refusals import Refusal
from games.models import NoticeKind, Player
from games.notices import channels, events, web_push
from games.notices.subscriptions import is_subscribed
from games.people import emails
from games.people.devices import device_token, devices_of, note_device, open_device_link
from games.web.request import HttpRequest
from games.web.user_agents import device_name


def devices_page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    """Return the page of the visitor's devices and notices."""
    player = request.get_player()
    if request.device_id:
        note_device(request.device_id)
    link = open_device_link(player) if player else None
    token = device_token(link) if link else ""
    context = {
        "player": player,
        "devices": devices_of(player) if player else [],
        "this": request.device_id,
        "here": device_name(request),
        "refused": refused.text if refused else None,
        "link": link,
        "address": request.build_absolute_uri(reverse("device", args=[token])) if token else "",
        "code": reverse("device_code", args=[token]) if token else "",
        "push_key": settings.PUSH_KEY and web_push.public_key(settings.PUSH_KEY),
        "is_told": bool(request.device_id and is_subscribed(request.device_id)),
        "has_email": settings.HAS_EMAIL,
        **_notices(player, request.device_id),
        "url": request.POST.get("url", ""),
        "done": request.GET.get("done", ""),
    }
    status = refused.status if refused else 200
    return render(request, "people/devices.html", context, status=status)


class KindChoice(NamedTuple):
    """A kind of notices, as the page offers it."""

    value: str
    label: Any
    wanted: bool


def _notices(player: Player | None, device_id: UUID | None) -> dict[str, Any]:
    """Return the channels of a player, how they failed last, and the kinds of notices."""
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
        "has_channel": channels.is_reached(player.pk),
    }
