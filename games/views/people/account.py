"""The visitor's account: creating, signing in, recovering, and all data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from ipaddress import ip_address
from threading import Lock

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.core.rate_limits import (
    PASSWORDS_PER_PLAYER,
    SIGN_INS_PER_ADDRESS,
    SIGN_INS_PER_KNOWN_DEVICE,
    SIGN_INS_PER_NAME_AND_ADDRESS,
    RateLimited,
    count_guess,
)
from games.core.refusals import NotYourSeat, Refusal
from games.core.webauthn import AVAILABLE, RelyingParty
from games.models import Device, Player
from games.people import accounts, emails, forgetting, passkeys, personal_data
from games.services import players
from games.storage.write_lock import write_transaction
from games.views.common import (
    View,
    form_action,
    register_device,
    require_player,
    show_page,
    signed_in,
)
from games.web.client_address import client_address
from games.web.player_cookie import first_player_id, remember
from games.web.request import HttpRequest, device_name

_hash_lock = Lock()
PATIENCE = 3.0
"""Seconds to wait for the lock."""


@cache_control(no_store=True)
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    return show_account(request)


def show_account(
    request: HttpRequest, refused: Refusal | None = None, form: str = ""
) -> HttpResponse:
    player = request.get_player()
    owned = accounts.account_of(player) if player else None
    context = {
        "player": player,
        "account": owned,
        "codes_left": owned.codes.count() if owned else 0,
        "email": emails.email_of(player) if player and settings.HAS_EMAIL else None,
        "has_email": settings.HAS_EMAIL,
        "form": form,
        "opened": form or request.GET.get("done", "").removeprefix("no-"),
        "typed": request.POST.get("name", ""),
        "typed_email": request.POST.get("email", ""),
        "passkeys": passkeys.passkeys_of(owned) if owned else [],
        "has_passkeys": relying_party(request) is not None,
        "this": request.device_id,
        "done": request.GET.get("done", ""),
    }
    return show_page(request, "people/account.html", context, refused)


def relying_party(request: HttpRequest) -> RelyingParty | None:
    """Return the relying party, to which browsers bind passkeys, for the host name of a request,
    which Django has checked; None at an IP address or without the library."""
    host, _ = split_domain_port(request.get_host())
    if not AVAILABLE or _is_address(host):
        return None
    return RelyingParty(request.build_absolute_uri("/").rstrip("/"), host, settings.SITE_NAME)


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@contextmanager
def hash_lock() -> Iterator[None]:
    """Hold the lock for the slow hash of a password, in one of few threads. Raises RateLimited."""
    if not _hash_lock.acquire(timeout=PATIENCE):
        raise RateLimited
    try:
        yield
    finally:
        _hash_lock.release()


def _count(request: HttpRequest) -> None:
    """Count an attempt: by the device if it has been signed in to the account, else by its address,
    alone and with the name, but not by the name alone: strangers could lock its owner out. Raises
    RateLimited."""
    key = accounts.account_key(request.POST.get("name", "")[:200])
    if accounts.is_known_device(key=key, device_id=request.device_id):
        SIGN_INS_PER_KNOWN_DEVICE.hit(str(request.device_id))
        return
    limits = (SIGN_INS_PER_ADDRESS, SIGN_INS_PER_NAME_AND_ADDRESS)
    count_guess(f"player {key}", client_address(request), limits)


@form_action(partial(show_account, form="create"))
def create(request: HttpRequest) -> HttpResponse:
    """Create an account for the visitor's player, and show its recovery codes once."""
    name, password = request.POST.get("name", ""), request.POST.get("password", "")
    _count(request)
    with hash_lock(), write_transaction():
        player = request.get_player() or players.first_player(
            player_id=first_player_id(request), name=name
        )
        codes = accounts.create_account(player=player, name=name, password=password)
    remember(request, player)
    return _show_codes(request, codes)


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "people/recovery_codes.html", {"codes": codes})


@form_action(partial(show_account, form="sign-in"))
def sign_in(request: HttpRequest) -> str:
    """Sign in by name and password; the games of this browser are merged into the account."""
    return _join(request, accounts.sign_in)


def recovery_page(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    context = {
        "typed": request.POST.get("name", ""),
        "has_email": settings.HAS_EMAIL,
        "done": request.GET.get("done", ""),
    }
    return show_page(request, "people/recover.html", context, refused)


@form_action(recovery_page, asks=recovery_page)
def recover(request: HttpRequest) -> str:
    """Ask for a recovery code and a new password (GET), and sign in with them (POST)."""
    return _join(request, partial(accounts.recover, code=request.POST.get("code", "")[:200]))


def _join(request: HttpRequest, join: Callable[..., Device]) -> str:
    _count(request)
    with hash_lock():
        device = join(
            name=request.POST.get("name", ""),
            password=request.POST.get("password", ""),
            device=register_device(request),
            device_name=device_name(request),
        )
    return signed_in(request, device)


def owner_action(
    form: str,
) -> Callable[[Callable[[HttpRequest, Player], str | HttpResponse]], View]:
    """Make a `form_action` of an action for which the visitor types the password."""

    def decorate(act: Callable[[HttpRequest, Player], str | HttpResponse]) -> View:
        @form_action(partial(show_account, form=form))
        @wraps(act)
        def owned(request: HttpRequest) -> str | HttpResponse:
            PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
            player = request.get_player()
            if player is None:
                return show_account(request)
            with hash_lock():
                return act(request, player)

        return owned

    return decorate


@owner_action("password")
def change_password(request: HttpRequest, player: Player) -> str:
    """Change the password, after checking the old one, and end all others."""
    old, new = request.POST.get("password", ""), request.POST.get("new", "")
    device = register_device(request)
    if device is None:
        raise NotYourSeat
    keep_bots = request.POST.get("keep_bots") == "on"
    joined = accounts.change_password(device=device, old=old, new=new, keep_bots=keep_bots)
    signed_in(request, joined)
    return f"{reverse('account')}?done=password"


@owner_action("codes")
def codes(request: HttpRequest, player: Player) -> HttpResponse:
    """Replace the recovery codes, after checking the password, and show the new ones."""
    password = request.POST.get("password", "")
    return _show_codes(request, accounts.new_codes(player=player, password=password))


@owner_action("delete")
def delete(request: HttpRequest, player: Player) -> str:
    """Delete everything stored about the visitor; the games stay, without the name."""
    accounts.check_owner(player=player, password=request.POST.get("password", ""))
    forgetting.forget_player(player=player)
    return "home"


@cache_control(no_store=True)
@require_safe
def data(request: HttpRequest) -> HttpResponseBase:
    """Return everything stored about the visitor as a file."""
    player = request.get_player()
    try:
        PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
    except Refusal as refused:
        return show_account(request, refused, "data")
    pieces = personal_data.write_data(player) if player else iter(["{}"])
    response = StreamingHttpResponse(pieces, content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="my-games.json"'
    return response
