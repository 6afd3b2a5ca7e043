"""Threads of the admin: its pages hold none that answers visitors."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from boardsite import asgi
from boardsite.server.wsgi_bridge import WSGIBridge

released = threading.Event()


def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    if environ["PATH_INFO"].startswith("/admin/"):
        released.wait(20)
    start_response("200 OK", [])
    return [environ["PATH_INFO"].encode()]


async def get(path: str, **changed: Any) -> bytes:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
        "headers": [],
        **changed,
    }
    await asgi.application(scope, receive, send)
    return b"".join(message.get("body", b"") for message in sent)


def test_slow_pages_of_the_admin_leave_the_threads_of_visitors_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    released.clear()
    for name in ("pages", "admin_pages"):
        monkeypatch.setattr(asgi, name, WSGIBridge(answer, name=name, threads=1, max_body=100))

    async def visit() -> list[bytes]:
        slow = [asyncio.create_task(get("/admin/games/")) for _ in range(3)]
        await asyncio.sleep(0)
        page = await asyncio.wait_for(get("/rules/"), 10)
        assert not any(task.done() for task in slow)
        released.set()
        return [page, *await asyncio.gather(*slow)]

    assert asyncio.run(visit()) == [b"/rules/", *[b"/admin/games/"] * 3]


@pytest.mark.parametrize(
    ("client", "warnings"),
    [(("10.0.0.5", 4_000), 1), (("10.0.0.5", 0), 0), (("8.8.8.8", 4_000), 0), (None, 0)],
)
def test_a_proxy_of_this_network_that_is_not_trusted_is_told_once(
    client: Any,
    warnings: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    released.set()
    monkeypatch.setattr(asgi, "_warned", [])
    monkeypatch.setattr(asgi, "pages", WSGIBridge(answer, name="pages", threads=1, max_body=100))
    headers = [(b"x-forwarded-for", b"192.0.2.1")]

    async def visit() -> None:
        for _ in range(2):
            await get("/rules/", client=client, headers=headers)

    asyncio.run(visit())
    assert len([line for line in caplog.messages if "FORWARDED_ALLOW_IPS" in line]) == warnings
