"""The front of the site: streams go to the hub, the rest to ordinary synchronous Django.

Django's own ASGI handler starts threads per request and holds one for every open stream. Here
its WSGI handler runs in small fixed pools of threads, which keep their database connections: one
for what is done at tables, one for all pages. A stream is a few kilobytes in the event loop.
"""

import re

from django.conf import settings

from boardsite.server.wsgi_bridge import Receive, Scope, Send, WSGIBridge
from boardsite.wsgi import application as django_application
from games.live.streams import follow
from games.web.headers import refuse_too_long, too_long

EVENTS = re.compile(r"/g/([^/\0]+)/events/")
TABLE = re.compile(r"/g/[^/\0]+/.+")

MOST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

pages = WSGIBridge(django_application, threads=settings.THREADS, most=MOST)
tables = WSGIBridge(django_application, threads=settings.TABLE_THREADS, most=MOST)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request."""
    if scope["type"] != "http":
        raise NotImplementedError(f"no {scope['type']} here")
    if too_long(scope["headers"]):
        # Before anything reads them: parsers are made for headers that make sense.
        await refuse_too_long(send)
        return
    events = EVENTS.fullmatch(scope["path"])
    if events and scope["method"] == "GET":
        await follow(events[1], scope, receive, send)
    else:
        at_table = scope["method"] == "POST" and TABLE.fullmatch(scope["path"])
        await (tables if at_table else pages)(scope, receive, send)
