"""The visitor's passkeys: adding one, signing in with one, and removing one.

A script gets the options of the browser's dialogue as JSON. The browser's answer is sent by a form,
like everything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.core.rate_limits import PASSKEYS_PER_ADDRESS, PASSWORDS_PER_PLAYER
from games.core.refusals import NotYourSeat, Refusal
from games.core.translation import translate
from games.core.webauthn import RelyingParty
from games.people import accounts, passkeys
from games.views.common import browser_of, check_suspended, register_device, require_player
from games.views.people.account import account_page, secret_fields, show_account, with_hash_lock
from games.web.client_address import client_address
from games.web.player_cookie import set_player_cookie
from games.web.relying_party import relying_party
from games.web.request import HttpRequest
from games.web.user_agents import device_name


def _party(request: HttpRequest) -> RelyingParty:
    """Return the site to which passkeys are bound. Raises Http404 if passkeys are not available."""
    party = relying_party(request)
    if party is None:
        raise Http404
    return party


def _json(act: Callable[[], dict[str, Any]]) -> JsonResponse:
    """Return the options as JSON, or the sentence of a refusal as ``refused``."""
    try:
        return JsonResponse(act())
    except Refusal as refused:
        return JsonResponse({"refused": translate(refused.text)}, status=refused.status)


def _shown(request: HttpRequest, act: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the response of ``act``, or the page of the account with its refusal."""
    try:
        return act()
    except Refusal as refused:
        return show_account(request, refused, "passkey")


@account_page
@require_POST
@secret_fields
def offer(request: HttpRequest) -> JsonResponse:
    """Return the options for a new passkey, after checking the password."""
    party = _party(request)

    def act() -> dict[str, Any]:
        PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
        check_suspended(request)
        player = request.get_player()
        if player is None:
            raise NotYourSeat
        password = request.POST.get("password", "")
        with_hash_lock(lambda: accounts.check_owner(player=player, password=password))
        return passkeys.offer_passkey(player=player, party=party, browser=browser_of(request))

    return _json(act)


@account_page
@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Add the passkey that the browser has made."""
    party = _party(request)

    def act() -> HttpResponse:
        check_suspended(request)
        passkeys.add_passkey(
            player=require_player(request),
            party=party,
            browser=browser_of(request),
            answer=request.POST.get("credential", ""),
            name=device_name(request),
        )
        return redirect(f"{reverse('account')}?done=passkey")

    return _shown(request, act)


@account_page
@require_POST
def ask(request: HttpRequest) -> JsonResponse:
    """Return the options for signing in."""
    party = _party(request)

    def act() -> dict[str, Any]:
        PASSKEYS_PER_ADDRESS.hit(client_address(request))
        return passkeys.ask_passkey(party=party, browser=browser_of(request))

    return _json(act)


@account_page
@require_POST
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in with a passkey; the games of this browser are merged into the account."""
    party = _party(request)

    def act() -> HttpResponse:
        PASSKEYS_PER_ADDRESS.hit(client_address(request))
        check_suspended(request)
        device = passkeys.sign_in_by_passkey(
            party=party,
            browser=browser_of(request),
            answer=request.POST.get("credential", ""),
            device=register_device(request),
            device_name=device_name(request),
        )
        return set_player_cookie(redirect("my_games"), device.player, device.pk)

    return _shown(request, act)


@account_page
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """Remove the passkey in the field ``passkey`` from the visitor's account."""

    def act() -> HttpResponse:
        passkey_id = request.POST.get("passkey", "")[:18]
        if passkey_id.isdecimal():
            passkeys.remove_passkey(player=require_player(request), passkey_id=int(passkey_id))
        return redirect(f"{reverse('account')}?done=no-passkey")

    return _shown(request, act)
