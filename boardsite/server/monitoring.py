"""The addresses for monitors, answered before Django sees the request: a load balancer asks by the
address of a machine, without https, and neither the host name nor the scheme is a reason to refuse
it.

``/health/`` answers while the process lives, ``/health/ready/`` while the host can serve. A fault
of the site as a whole is a warning in the body of a ready host, for otherwise a balancer would take
all hosts away at once. ``/metrics/`` is for Prometheus with the token of the settings."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from boardsite.server.wsgi_bridge import Receive, Scope, Send
from games.core import metrics
from games.live.health import failures, queues, warnings
from games.web.headers import join_headers, refuse, send_response

HEALTH, METRICS = "/health/", "/metrics/"
TEXT = b"text/plain; version=0.0.4; charset=utf-8"
Reasons = tuple[dict[str, str], dict[str, str]]
"""The failures of this host, and the warnings."""
READY_SECONDS = 4.0
"""Seconds for all checks: PostgreSQL may hang instead of refusing."""


async def serve_health(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 200, or 503 with the parts that do not work; 404 for other paths below."""
    if scope["path"] == HEALTH:
        await _answer(send, 200, {"status": "alive"})
    elif scope["path"] == f"{HEALTH}ready/":
        failed, warned = await _readiness.check()
        content = {"status": "not ready" if failed else "ready", **failed}
        await _answer(send, 503 if failed else 200, content | {"warnings": warned})
    else:
        await _answer(send, 404, {"status": "unknown"})


class _Readiness:
    """Runs one check at a time in a thread, for all requests that arrive meanwhile."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._running: asyncio.Future[Reasons] | None = None

    async def check(self) -> Reasons:
        if self._running is None or self._running.done():
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, _check)
        try:
            return await asyncio.wait_for(asyncio.shield(self._running), READY_SECONDS)
        except TimeoutError:
            return {"database": f"No answer in {READY_SECONDS:g} seconds."}, {}


_readiness = _Readiness()


def _check() -> Reasons:
    try:
        failed = failures()
        # Without a database the warnings would only repeat it.
        return failed, {} if failed else warnings()
    finally:
        connection.close()


async def _answer(send: Send, status: int, content: dict[str, Any]) -> None:
    body = json.dumps(content).encode()
    await send_response(send, status, body, content_type=b"application/json")


_metrics_thread = ThreadPoolExecutor(1, thread_name_prefix="metrics")


async def serve_metrics(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the metrics; 404 if they are off, 401 without the token."""
    if not settings.METRICS_TOKEN:
        await refuse(send, 404)
        return
    given = join_headers(scope["headers"]).get(b"authorization", b"")
    if not compare_digest(given, b"Bearer " + settings.METRICS_TOKEN.encode()):
        await refuse(send, 401)
        return
    body = await asyncio.get_running_loop().run_in_executor(_metrics_thread, _render)
    await send_response(send, 200, body, content_type=TEXT)


def _render() -> bytes:
    """Return all metrics, or all but those of the database if it does not answer."""
    try:
        gauges = queues()
    except DatabaseError:
        gauges = {}
    finally:
        connection.close()
    return metrics.render(gauges)
