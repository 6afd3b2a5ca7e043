"""A context processor with the name of the site and the picture for link previews."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language

LOCALES = {"en": "en_GB", "nl": "nl_NL"}
"""The languages of the site as the Open Graph protocol writes them."""


def context(request: HttpRequest) -> dict[str, Any]:
    """Return the name of the site, the picture and the language of link previews, and functions
    that return the site's address, which does not exist for a wrong host, and the player, whom not
    every page needs."""
    return {
        "site_name": settings.SITE_NAME,
        "site_picture": reverse("share_picture"),
        "site_locale": LOCALES.get(get_language() or "", ""),
        "site_address": lambda: request.build_absolute_uri("/")[:-1],
        "visitor": getattr(request, "get_player", None),
    }
