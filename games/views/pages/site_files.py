"""Pages and files about the site: rules, manifest, picture for previews, robots.txt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games.core.translation import translate
from games.presentation import jinja
from games.presentation.pictures import (
    render_example,
    render_kind_svg,
    render_share_svg,
    render_small_png,
)
from games.presentation.sharing import rules_preview
from games.state.lists import kinds
from games.views.lobby.new import find_rules
from games.views.responses import picture_response
from games.web.request import HttpRequest, return_path
from games.web.slot import in_slot

HOUR, DAY = 3600, 24 * 3600
PAPER = "#f7f4ee"
ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /g/*/analysis/
Disallow: /me/
Disallow: /settings/
"""


@cache_control(public=True, max_age=DAY)
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Keep crawlers away from addresses that are no pages to read. Games and invitations have a
    ``noindex`` instead, since link previews obey robots.txt too."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@cache_control(public=True, max_age=HOUR)
@vary_on_headers("Accept-Language", "Cookie")
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest, with which browsers install the site."""
    values = {
        "id": reverse("home"),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "description": _("Play board games against the computer or with friends."),
        "lang": get_language(),
        "dir": "ltr",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["games"],
        "icons": _icons(),
        "shortcuts": [
            {"name": translate(rules.name), "url": reverse("new", args=[rules.slug])}
            for rules in kinds()
        ],
    }
    return JsonResponse(values, content_type="application/manifest+json")


def _icons() -> list[dict[str, str]]:
    def icon(name: str, sizes: str, kind: str, purpose: str = "any") -> dict[str, str]:
        return {"src": static(f"site/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}

    return [
        icon("icon.svg", "any", "image/svg+xml"),
        icon("icons/icon-192.png", "192x192", "image/png"),
        icon("icons/icon-512.png", "512x512", "image/png"),
        icon("icons/maskable-512.png", "512x512", "image/png", "maskable"),
    ]


@cache_control(public=True, max_age=HOUR)
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which is no static file: its address is its scope."""
    return HttpResponse(_service_worker(), content_type="text/javascript; charset=utf-8")


@cache
def _service_worker() -> str:
    found = finders.find("site/scripts/service-worker.js")
    return Path(str(found)).read_text()


@cache_control(public=True, max_age=DAY)
@require_safe
def share_picture(request: HttpRequest) -> HttpResponse:
    svg = render_share_svg(settings.SITE_NAME, kinds())
    return picture_response(in_slot(request, render_small_png, svg, free=True))


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the rules page. The game's own text, ``<slug>/rules.jinja``, contains the pictures."""
    found = find_rules(slug)
    pictures = {name: render_example(found, example) for name, example in found.examples.items()}
    body = jinja.render(f"{slug}/rules.jinja", pictures=pictures)
    context = {
        "rules": found,
        "body": body,
        "next": return_path(request),
        "preview": rules_preview(found),
    }
    return render(request, "page/rules.html", context)


@cache_control(public=True, max_age=DAY)
@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the picture of a kind of game as PNG, for link previews."""
    svg = render_kind_svg(find_rules(slug))
    return picture_response(in_slot(request, render_small_png, svg, free=True))
