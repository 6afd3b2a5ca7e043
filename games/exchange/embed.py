"""A board for the pages of others: the only page of the site that may stand in a frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.presentation.explored import Stepper
from games.presentation.game_page import build_page
from games.presentation.pictures import HEIGHT, WIDTH, game_sprite
from games.presentation.sharing import FRAME, frame_code, ply_preview, sharing_title
from games.presentation.visibility import Perspective
from games.state.seat_rights import is_shut_out
from games.state.snapshot import GameSnapshot
from games.views.common import read_game
from games.views.errors import PAGES
from games.web.client_address import client_address
from games.web.headers import content_policy, for_anywhere
from games.web.request import HttpRequest

SMALLEST = 200
"""The width and height that a page may at least ask for, in CSS pixels."""


@xframe_options_exempt
@require_http_methods(["GET", "HEAD", "OPTIONS"])
def embed(request: HttpRequest, game_id: str, ply: int | None = None) -> HttpResponse:
    """Return the board after ``ply`` moves, or else the newest, as spectators see it: the page
    around the frame must not show the view of the visitor's seat.

    Browsers ask before htmx steps in a sandboxed frame, since its origin is not that of the site.
    """
    if request.method == "OPTIONS":
        headers = {"Access-Control-Allow-Headers": "*", "Access-Control-Max-Age": "86400"}
        return for_anywhere(HttpResponse(status=204, headers=headers))
    snapshot = _public_game(game_id)
    shown = min(snapshot.last_ply if ply is None else ply, snapshot.last_ply)
    address = snapshot.game.get_absolute_url()
    page = build_page(snapshot, Perspective(language=get_language()), ply=shown)
    drawings = game_sprite(snapshot.game)
    context = {
        # Browsers refuse drawings of another origin, which that of a sandboxed frame is.
        "page": replace(page, board=replace(page.board, sprite="")),
        "drawings": SafeString(drawings.svg.decode() if drawings else ""),
        "stepper": Stepper(shown, snapshot.last_ply, address + "{}/embed/"),
        "name": sharing_title(snapshot),
        "follows": not snapshot.game.over and not snapshot.fault,
    }
    response = for_anywhere(render(request, "exchange/embed.html", context))
    response["Content-Security-Policy"] = content_policy(replace={"frame-ancestors": ["*"]})
    return response


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe the board of the page at ``?url=``, for programs that show links as what they lead
    to. The format is on https://oembed.com."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    try:
        PICTURES_PER_ADDRESS.hit(client_address(request))
        about, status = _described(request), 200
    except Refusal as refused:
        about, status = {"error": translate(refused.text)}, refused.status
    except Http404:
        about, status = {"error": translate(PAGES[404][1])}, 404
    return for_anywhere(JsonResponse(about, status=status))


def _described(request: HttpRequest) -> dict[str, Any]:
    snapshot, ply = _game_at(request, request.GET.get("url", ""))
    width, height = (
        _at_most(request, name, usual)
        for name, usual in zip(("maxwidth", "maxheight"), FRAME, strict=True)
    )
    preview = ply_preview(snapshot, snapshot.last_ply if ply is None else ply)
    return {
        "version": "1.0",
        "type": "rich",
        "title": preview.title,
        "provider_name": settings.SITE_NAME,
        "provider_url": request.build_absolute_uri("/"),
        "html": frame_code(snapshot, request.build_absolute_uri("/"), ply, (width, height)),
        "width": width,
        "height": height,
        "thumbnail_url": request.build_absolute_uri(preview.picture),
        "thumbnail_width": WIDTH,
        "thumbnail_height": HEIGHT,
    }


def _public_game(game_id: str) -> GameSnapshot:
    """Return a game that strangers may see. Raises Http404 for others."""
    snapshot = read_game(game_id)
    if is_shut_out(snapshot, None) or not snapshot.game.begun:
        raise Http404
    return snapshot


def _game_at(request: HttpRequest, address: str) -> tuple[GameSnapshot, int | None]:
    """Return the game of an address of this site and the ply that it names. Raises Http404."""
    try:
        parts = urlsplit(address)
        found = resolve(parts.path).kwargs if parts.netloc == request.get_host() else {}
    except (Resolver404, ValueError) as error:
        raise Http404 from error
    snapshot, ply = _public_game(found.get("game_id", "")), found.get("ply")
    if ply is not None and ply > snapshot.last_ply:
        raise Http404
    return snapshot, ply


def _at_most(request: HttpRequest, name: str, usual: int) -> int:
    size = request.GET.get(name, "")
    most = int(size) if size.isascii() and size.isdecimal() and len(size) < 6 else usual
    return max(SMALLEST, min(most, usual))
