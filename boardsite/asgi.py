"""The ASGI application of the site: streams go to the hub, the rest to synchronous Django.

Django's own ASGI handler starts threads per request and holds one for every open stream. Here its
WSGI handler runs in small fixed pools of threads, which reuse their database connections, and a
stream is a few kilobytes in the event loop."""

import logging
import re
from ipaddress import ip_address

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from boardsite.server.monitoring import HEALTH, METRICS, serve_health, serve_metrics
from boardsite.server.wsgi_bridge import Receive, Scope, Send, WSGIBridge
from games.api.streams import serve_events
from games.live.streams import serve_stream
from games.web.headers import are_too_long, refuse_too_long

PROGRAM_EVENTS = re.compile(r"/api/1/(?:games/([^/\0]+)/)?events")
EVENTS = re.compile(r"/g/([^/\0]+)/events/")
GAME = re.compile(r"(/g|/api/1/games)/[^/\0]+/.+")
SLOW = ("/admin/", "/me/account/data/", "/me/games.jsonl")
"""Addresses of pages that may take seconds."""

_warned: list[str] = []
log = logging.getLogger(__name__)

django_application = get_wsgi_application()
MAX_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

pages = WSGIBridge(django_application, name="pages", threads=settings.THREADS, max_body=MAX_BODY)
game_posts = WSGIBridge(
    django_application,
    name="game_posts",
    threads=settings.GAME_THREADS,
    max_body=MAX_BODY,
    batches=settings.GAME_THREADS == 1,
)
# A slow page of the admin, or a large export, must not hold a thread that answers visitors.
admin_pages = WSGIBridge(
    django_application, name="admin", threads=settings.ADMIN_THREADS, max_body=MAX_BODY
)
# One thread and two bodies at a time: a body of 20 MB stays in memory until it is read.
uploads = WSGIBridge(
    django_application, name="uploads", threads=1, max_body=settings.UPLOAD_MAX_SIZE, at_once=2
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        raise NotImplementedError(f"{scope['type']} is not served")
    if are_too_long(scope["headers"]):
        # Before any parser reads them: some take quadratic time on absurd headers.
        await refuse_too_long(send)
        return
    if not _warned:
        _warn_of_proxy(scope)
    if scope["path"].startswith(HEALTH):
        await serve_health(scope, receive, send)
        return
    if scope["path"] == METRICS:
        await serve_metrics(scope, receive, send)
        return
    events = EVENTS.fullmatch(scope["path"])
    if events and scope["method"] == "GET":
        await serve_stream(events[1], scope, receive, send)
        return
    events = PROGRAM_EVENTS.fullmatch(scope["path"])
    if events and scope["method"] == "GET" and await serve_events(events[1], scope, receive, send):
        return
    await _bridge(scope)(scope, receive, send)


def _warn_of_proxy(scope: Scope) -> None:
    """Log once that a proxy of this network is not trusted. Uvicorn sets the port of a client to 0
    where it has believed a proxy; a stranger who forges the header is not of this network."""
    host, port = scope.get("client") or ("", 0)
    names = {name for name, _ in scope["headers"]}
    if port and b"x-forwarded-for" in names and ip_address(host).is_private:
        _warned.append(host)
        log.warning("All visitors through %s count as one: FORWARDED_ALLOW_IPS lacks it", host)


def _bridge(scope: Scope) -> WSGIBridge:
    if scope["path"].startswith(SLOW):
        return admin_pages
    if scope["path"] == settings.UPLOAD_PATH:
        return uploads
    is_game_post = scope["method"] == "POST" and GAME.fullmatch(scope["path"])
    return game_posts if is_game_post else pages
