"""The type of requests after the site's middleware."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID

from django import http
from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from games.models import Player


class HttpRequest(http.HttpRequest):
    """A request with the attributes that middleware adds. It is only for annotations, since Django
    creates instances of its own classes."""

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
