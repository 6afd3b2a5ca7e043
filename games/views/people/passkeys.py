"""The visitor's passkeys: adding one, signing in with one, and removing one. A script gets the
options of the browser's dialogue as JSON, and forms send the answers."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpResponse, JsonResponse
from django.urls import reverse

from games.core.rate_limits import PASSKEYS_PER_ADDRESS, PASSWORDS_PER_PLAYER
from games.core.refusals import NotYourSeat, Refusal
from games.core.translation import translate
from games.core.webauthn import RelyingParty
from games.people import accounts, passkeys
from games.views.common import (
    browser_of,
    check_suspended,
    form_action,
    register_device,
    require_player,
    signed_in,
)
from games.views.people.account import hash_lock, relying_party, show_account
from games.web.client_address import client_address
from games.web.request import HttpRequest, device_name


def _party(request: HttpRequest) -> RelyingParty:
    party = relying_party(request)
    if party is None:
        raise Http404
    return party


def _sentence(_request: HttpRequest, refused: Refusal) -> HttpResponse:
    return JsonResponse({"refused": translate(refused.text)}, status=refused.status)


_account = partial(show_account, form="passkey")


@form_action(_sentence)
def offer(request: HttpRequest) -> HttpResponse:
    """Return the options for a new passkey, after checking the password."""
    party = _party(request)
    PASSWORDS_PER_PLAYER.hit(str(require_player(request).pk))
    check_suspended(request)
    player = request.get_player()
    if player is None:
        raise NotYourSeat
    with hash_lock():
        accounts.check_owner(player=player, password=request.POST.get("password", ""))
    offered = passkeys.offer_passkey(player=player, party=party, browser=browser_of(request))
    return JsonResponse(offered)


@form_action(_account)
def add(request: HttpRequest) -> str:
    party = _party(request)
    check_suspended(request)
    passkeys.add_passkey(
        player=require_player(request),
        party=party,
        browser=browser_of(request),
        answer=request.POST.get("credential", ""),
        name=device_name(request),
    )
    return f"{reverse('account')}?done=passkey"


@form_action(_sentence)
def ask(request: HttpRequest) -> HttpResponse:
    party = _party(request)
    PASSKEYS_PER_ADDRESS.hit(client_address(request))
    return JsonResponse(passkeys.ask_passkey(party=party, browser=browser_of(request)))


@form_action(_account)
def sign_in(request: HttpRequest) -> str:
    """Sign in with a passkey; the games of this browser are merged into the account."""
    party = _party(request)
    PASSKEYS_PER_ADDRESS.hit(client_address(request))
    check_suspended(request)
    device = passkeys.sign_in_by_passkey(
        party=party,
        browser=browser_of(request),
        answer=request.POST.get("credential", ""),
        device=register_device(request),
        device_name=device_name(request),
    )
    return signed_in(request, device)


@form_action(_account)
def remove(request: HttpRequest) -> str:
    """Remove the passkey in the field ``passkey`` from the visitor's account."""
    passkey_id = request.POST.get("passkey", "")[:18]
    if passkey_id.isdecimal():
        passkeys.remove_passkey(player=require_player(request), passkey_id=int(passkey_id))
    return f"{reverse('account')}?done=no-passkey"
