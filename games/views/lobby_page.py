"""Responses with the lobby of a game: the partial for htmx, the page for everybody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.contract import MoveError
from games.core.refusals import Refusal
from games.models import Game, Seat
from games.presentation import jinja
from games.presentation.lobby import LobbyPage, build_lobby
from games.presentation.sharing import invitation_preview
from games.presentation.visibility import perspective
from games.services import start
from games.services.rematch import newest_rematch
from games.services.tokens import is_token
from games.state.snapshot import GameSnapshot
from games.views.common import held_seats, read_game, viewer_of
from games.views.links import links
from games.web.request import HttpRequest


def invitation_spent(
    request: HttpRequest, token: str, snapshot: GameSnapshot | None = None
) -> HttpResponse:
    """Return the page for an invitation that is used or withdrawn, with a link to its game if that
    is known and anybody may watch it. A link that was cut off is 404 instead."""
    whole = is_token(token)
    watched = snapshot and snapshot.game.begun and not snapshot.game.closed
    context = {"whole": whole, "game": snapshot.game if snapshot and watched else None}
    return render(request, "lobby/join_spent.html", context, status=410 if whole else 404)


def lobby_address(snapshot: GameSnapshot) -> str:
    """Return the address of a game for people with a right to a seat: its lobby until it begins."""
    if snapshot.game.begun:
        return snapshot.game.get_absolute_url()
    return reverse("invite", args=[start.lobby_token(snapshot.game)])


def newest_invitation(game: Game) -> str | None:
    """Return the address at which the bearer of an old invitation joins the newest rematch of a
    finished game; None without one."""
    newest = newest_rematch(game)
    if newest is None:
        return None
    following = read_game(newest)
    token = start.lobby_token(following.game)
    return reverse("invite", args=[token]) if token else following.game.get_absolute_url()


def may_invite(request: HttpRequest, snapshot: GameSnapshot) -> bool:
    """Return whether the visitor may see the link to the lobby without having opened it: the host,
    the holders of seats, and the people of the previous game."""
    player, game = request.player_id, snapshot.game
    if player is None:
        return False
    if player == game.created_by_id or held_seats(request, snapshot):
        return True
    return Seat.objects.filter(game__rematch=game.pk, players=player).exists()


def lobby_response(
    request: HttpRequest,
    snapshot: GameSnapshot,
    *,
    invited: bool = False,
    refused: Refusal | MoveError | None = None,
) -> HttpResponse:
    """Answer with a lobby, below a refusal if there is one. Visitors who were ``invited`` by its
    link, or who `may_invite`, may take seats."""
    invited = invited or may_invite(request, snapshot)
    viewer = replace(viewer_of(request, snapshot), lobby="guest" if invited else "watch")
    lobby = build_lobby(snapshot, perspective(snapshot, viewer))
    refusal = refused.text if refused else None
    status = getattr(refused, "status", 422) if refused else 200
    if request.htmx:
        partial = jinja.render("lobby/_lobby_answer.jinja", lobby=lobby, refused=refusal)
        return HttpResponse(partial, status=status)
    context = {**_context(request, lobby), "refused": refusal}
    response = render(request, "lobby/lobby.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _context(request: HttpRequest, lobby: LobbyPage) -> dict[str, Any]:
    game, player = lobby.game, request.get_player()
    token = start.lobby_token(game) if lobby.perspective.lobby != "watch" else ""
    invite = reverse("invite", args=[token]) if token else ""
    return {
        "lobby": lobby,
        "name": player.name if player else "",
        "address": invite,
        "invite_address": request.build_absolute_uri(invite) if invite else "",
        "code_address": reverse("invite_code", args=[token]) if token else "",
        "links": links(request, lobby.snapshot, player) if token else [],
        "preview": invitation_preview(lobby.snapshot),
    }
