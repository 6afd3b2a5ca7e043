"""The names of browsers and systems in the header User-Agent."""

from __future__ import annotations

from django.http import HttpRequest

# The order matters: most browsers name others as well.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_name(request: HttpRequest) -> str:
    """Return the browser and operating system of a request, such as ``Firefox, Android``; '' if
    neither is known."""
    agent = request.META.get("HTTP_USER_AGENT", "")
    found = (next((name for sign, name in kinds if sign in agent), "") for kinds in _KINDS)
    return ", ".join(filter(None, found))


_KINDS = (BROWSERS, SYSTEMS)
