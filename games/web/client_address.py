"""The client's address, in the form by which rate limits count, and the hosts of the site.

The server has resolved the ``X-Forwarded-For`` of trusted proxies into ``REMOTE_ADDR``."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone
from django.utils.crypto import salted_hmac


def client_address(request: HttpRequest) -> str:
    return address_key(request.META.get("REMOTE_ADDR", ""))


def origin_of(request: HttpRequest) -> str:
    """Return a keyed hash of the address that sent a request, which may be stored: without the
    site's secret key it tells nothing, and tomorrow the same address has another one."""
    today = timezone.now().date().isoformat()
    return salted_hmac(f"games.origin {today}", client_address(request)).hexdigest()[:16]


def lister_of(request: HttpRequest) -> str:
    """Return a keyed hash of the address that sent a request, the same on every day. It is stored
    with what a visitor puts on a public list, where one address has only a few entries."""
    return salted_hmac("games.lister", client_address(request)).hexdigest()[:16]


# Cached: parsing takes longer than counting, and thousands of streams may reconnect at once.
@lru_cache(maxsize=20_000)
def address_key(address: str) -> str:
    """Return the rate limit key of an address: all of an IPv4 address, the /64 of an IPv6 address,
    which one customer has; ``unknown`` for other strings."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            # A dual-stack socket writes an IPv4 client as ::ffff:192.0.2.1.
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def check_host(request: HttpRequest) -> None:
    """Raise DisallowedHost for a host that is not the site's own.

    Django ignores a port and a dot at the end, but links in e-mails, invitations and codes repeat
    them, and a page at such an address has other cookies. Without https any port is right, since a
    container may be published at any."""
    host = request.get_host()
    _, port = split_domain_port(host)
    name = host.removesuffix(f":{port}") if port else host
    if name.endswith(".") or (settings.HTTPS and (port or "443") != str(settings.PORT)):
        raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}. The site is at another address.")
