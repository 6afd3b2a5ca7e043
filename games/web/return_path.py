"""Validated paths of this site to return to."""

from __future__ import annotations

from django.utils.http import url_has_allowed_host_and_scheme

from games.web.request import HttpRequest

LONGEST = 200


def return_path(request: HttpRequest) -> str:
    """Return the path in the parameter ``next`` of a form or link; '' without one, and for an
    address of another site.
    """
    path = request.POST.get("next") or request.GET.get("next") or ""
    is_own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_own and len(path) <= LONGEST else ""
