"""The address of the metrics, ``/metrics/``, for Prometheus with the token of the settings.

Like the health addresses it is answered before Django sees the request."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest

from django.conf import settings
from django.db import DatabaseError, connection

from boardsite.server.wsgi_bridge import Receive, Scope, Send
from games.core import metrics
from games.live.health import queues
from games.web.headers import join_headers, refuse, send_response

PATH = "/metrics/"
CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

_thread = ThreadPoolExecutor(1, thread_name_prefix="metrics")


async def serve_metrics(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the metrics; 404 if they are off, 401 without the token."""
    if not settings.METRICS_TOKEN:
        await refuse(send, 404)
        return
    given = join_headers(scope["headers"]).get(b"authorization", b"")
    if not compare_digest(given, b"Bearer " + settings.METRICS_TOKEN.encode()):
        await refuse(send, 401)
        return
    body = await asyncio.get_running_loop().run_in_executor(_thread, _render)
    await send_response(send, 200, body, content_type=CONTENT_TYPE)


def _render() -> bytes:
    """Return all metrics, or all but those of the database if it does not answer."""
    try:
        gauges = queues()
    except DatabaseError:
        gauges = {}
    finally:
        connection.close()
    return metrics.render(gauges)
