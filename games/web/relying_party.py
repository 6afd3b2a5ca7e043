"""The relying party of passkeys: the site to which browsers bind them."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from games.core.webauthn import AVAILABLE, RelyingParty


def relying_party(request: HttpRequest) -> RelyingParty | None:
    """Return the relying party for the host name of a request, which Django has checked; None if
    passkeys are not available, at an IP address or without the library."""
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
