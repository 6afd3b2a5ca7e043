"""What several views need: the game of an address, how its visitor sees it, and their answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language

from games.contract import MoveError, Position, text
from games.models import Game, KindGone, Move, Player, read_game
from games.presentation import game_page, jinja
from games.presentation.render_cache import answer
from games.presentation.visibility import Viewer, secret_seats
from games.rate_limits import NAMES_PER_PLAYER, RateLimit
from games.refusals import NotYourSeat, Refusal
from games.replay import current_position, position_at
from games.services import clean_name, new_player, rename, undo_is_free
from games.storage.write_lock import write_transaction
from games.views.links import page_context
from games.web import preferences
from games.web.client_address import client_address
from games.web.player_cookie import set_player_cookie

Asked = MoveError | Refusal
Done = TypeVar("Done")
KIND_GONE = text("Games of this kind are not played here any more.")


def find_game(game_id: str) -> Game:
    """The game of an address, or 404."""
    try:
        return read_game(game_id)
    except KindGone as error:
        raise Http404(KIND_GONE) from error
    except Game.DoesNotExist as error:
        raise Http404 from error


def retry_after_undo(game: Game, read: Callable[[Game], Done]) -> Done:
    """What ``read`` makes of a game as it was read, and of its moves. If one of these was taken
    back in between, of the game as it now is."""
    try:
        return read(game)
    except Move.DoesNotExist:
        return read(find_game(game.id))


def asked_seat(request: HttpRequest) -> str | None:
    """The seat that the visitor wants to look through or to move."""
    return request.POST.get("seat") or request.GET.get("seat") or None


def seen(request: HttpRequest, game: Game, *, past: bool = False) -> game_page.ViewerContext:
    """How the visitor sees the game. What is secret of a ``past`` position nobody opens on a device
    that others look at too: there is nothing on its page to close it by."""
    player = holder_of(request)
    closed = past and not game.over and opened_secret(request, game)
    return game_page.viewer_context(
        game_page.seats_of(game, player),
        None if closed else asked_seat(request),
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


def require_player(request: HttpRequest) -> Player:
    """The visitor's player, unread and perhaps gone, as `holder_of` gives it. Raises NotYourSeat:
    who has none holds no seat."""
    player = holder_of(request)
    if player is None:
        raise NotYourSeat
    return player


def spend(request: HttpRequest, quotas: tuple[RateLimit, RateLimit]) -> None:
    """Count what the visitor is about to do against the quotas of a player and of an address.
    Raises RateLimited."""
    a_player, an_address = quotas
    an_address.hit(client_address(request))
    if (holder := holder_of(request)) is not None:
        a_player.hit(str(holder.pk))


def with_player(
    request: HttpRequest, act: Callable[[Player], str], name: str | None
) -> HttpResponse:
    """Do ``act`` as the visitor, made a player if need be, and go to the address it returns.

    ``name`` is what the visitor wants to be called; None or '' leaves it. Raises BadName,
    RateLimited where the name is one too many, or Http404 where the game has gone meanwhile.
    """
    player, cleaned = player_of(request), clean_name(name or "")
    # What is refused leaves nobody behind.
    with write_transaction():
        if player is None:
            player = new_player(name=cleaned)
        elif cleaned:
            rename_player(player, cleaned)
        try:
            address = act(player)
        except Game.DoesNotExist as error:
            raise Http404 from error
    return set_player_cookie(redirect(address), player)


def rename_player(player: Player, name: str) -> None:
    """Call a player by another name, if it is one. Raises BadName or RateLimited."""
    cleaned = clean_name(name)
    if cleaned != player.name:
        NAMES_PER_PLAYER.hit(str(player.pk))
        rename(player=player, name=cleaned)


def game_address(request: HttpRequest, game: Game) -> str:
    """The game's address, through the seat that was asked for; see `opened_secret`."""
    seat = asked_seat(request)
    address = reverse("game", args=[game.id])
    held = game_page.seats_of(game, holder_of(request))
    shared = seat in held and len(held) > 1 and not opened_secret(request, game)
    return f"{address}?seat={seat}" if shared else address


def opened_secret(request: HttpRequest, game: Game) -> bool:
    """Whether the seat asked for shows its secrets on a device that others look at too: once it
    has moved, they are closed before the device goes on to the next player."""
    viewer = Viewer(game_page.seats_of(game, holder_of(request)))
    return asked_seat(request) in secret_seats(game.specs, viewer)


def page_for(
    request: HttpRequest,
    game: Game,
    *,
    ply: int | None = None,
    chosen: str = "",
    position: Position | None = None,
) -> game_page.GamePage:
    """The table as the visitor sees it; ``position`` is the game's at that ply, if at hand."""
    if position is None:
        position = current_position(game) if ply in {None, game.ply} else position_at(game, ply)
    return game_page.build_page(
        game,
        position,
        seen(request, game, past=ply is not None),
        ply=ply,
        chosen=tuple(chosen[:80].split()),
        all_moves="moves" in request.GET,
    )


def show(
    request: HttpRequest,
    game: Game,
    *,
    refused: Asked | None = None,
    chosen: str | None = None,
    position: Position | None = None,
) -> HttpResponse:
    """The board of a game as it was just read: the partial for htmx, the page for everybody else;
    a refusal on top. ``chosen`` are the steps of who is choosing a move: '' has gone back to the
    first. ``position`` is where the game stands, if that is at hand."""
    return retry_after_undo(game, lambda game: _show(request, game, refused, chosen, position))


def _show(
    request: HttpRequest,
    game: Game,
    refused: Asked | None,
    chosen: str | None,
    position: Position | None,
) -> HttpResponse:
    stepping = chosen is not None
    if request.htmx and not (refused or stepping or "moves" in request.GET):
        position = position or current_position(game)
        return HttpResponse(answer(game, position, seen(request, game), get_language()))
    table = page_for(request, game, chosen=chosen or "", position=position)
    context: dict[str, Any] = {
        "table": table,
        "refused": refused.text if refused else None,
        "mistyped": refused and _mistyped(request, table),
        # Who goes on with a move after something was told has heard its prompt before.
        "stepping": stepping and "kept" not in request.GET,
    }
    status = status_of(refused)
    if request.htmx:
        return HttpResponse(jinja.render("games/_answer.jinja", **context), status=status)
    around = page_context(request, game, player_of(request))
    page = render(request, "games/game.html", context | around, status=status)
    return never_store(page, context["table"])


def never_store(page: HttpResponse, table: game_page.GamePage) -> HttpResponse:
    """``page``, which no browser keeps if it shows secrets: Back would show them to whoever has the
    device by then, and on a device from which their seat has moved away."""
    if table.shows_secrets:
        page["Cache-Control"] = "no-store"
    return page


def _mistyped(request: HttpRequest, table: game_page.GamePage) -> bool:
    """Whether what is refused was typed, and the field for that, where it is said, still shown."""
    return "typed" in request.POST and bool(table.seen.viewer.seats) and not table.result


def status_of(refused: Asked | None) -> int:
    """The HTTP status of a refusal: 403 and 409 as they say, 422 for what the rules forbid."""
    if refused is None:
        return 200
    return refused.status if isinstance(refused, Refusal) else 422
