"""What several views need: the game of an address, how its visitor sees it, and their answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language

from games import preferences, tables
from games.answers import answer
from games.contract import MoveError, Position
from games.drawing import draw
from games.middleware import remember
from games.models import Game, Player, read_game
from games.positions import position_at, position_now
from games.quotas import Quota, address_key
from games.refusals import NotYourSeat, Refusal
from games.services import clean_name, new_player, rename, undo_is_free
from games.visibility import Viewer, secret_seats
from games.writer import writing

Asked = MoveError | Refusal


def find_game(game_id: str) -> Game:
    """The game of an address, or 404."""
    try:
        return read_game(game_id)
    except Game.DoesNotExist as error:
        raise Http404 from error


def asked_seat(request: HttpRequest) -> str | None:
    """The seat that the visitor wants to look through or to move."""
    return request.POST.get("seat") or request.GET.get("seat") or None


def seen(request: HttpRequest, game: Game) -> tables.Seen:
    """How the visitor sees the game."""
    player = holder_of(request)
    return tables.sees(
        tables.seats_of(game, player),
        asked_seat(request),
        preferences.of_request(request).confirm,
        alone=player is not None and undo_is_free(game, player),
    )


def player_of(request: HttpRequest) -> Player | None:
    """The visitor's player; None while the browser has none."""
    return request.player or None


def holder_of(request: HttpRequest) -> Player | None:
    """The visitor's player as far as seats are concerned: unread, and perhaps gone."""
    holder: Player | None = request.holder
    return holder


def need_player(request: HttpRequest) -> Player:
    """The same. Raises NotYourSeat: who has none holds no seat."""
    player = holder_of(request)
    if player is None:
        raise NotYourSeat
    return player


def with_player(
    request: HttpRequest,
    act: Callable[[Player], str],
    name: str | None,
    quotas: tuple[Quota, Quota],
) -> HttpResponse:
    """Do ``act`` as the visitor, made a player if need be, and go to the address it returns.

    ``name`` is what the visitor wants to be called; None or '' leaves it. ``quotas`` are those of a
    player and of an address. Raises BadName or TooMany.
    """
    player = player_of(request)
    a_player, an_address = quotas
    an_address.spend(address_key(request.META.get("REMOTE_ADDR", "")))
    if player is not None:
        a_player.spend(str(player.pk))
    cleaned = clean_name(name or "")
    # What is refused leaves nobody behind.
    with writing():
        if player is None:
            player = new_player(name=cleaned)
        elif cleaned:
            rename(player=player, name=cleaned)
        address = act(player)
    return remember(redirect(address), player)


def game_address(request: HttpRequest, game: Game) -> str:
    """The game's address, through the seat that was asked for; see `opened_secret`."""
    seat = asked_seat(request)
    address = reverse("game", args=[game.id])
    held = tables.seats_of(game, holder_of(request))
    shared = seat in held and len(held) > 1 and not opened_secret(request, game)
    return f"{address}?seat={seat}" if shared else address


def opened_secret(request: HttpRequest, game: Game) -> bool:
    """Whether the seat asked for shows its secrets on a device that others look at too: once it
    has moved, they are closed before the device goes on to the next player."""
    viewer = Viewer(tables.seats_of(game, holder_of(request)))
    return asked_seat(request) in secret_seats(game.specs, viewer)


def lay_table(
    request: HttpRequest,
    game: Game,
    *,
    ply: int | None = None,
    chosen: str = "",
    position: Position | None = None,
) -> tables.Table:
    """The table as the visitor sees it; ``position`` is the game's at that ply, if at hand."""
    if position is None:
        position = position_now(game) if ply in {None, game.ply} else position_at(game, ply)
    return tables.lay(
        game,
        position,
        seen(request, game),
        ply=ply,
        chosen=tuple(chosen[:80].split()),
        all_moves="moves" in request.GET,
    )


def show(
    request: HttpRequest,
    game: Game,
    *,
    refused: Asked | None = None,
    chosen: str = "",
    position: Position | None = None,
) -> HttpResponse:
    """The board of a game as it was just read: the partial for htmx, the page for everybody else;
    a refusal on top. ``position`` is where the game stands, if that is at hand."""
    if request.htmx and not (refused or chosen or "moves" in request.GET):
        position = position or position_now(game)
        return HttpResponse(answer(game, position, seen(request, game), get_language()))
    context: dict[str, Any] = {
        "table": lay_table(request, game, chosen=chosen, position=position),
        "refused": refused.text if refused else None,
    }
    status = status_of(refused)
    if request.htmx:
        return HttpResponse(draw("games/_answer.jinja", **context), status=status)
    return render(request, "games/game.html", context | page_context(request, game), status=status)


def page_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the page around a board shows besides it."""
    from games.views.join import links

    offered = links(request, game)
    return {
        "links": offered,
        "held": len(tables.seats_of(game, holder_of(request))),
        "more_links": any(not link.wanted for link in offered),
        "watch_address": request.build_absolute_uri(game.get_absolute_url()),
        "picture_address": picture_address(request, game, game.ply),
    }


def picture_address(request: HttpRequest, game: Game, ply: int) -> str:
    """Where the picture of a position is, for previews of links."""
    return request.build_absolute_uri(reverse("picture", args=[game.id, ply]))


def status_of(refused: Asked | None) -> int:
    """The HTTP status of a refusal: 403 and 409 as they say, 422 for what the rules forbid."""
    if refused is None:
        return 200
    return refused.status if isinstance(refused, Refusal) else 422


def parse_ply(raw: str) -> int:
    """The ply that a form was made for; -1, which is always stale, for anything else."""
    return int(raw) if re.fullmatch(r"[0-9]{1,6}", raw, re.ASCII) else -1
