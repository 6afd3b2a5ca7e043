"""The visitor's e-mail address: entering, confirming and removing it, and resetting a password.

A GET changes nothing, because programs that scan e-mails open all links.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.core.rate_limits import EMAILS_PER_ADDRESS, EMAILS_PER_PLAYER, SIGN_INS_PER_ADDRESS
from games.core.refusals import Refusal
from games.models import Player
from games.people import accounts, emails
from games.views.common import register_device
from games.views.people.account import account_page, as_owner, secret_fields, with_hash_lock
from games.web.client_address import client_address
from games.web.player_cookie import set_player_cookie
from games.web.request import HttpRequest
from games.web.user_agents import device_name

View = Callable[..., HttpResponse]


def email_page(view: View) -> View:
    """Wrap a view so that it is never cached, and answers 404 on a site without a mail server."""

    @wraps(view)
    def offered(request: HttpRequest, **arguments: str) -> HttpResponse:
        if not settings.HAS_EMAIL:
            raise Http404
        return view(request, **arguments)

    return account_page(offered)


@email_page
@require_POST
@secret_fields
def set_email(request: HttpRequest) -> HttpResponse:
    """Send the confirmation link for an address, or ``remove`` the address, after checking the
    password."""

    def act(player: Player) -> HttpResponse:
        accounts.check_owner(player=player, password=request.POST.get("password", ""))
        if "remove" in request.POST:
            emails.remove_email(player=player)
            return redirect(f"{reverse('account')}?done=no-email")
        EMAILS_PER_ADDRESS.hit(client_address(request))
        EMAILS_PER_PLAYER.hit(str(player.pk))
        site = request.build_absolute_uri(reverse("home"))
        emails.enter_email(player=player, address=request.POST.get("email", ""), site=site)
        return redirect(f"{reverse('account')}?done=email")

    return as_owner(request, act, "email")


@email_page
@require_POST
def digests(request: HttpRequest) -> HttpResponse:
    """Turn e-mails about the visitor's turns on or off."""

    def act(player: Player) -> HttpResponse:
        emails.set_digests(player=player, wanted=request.POST.get("digests") == "on")
        return redirect(f"{reverse('account')}?done=saved")

    return as_owner(request, act, "email")


@email_page
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show the address that a link confirms (GET), and confirm it (POST)."""
    try:
        if request.method != "POST":
            email = emails.email_of_token(token, emails.CONFIRM)
            return render(request, "people/confirm_email.html", {"address": email.pending})
        email = emails.confirm_email(token=token)
    except Refusal as refused:
        return _spent(request, refused)
    if email.account.player_id == request.player_id:
        return redirect(f"{reverse('account')}?done=confirmed")
    return render(request, "people/confirm_email.html", {"done": True, "address": email.address})


def _spent(request: HttpRequest, refused: Refusal) -> HttpResponse:
    context = {"refused": refused.text}
    return render(request, "people/email_spent.html", context, status=refused.status)


@email_page
@require_POST
def ask_recovery(request: HttpRequest) -> HttpResponse:
    """Request a link that resets a password. The answer is the same for known and unknown names and
    addresses."""
    try:
        EMAILS_PER_ADDRESS.hit(client_address(request))
    except Refusal as refused:
        context = {"refused": refused.text, "form": "email"}
        return render(request, "people/recover.html", context, status=refused.status)
    emails.ask_recovery(typed=request.POST.get("who", ""))
    return redirect(f"{reverse('recover')}?done=sent")


@email_page
@require_http_methods(["GET", "HEAD", "POST"])
@secret_fields
def recover(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a new password (GET), and set it and sign in (POST)."""
    try:
        email = emails.email_of_token(token, emails.PASSWORD)
        if request.method != "POST":
            return _new_password(request, email.account.name)
        SIGN_INS_PER_ADDRESS.hit(client_address(request))
        device = with_hash_lock(
            lambda: emails.recover_by_email(
                token=token,
                password=request.POST.get("password", ""),
                device=register_device(request),
                device_name=device_name(request),
            )
        )
    except emails.EmailLinkSpent as refused:
        return _spent(request, refused)
    except Refusal as refused:
        return _new_password(request, email.account.name, refused)
    return set_player_cookie(redirect("my_games"), device.player, device.pk)


def _new_password(request: HttpRequest, name: str, refused: Refusal | None = None) -> HttpResponse:
    context = {"name": name, "refused": refused.text if refused else None}
    status = refused.status if refused else 200
    return render(request, "people/new_password.html", context, status=status)


@csrf_exempt
@email_page
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to end the e-mails about turns (GET), and end them (POST). Mail programs send the
    POST without a cookie, so the token alone must suffice (RFC 8058)."""
    try:
        if request.method == "POST":
            emails.unsubscribe(token=token)
        else:
            emails.email_of_token(token, emails.DIGESTS)
    except Refusal as refused:
        return _spent(request, refused)
    context = {"done": request.method == "POST"}
    return render(request, "people/unsubscribe.html", context)
