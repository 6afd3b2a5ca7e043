"""The visitor's e-mail address: entering, confirming and removing it, and resetting a password.

A GET changes nothing, because programs that scan e-mails open all links."""

from __future__ import annotations

from functools import wraps

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt

from games.core.rate_limits import EMAILS_PER_ADDRESS, EMAILS_PER_PLAYER, SIGN_INS_PER_ADDRESS
from games.core.refusals import Refusal
from games.models import Player
from games.people import accounts, emails
from games.views.common import View, form_action, register_device, show_page, signed_in
from games.views.people.account import hash_lock, owner_action, recovery_page
from games.web.client_address import client_address
from games.web.request import HttpRequest, device_name


def email_page(view: View) -> View:
    """Wrap a view so that it answers 404 on a site without a mail server."""

    @wraps(view)
    def offered(request: HttpRequest, **arguments: str) -> HttpResponse:
        if not settings.HAS_EMAIL:
            raise Http404
        return view(request, **arguments)

    return offered


@email_page
@owner_action("email")
def set_email(request: HttpRequest, player: Player) -> str:
    """Send the confirmation link for an address, or ``remove`` it, by the password."""
    accounts.check_owner(player=player, password=request.POST.get("password", ""))
    if "remove" in request.POST:
        emails.remove_email(player=player)
        return f"{reverse('account')}?done=no-email"
    EMAILS_PER_ADDRESS.hit(client_address(request))
    EMAILS_PER_PLAYER.hit(str(player.pk))
    site = request.build_absolute_uri(reverse("home"))
    emails.enter_email(player=player, address=request.POST.get("email", ""), site=site)
    return f"{reverse('account')}?done=email"


@email_page
@owner_action("email")
def digests(request: HttpRequest, player: Player) -> str:
    emails.set_digests(player=player, wanted=request.POST.get("digests") == "on")
    return f"{reverse('account')}?done=saved"


def _spent(request: HttpRequest, refused: Refusal, token: str = "") -> HttpResponse:
    return show_page(request, "people/email_spent.html", {}, refused)


def _confirm_page(request: HttpRequest, token: str) -> HttpResponse:
    address = emails.email_of_token(token, emails.CONFIRM).pending
    return render(request, "people/confirm_email.html", {"address": address})


@email_page
@form_action(_spent, asks=_confirm_page)
def confirm(request: HttpRequest, token: str) -> str | HttpResponse:
    """Show the address that a link confirms (GET), and confirm it (POST)."""
    email = emails.confirm_email(token=token)
    if email.account.player_id == request.player_id:
        return f"{reverse('account')}?done=confirmed"
    return render(request, "people/confirm_email.html", {"done": True, "address": email.address})


@email_page
@form_action(recovery_page)
def ask_recovery(request: HttpRequest) -> str:
    """Request a link that resets a password, with one answer for all names and addresses."""
    EMAILS_PER_ADDRESS.hit(client_address(request))
    emails.ask_recovery(typed=request.POST.get("who", ""))
    return f"{reverse('recover')}?done=sent"


def _new_password(request: HttpRequest, token: str, refused: Refusal | None = None) -> HttpResponse:
    try:
        name = emails.email_of_token(token, emails.PASSWORD).account.name
    except Refusal as spent:
        return _spent(request, spent)
    return show_page(request, "people/new_password.html", {"name": name}, refused)


@email_page
@form_action(_new_password, asks=_new_password)
def recover(request: HttpRequest, token: str) -> str:
    """Ask for a new password (GET), and set it and sign in (POST)."""
    emails.email_of_token(token, emails.PASSWORD)
    SIGN_INS_PER_ADDRESS.hit(client_address(request))
    with hash_lock():
        device = emails.recover_by_email(
            token=token,
            password=request.POST.get("password", ""),
            device=register_device(request),
            device_name=device_name(request),
        )
    return signed_in(request, device)


def _unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    emails.email_of_token(token, emails.DIGESTS)
    return render(request, "people/unsubscribe.html", {"done": False})


@csrf_exempt
@email_page
@form_action(_spent, asks=_unsubscribe_page)
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to end the e-mails about turns (GET), and end them (POST). Mail programs send the
    POST without a cookie, so the token alone must suffice (RFC 8058)."""
    emails.unsubscribe(token=token)
    return render(request, "people/unsubscribe.html", {"done": True})
