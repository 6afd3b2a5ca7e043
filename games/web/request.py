"""The type of requests after the site's middleware, and values that are read from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID

from django import http
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from games.models import Player


class HttpRequest(http.HttpRequest):
    """A request with what middleware adds, for annotations: Django makes its own."""

    htmx: HtmxDetails
    """The details of an htmx request; false for other requests."""
    device_id: UUID | None
    """The id in the player cookie, None without one."""
    player_id: UUID | None
    """The player of that device, None if it was signed out. The player may have been deleted."""
    cookie_for: tuple[Player, UUID | None] | None
    """The player, and the device if it is not the first one, whose cookie the response sets."""
    get_player: Callable[[], Player | None]
    """Returns the player with that id, read from the database once; None if there is none."""


GetResponse = Callable[[HttpRequest], http.HttpResponse]
"""The next middleware or the view."""


_PLY = re.compile(r"[0-9]{1,6}", re.ASCII)


def parse_ply(raw: str) -> int:
    """Return the ply in a form; -1, which is always stale, for any other text."""
    return int(raw) if _PLY.fullmatch(raw) else -1


def form_key(request: http.HttpRequest) -> str:
    """Return a key of a form, as it was shown and filled in: the same if it is sent again. It needs
    no field of its own, since each page has another CSRF token; '' without one."""
    if "csrfmiddlewaretoken" not in request.POST:
        return ""
    shown = repr([request.path, *sorted(request.POST.lists())])
    return hashlib.sha256(shown.encode()).hexdigest()


LONGEST = 200


def return_path(request: HttpRequest) -> str:
    """Return the path in the parameter ``next``; '' for an address elsewhere."""
    path = request.POST.get("next") or request.GET.get("next") or ""
    is_own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_own and len(path) <= LONGEST else ""


# The order matters: most browsers name others as well.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_name(request: HttpRequest) -> str:
    """Return the browser and system, as ``Firefox, Android``; '' if neither is known."""
    agent = request.META.get("HTTP_USER_AGENT", "")
    found = (next((name for sign, name in kinds if sign in agent), "") for kinds in _KINDS)
    return ", ".join(filter(None, found))


_KINDS = (BROWSERS, SYSTEMS)
