"""A context processor with the name of the site and the picture for link previews."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the name of the site, and functions that return the address of its picture, which does
    not exist for a wrong host, and the player, whom not every page needs."""
    return {
        "site_name": settings.SITE_NAME,
        "site_picture": lambda: request.build_absolute_uri(reverse("share_picture")),
        "visitor": getattr(request, "get_player", None),
    }
