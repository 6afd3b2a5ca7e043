"""The visitor's account: creating it, signing in, recovering it, and downloading or deleting all
data."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.core.rate_limits import (
    PASSWORDS_PER_PLAYER,
    SIGN_INS_PER_ADDRESS,
    SIGN_INS_PER_KNOWN_DEVICE,
    SIGN_INS_PER_NAME_AND_ADDRESS,
    RateLimited,
    count_guess,
)
from games.core.refusals import Refusal
from games.models import Device, Player
from games.people import accounts, emails, forgetting, passkeys, personal_data
from games.services import players
from games.storage.write_lock import write_transaction
from games.views.common import register_device, require_player
from games.web.client_address import client_address
from games.web.player_cookie import first_player_id, set_player_cookie
from games.web.relying_party import relying_party
from games.web.request import HttpRequest
from games.web.user_agents import device_name

Result = TypeVar("Result")
_hash_lock = Lock()
"""Held while a password is hashed, which is slow by design: it may occupy only one of the few
threads."""
PATIENCE = 3.0
"""Seconds to wait for the lock."""

account_page = cache_control(no_store=True)
secret_fields = sensitive_post_parameters("password", "new", "code")


@account_page
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show the account, or the forms to create one and to sign in."""
    return show_account(request)


def show_account(
    request: HttpRequest, refused: Refusal | None = None, form: str = "", **context: Any
) -> HttpResponse:
    """Return the page of the account, with a refusal above the submitted form."""
    player = request.get_player()
    owned = accounts.account_of(player) if player else None
    context |= {
        "player": player,
        "account": owned,
        "codes_left": owned.codes.count() if owned else 0,
        "refused": refused.text if refused else None,
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
    status = refused.status if refused else 200
    return render(request, "people/account.html", context, status=status)


def with_hash_lock(act: Callable[[], Result]) -> Result:
    """Return the result of ``act``, which hashes a password, one at a time. Raises RateLimited, or
    as ``act``."""
    if not _hash_lock.acquire(timeout=PATIENCE):
        raise RateLimited
    try:
        return act()
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


@account_page
@require_POST
@secret_fields
def create(request: HttpRequest) -> HttpResponse:
    """Create an account for the visitor's player, and show its recovery codes, which are shown only
    once."""

    def act() -> tuple[Player, list[str]]:
        with write_transaction():
            player = request.get_player() or players.first_player(
                player_id=first_player_id(request), name=request.POST.get("name", "")
            )
            return player, accounts.create_account(
                player=player,
                name=request.POST.get("name", ""),
                password=request.POST.get("password", ""),
            )

    try:
        _count(request)
        player, codes = with_hash_lock(act)
    except Refusal as refused:
        return show_account(request, refused, "create")
    known = request.device_id if player.pk == request.player_id else None
    return set_player_cookie(_show_codes(request, codes), player, known)


def _show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "people/recovery_codes.html", {"codes": codes})


@account_page
@require_POST
@secret_fields
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by name and password; the games of this browser are merged into the account."""

    def act() -> Device:
        return accounts.sign_in(
            name=request.POST.get("name", ""),
            password=request.POST.get("password", ""),
            device=register_device(request),
            device_name=device_name(request),
        )

    return _join(request, act, "sign-in")


@account_page
@require_http_methods(["GET", "HEAD", "POST"])
@secret_fields
def recover(request: HttpRequest) -> HttpResponse:
    """Ask for a recovery code and a new password (GET), and sign in with them (POST)."""

    def act() -> Device:
        return accounts.recover(
            name=request.POST.get("name", ""),
            code=request.POST.get("code", "")[:200],
            password=request.POST.get("password", ""),
            device=register_device(request),
            device_name=device_name(request),
        )

    if request.method != "POST":
        context = {"has_email": settings.HAS_EMAIL, "done": request.GET.get("done", "")}
        return render(request, "people/recover.html", context)
    return _join(request, act, "recover")


def _join(request: HttpRequest, act: Callable[[], Device], form: str) -> HttpResponse:
    try:
        _count(request)
        device = with_hash_lock(act)
    except Refusal as refused:
        if form != "recover":
            return show_account(request, refused, form)
        typed = request.POST.get("name", "")
        context = {"refused": refused.text, "typed": typed, "has_email": settings.HAS_EMAIL}
        return render(request, "people/recover.html", context, status=refused.status)
    return set_player_cookie(redirect("my_games"), device.player, device.pk)


@account_page
@require_POST
@secret_fields
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the password, after checking the old one, and sign out the other devices."""

    def act(player: Player) -> HttpResponse:
        old, new = request.POST.get("password", ""), request.POST.get("new", "")
        device = register_device(request)
        device_id = device.pk if device else player.pk
        accounts.change_password(player=player, old=old, new=new, device_id=device_id)
        return redirect(f"{reverse('account')}?done=password")

    return as_owner(request, act, "password")


@account_page
@require_POST
@secret_fields
def codes(request: HttpRequest) -> HttpResponse:
    """Replace the recovery codes, after checking the password, and show the new ones."""

    def act(player: Player) -> HttpResponse:
        password = request.POST.get("password", "")
        return _show_codes(request, accounts.new_codes(player=player, password=password))

    return as_owner(request, act, "codes")


@account_page
@require_POST
@secret_fields
def delete(request: HttpRequest) -> HttpResponse:
    """Delete everything stored about the visitor; the games stay, without the name."""

    def act(player: Player) -> HttpResponse:
        accounts.check_owner(player=player, password=request.POST.get("password", ""))
        forgetting.forget_player(player=player)
        return redirect("home")

    return as_owner(request, act, "delete")


def as_owner(
    request: HttpRequest, act: Callable[[Player], HttpResponse], form: str
) -> HttpResponse:
    """Do ``act`` for a visitor who has typed the right password."""
    player = request.get_player()
    try:
        PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
        if player is None:
            return show_account(request)
        return with_hash_lock(lambda: act(player))
    except Refusal as refused:
        return show_account(request, refused, form)


@account_page
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
