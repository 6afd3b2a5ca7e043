"""The hosts at which the site answers."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port


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
