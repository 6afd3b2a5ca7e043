"""Helpers of several views: the game, the viewer and the player of a request, and forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar

from django.db.models import Exists, Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.contract import Explained, MoveError, text
from games.core.rate_limits import NAMES_PER_PLAYER, Limits
from games.core.refusals import NotYourSeat, Refusal, Suspended
from games.models import Device, Game, Player, Sighting
from games.people import devices
from games.people.access import has_stopped_programs
from games.presentation.lists import Entry, PicturedGame
from games.presentation.pictures import public_picture
from games.presentation.visibility import Viewer, lobby_of, secret_seats
from games.services import absence, tokens
from games.services.insights import hand_on_in_browser
from games.services.players import clean_name, first_player, rename
from games.state.questions import pending_requests
from games.state.replay import Unreadable
from games.state.seat_rights import check_watching
from games.state.snapshot import GameSnapshot, KindGone, cached_snapshot, read_snapshot
from games.storage.write_lock import write_transaction
from games.web import preferences
from games.web.client_address import client_address
from games.web.player_cookie import first_player_id, remember, unread_player
from games.web.request import HttpRequest, device_name, form_key

REPEATED = timedelta(minutes=10)
"""How long a form that is sent again makes no second game."""
KIND_GONE = text("This game is no longer available here.")
Done = TypeVar("Done")
View = Callable[..., HttpResponse]


def form_action(
    page: View,
    *,
    limits: Limits | None = None,
    asks: View | None = None,
    refusals: tuple[type[Exception], ...] = (Refusal,),
    no_store: bool = True,
) -> Callable[[Callable[..., str | HttpResponse]], View]:
    """Make a view of an action: a POST, counted against ``limits``, that is answered by the
    response of the action, or by a redirect to the address that it returns, or else by ``page``
    with the argument ``refused``. A GET is answered by the page ``asks``, if there is one. With
    ``no_store`` the browser asks for it again, even by Back."""

    def decorate(act: Callable[..., str | HttpResponse]) -> View:
        @require_http_methods(["GET", "HEAD", "POST"] if asks else ["POST"])
        @sensitive_post_parameters("password", "new", "code")
        @wraps(act)
        def view(request: HttpRequest, **arguments: object) -> HttpResponse:
            try:
                if asks and request.method != "POST":
                    return asks(request, **arguments)
                if limits:
                    count_request(request, limits)
                done = act(request, **arguments)
            except refusals as refused:
                return page(request, refused=refused, **arguments)
            return redirect(done) if isinstance(done, str) else done

        return cache_control(no_store=True)(view) if no_store else view

    return decorate


def show_page(
    request: HttpRequest, template: str, context: dict[str, Any], refused: Explained | None = None
) -> HttpResponse:
    """Return a page, with the sentence and the status of a refusal if there is one."""
    told = {**context, "refused": refused.text if refused else None}
    return render(request, template, told, status=status_of(refused))


def status_of(refused: Explained | None) -> int:
    """Return the HTTP status of a refusal: its own, or 422 for an illegal move."""
    return getattr(refused, "status", 422) if refused else 200


def find_game(request: HttpRequest, game_id: str) -> GameSnapshot:
    """Return the game of an address. Raises as `read_game`, or ClosedToWatchers."""
    snapshot = read_game(game_id)
    check_watching(snapshot, request.player_id)
    return snapshot


def read_game(game_id: str) -> GameSnapshot:
    """Return a game, closed or not. Raises Http404, also without a first position."""
    try:
        snapshot = read_snapshot(game_id)
        snapshot.at(0)
        return snapshot
    except Unreadable as error:
        raise Http404(error.text) from error
    except KindGone as error:
        raise Http404(KIND_GONE) from error
    except Game.DoesNotExist as error:
        raise Http404 from error


def note_visit(request: HttpRequest, snapshot: GameSnapshot) -> GameSnapshot:
    """Note the visitor at a game, and return its newest snapshot, perhaps with another host."""
    absence.note_visit(snapshot, request.player_id)
    if request.device_id:
        devices.note_device(request.device_id)
    changes = not snapshot.game.begun or pending_requests(snapshot)
    return read_game(snapshot.game.id) if changes else snapshot


def asked_seat(request: HttpRequest) -> str | None:
    return request.POST.get("seat") or request.GET.get("seat") or None


def viewer_of(request: HttpRequest, snapshot: GameSnapshot, *, past: bool = False) -> Viewer:
    """Return the visitor as a viewer of a game. On a shared device a ``past`` position does not
    show secrets, since its page has no button to hide them again."""
    closed = past and not snapshot.game.over and opened_secret(request, snapshot)
    preferred = preferences.read_preferences(request)
    return Viewer(
        player_id=request.player_id,
        asked=None if closed else asked_seat(request),
        confirm=preferred.confirm,
        language=request.LANGUAGE_CODE,
        lobby=lobby_of(request.GET.get("lobby")) if request.htmx else "",
        muted=preferred.muted,
    )


def held_seats(request: HttpRequest, snapshot: GameSnapshot) -> frozenset[str]:
    return snapshot.seats_of(request.player_id)


def require_player(request: HttpRequest) -> Player:
    """Return the visitor's player without reading it. That is enough to find its seats, since a
    deleted player has none. Raises NotYourSeat for a browser without a player."""
    if request.player_id is None:
        raise NotYourSeat
    return unread_player(request.player_id)


def count_request(request: HttpRequest, limits: Limits) -> None:
    """Count a request against the limits of its player and of its address. Raises RateLimited."""
    per_player, per_address = limits
    per_address.hit(client_address(request))
    if request.player_id is not None:
        per_player.hit(str(request.player_id))


def with_player(
    request: HttpRequest, act: Callable[[Player], Done], name: str | None = None
) -> Done:
    """Do ``act`` as the visitor's player, created if necessary, and return its value.

    ``name`` is the player's new name; None or '' keeps the old one. Raises Suspended, BadName,
    RateLimited for too many new names, or Http404 if the game has been deleted meanwhile."""
    cleaned = clean_name(name or "")
    # One transaction, so that a refusal leaves no new player behind.
    with write_transaction():
        player = request.get_player()
        check_suspended(request)
        if player is None:
            player = first_player(player_id=first_player_id(request), name=cleaned)
            if request.device_id:
                hand_on_in_browser(request.device_id, player)
        elif cleaned:
            rename_player(player, cleaned)
        try:
            done = act(player)
        except Game.DoesNotExist as error:
            raise Http404 from error
    remember(request, player)
    return done


def signed_in(request: HttpRequest, device: Device) -> str:
    """Let the browser be a device of a player that has signed in, and knows what others have
    seen in it. Return the address of the next page."""
    if request.device_id:
        hand_on_in_browser(request.device_id, device.player)
    remember(request, device.player, device.pk)
    return "access" if has_stopped_programs(device.player) else "my_games"


def check_suspended(request: HttpRequest) -> None:
    player = request.get_player()
    if player and player.suspended:
        raise Suspended(player.suspended_for)


def register_device(request: HttpRequest) -> Device | None:
    """Return the device of the visitor, stored if necessary; None without a player."""
    player = request.get_player()
    if player is None or request.device_id is None:
        return None
    return devices.register_device(
        player=player, device_id=request.device_id, name=device_name(request)
    )


def new_game_id(request: HttpRequest, player: Player) -> str | None:
    """Return the id of the game that a form makes, the same again as long as its answer may have
    been lost: not after `REPEATED`, nor once the player has been seen in the game."""
    found = tokens.repeated_id(player.pk, form_key(request))
    seen = Exists(Sighting.objects.filter(game=found, player=player.pk))
    over = Q(moves__player=player.pk) | Q(created__lt=timezone.now() - REPEATED) | Q(seen)
    return None if found and Game.objects.filter(over, pk=found).exists() else found


def browser_of(request: HttpRequest) -> str:
    """Return a hash that identifies a browser, '' without a CSRF cookie."""
    secret = request.META.get("CSRF_COOKIE", "")
    return tokens.hash_token(secret) if secret else ""


def rename_player(player: Player, name: str) -> None:
    """Rename a player, if the name differs. Raises Suspended, BadName or RateLimited."""
    cleaned = clean_name(name)
    if player.suspended:
        raise Suspended(player.suspended_for)
    if cleaned != player.name:
        NAMES_PER_PLAYER.hit(str(player.pk))
        rename(player=player, name=cleaned)


def game_address(request: HttpRequest, snapshot: GameSnapshot) -> str:
    """Return the game's address with the requested seat as viewpoint; see `opened_secret`."""
    seat, held = asked_seat(request), held_seats(request, snapshot)
    address = reverse("game", args=[snapshot.game.id])
    shared = seat in held and len(held) > 1 and not opened_secret(request, snapshot)
    return f"{address}?seat={seat}" if shared else address


def opened_secret(request: HttpRequest, snapshot: GameSnapshot) -> bool:
    """Return whether the visitor has opened a secret seat of a shared device. After the move the
    device may be in the next player's hands, so the secrets have to be hidden again."""
    secret = secret_seats(snapshot.specs, held_seats(request, snapshot))
    return bool(secret) and asked_seat(request) in secret


PICTURES = 12
"""Games shown with a picture of their board; those after them have none."""


def thumbnail(game: Game) -> str:
    """Return a picture of the board as spectators see it, since a list shows no secrets; '' for a
    faulty game. It needs no query if this process knows the version of the row."""
    try:
        snapshot = cached_snapshot(game.id, game.version) or read_snapshot(game.id)
        return public_picture(snapshot.rules, snapshot.standing)
    except (Game.DoesNotExist, Unreadable, MoveError):
        return ""


def pictured(entries: Sequence[Entry]) -> list[PicturedGame]:
    return [
        PicturedGame(entry, thumbnail(entry.game) if number < PICTURES else "")
        for number, entry in enumerate(entries)
    ]
