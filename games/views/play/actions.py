"""The decorator of the views that act on a game for the visitor's player."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.contract import MoveError
from games.core.refusals import Refusal
from games.models import Game, Player
from games.state.snapshot import GameSnapshot
from games.views.common import find_game, game_address, opened_secret, require_player
from games.views.responses import board_response, game_response
from games.web.request import HttpRequest, parse_ply

Changed = TypeVar("Changed")
Action = Callable[[HttpRequest, str, Player], Changed]
"""An action of a player in the game of an address, which returns the changed game."""
Answer = Callable[[HttpRequest, Changed], HttpResponse]
View = Callable[[HttpRequest, str], HttpResponse]


def player_action(answer: Answer[Changed]) -> Callable[[Action[Changed]], View]:
    """Make a view of an action: a POST that is answered by ``answer``, or by the board with the
    refusal. Raises Http404 if there is no such game."""

    def decorate(act: Action[Changed]) -> View:
        @require_POST
        @wraps(act)
        def view(request: HttpRequest, game_id: str) -> HttpResponse:
            try:
                changed = act(request, game_id, require_player(request))
            except Game.DoesNotExist as error:
                raise Http404 from error
            except (MoveError, Refusal) as refused:
                # After an illegal move the board is still that of the form, so a half-chosen move
                # is still valid.
                chosen = request.POST.get("chosen") if isinstance(refused, MoveError) else None
                snapshot = find_game(request, game_id)
                return game_response(request, snapshot, refused=refused, chosen=chosen)
            return answer(request, changed)

        return view

    return decorate


def with_board(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Answer with the board for htmx, or a redirect to the game for others."""
    if request.htmx and not opened_secret(request, snapshot):
        return board_response(request, snapshot)
    # Load a new page, because the address of the old one would show the secrets again.
    return with_page(request, snapshot)


def with_page(request: HttpRequest, snapshot: GameSnapshot) -> HttpResponse:
    """Lead the browser to the game's page, which then has other links."""
    address = game_address(request, snapshot)
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def board_of(request: HttpRequest) -> tuple[int, int]:
    """Return the ply of the form's board, and the number of undos before it."""
    sent = request.POST
    return parse_ply(sent.get("ply", "")), parse_ply(sent.get("undone", "0"))
