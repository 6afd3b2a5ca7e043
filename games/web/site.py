"""The name of the site, and the picture by which links to it are shown, for every template."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the name of the site, and functions: of the address of its picture, since pages that
    answer a wrong host have none, and of the player, whom not every page needs."""
    return {
        "site_name": settings.SITE_NAME,
        "site_picture": lambda: request.build_absolute_uri(reverse("share_picture")),
        "visitor": getattr(request, "get_player", None),
    }
