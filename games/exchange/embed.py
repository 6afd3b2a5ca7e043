"""A board for the pages of others: the only page of the site that may stand in a frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.core.rate_limits import PICTURES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import KeptVariation
from games.presentation.board import Board, build_board
from games.presentation.explored import Stepper
from games.presentation.game_page import build_page
from games.presentation.pictures import HEIGHT, WIDTH, game_sprite
from games.presentation.sharing import (
    FRAME,
    Preview,
    frame_code,
    frame_of,
    ply_preview,
    sharing_title,
    variation_preview,
)
from games.presentation.visibility import Perspective
from games.puzzles.views import find_entry, preview_of
from games.state.seat_rights import is_shut_out
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, position_of, read_variation
from games.views.analysis import why_not
from games.views.common import read_game
from games.views.errors import PAGES
from games.web.client_address import client_address
from games.web.headers import content_policy, for_anywhere
from games.web.request import HttpRequest

STILLS = {"puzzle", "kept"}
"""The pages with a board that neither steps nor follows a game."""


Still = tuple[Board, Preview]
"""A position in a frame, and the preview of its page."""


@xframe_options_exempt
@require_http_methods(["GET", "HEAD", "OPTIONS"])
def embed(request: HttpRequest, game_id: str, ply: int | None = None) -> HttpResponse:
    """Return the board after ``ply`` moves, or else the newest, as spectators see it: the page
    around the frame must not show the visitor's view. Browsers ask before htmx steps in a sandboxed
    frame."""
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
    return _in_frame(request, "exchange/embed.html", context)


def _in_frame(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    response = for_anywhere(render(request, template, context))
    response["Content-Security-Policy"] = content_policy(replace={"frame-ancestors": ["*"]})
    return response


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe the board of the page at ``?url=``, in the format of https://oembed.com."""
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


@xframe_options_exempt
@require_safe
def embed_still(
    request: HttpRequest, puzzle_id: str = "", game_id: str = "", key: str = ""
) -> HttpResponse:
    """Return the board of a puzzle, or at the end of a kept variation."""
    board, preview = _still(request, puzzle_id, game_id, key)
    return _in_frame(request, "exchange/embed_still.html", {"board": board, "preview": preview})


def _still(request: HttpRequest, puzzle_id: str = "", game_id: str = "", key: str = "") -> Still:
    """Return the first position of a puzzle, or the last of a kept variation. Raises Http404."""
    if not puzzle_id:
        return _kept(request, game_id, key)
    entry = find_entry(puzzle_id)
    board = build_board(entry.rules, Standing.of(entry.start), viewpoint=None)
    return board, preview_of(entry)


def _kept(request: HttpRequest, game_id: str, key: str) -> Still:
    snapshot = _public_game(game_id)
    rows = KeptVariation.objects.filter(pk=key, game=snapshot.game)
    row = rows.exclude(hidden=True).first()
    if row is None or row.ply > snapshot.last_ply or why_not(request, snapshot):
        raise Http404
    read = read_variation(snapshot, row.ply, row.line)
    whole = Variation(read.ply, read.moves, len(read.moves))
    preview = variation_preview(snapshot, whole, row.name, row.sentence)
    standing = Standing.of(position_of(snapshot, whole))
    board = build_board(snapshot.rules, standing, viewpoint=None)
    return board, replace(preview, address=reverse("kept", args=[game_id, key]))


def _described(request: HttpRequest) -> dict[str, Any]:
    asked = request.GET.get("url", "")
    page = _page_at(request, asked)
    width = _at_most(request, "maxwidth", FRAME[0])
    height = _at_most(request, "maxheight", width + FRAME[1] - FRAME[0])
    site = request.build_absolute_uri("/")
    if page.url_name in STILLS:
        _, preview = _still(request, **page.kwargs)
        address = site + preview.address[1:] + "embed/"
        html = frame_of(address, preview.title, (width, height))
    else:
        snapshot, ply = _game_at(page)
        preview = ply_preview(snapshot, snapshot.last_ply if ply is None else ply)
        html = frame_code(snapshot, site, ply, (width, height))
    return {
        "version": "1.0",
        "type": "rich",
        "title": preview.title,
        "provider_name": settings.SITE_NAME,
        "provider_url": request.build_absolute_uri("/"),
        "html": html,
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


def _page_at(request: HttpRequest, address: str) -> ResolverMatch:
    try:
        parts = urlsplit(address)
        if parts.netloc != request.get_host():
            raise Http404
        return resolve(parts.path)
    except (Resolver404, ValueError) as error:
        raise Http404 from error


def _game_at(page: ResolverMatch) -> tuple[GameSnapshot, int | None]:
    """Return the game of a page and the ply that its address names. Raises Http404."""
    snapshot, ply = _public_game(page.kwargs.get("game_id", "")), page.kwargs.get("ply")
    if ply is not None and ply > snapshot.last_ply:
        raise Http404
    return snapshot, ply


def _at_most(request: HttpRequest, name: str, usual: int) -> int:
    size = request.GET.get(name, "")
    most = int(size) if size.isascii() and size.isdecimal() and len(size) < 6 else usual
    return max(1, min(most, usual))
