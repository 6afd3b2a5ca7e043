"""Headers, for what does not pass through Django: those that come, what every answer tells, and
answers that only refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from csp.utils import build_policy
from django.conf import settings
from django.utils import translation

from games.contract import text
from games.translation import translate

STRICT = [
    (b"content-security-policy", str(build_policy()).encode()),
    (b"x-frame-options", settings.X_FRAME_OPTIONS.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
    (b"cross-origin-opener-policy", settings.SECURE_CROSS_ORIGIN_OPENER_POLICY.encode()),
]
"""Made once: a stream's head is sent to thousands. That the host has https is not among them: of
that, pages tell."""


LONGEST = 16_384
"""Bytes of headers that are read: as much as other servers take. A browser sends about one
thousand, and with many cookies of its host's other sites some more."""
LONGEST_TYPE = 256
"""Bytes of the type of a body; the time that reading it takes goes with the square of these."""
TOO_LONG = text(
    "Your browser sends more with every request than this site reads. It helps to delete the "
    "cookies of this site there."
)


def too_long(pairs: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the headers of a request are more than anything here shall read."""
    room = LONGEST
    for name, value in pairs:
        room -= len(name) + len(value)
        if name == b"content-type" and len(value) > LONGEST_TYPE:
            return True
    return room < 0


def joined(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers of a request by name; those that come twice are one: HTTP/2 sends each cookie by
    itself."""
    found: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    whole = {name: (b"; " if name == b"cookie" else b",").join(found[name]) for name in found}
    if b"\\" in whole.get(b"cookie", b""):
        whole[b"cookie"] = _without_backslashes(whole[b"cookie"])
    return whole


def _without_backslashes(cookies: bytes) -> bytes:
    """Without those cookies that need unquoting: none is ours, and before Python 3.11.10 and 3.12.6
    the time for that goes with the square of their length (CVE-2024-7592)."""
    return b";".join(cookie for cookie in cookies.split(b";") if b"\\" not in cookie)


async def refuse(
    send: Callable[[Any], Awaitable[None]], status: int, sentence: str = "", *, last: bool = False
) -> None:
    """Answer with a sentence, or with nothing but the status; ``last`` ends the connection."""
    body = sentence.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        *([(b"connection", b"close")] if last else []),
        *STRICT,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_too_long(send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer 431 in every language: which one is wanted is in what is not read."""
    said = []
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            said.append(translate(TOO_LONG))
    await refuse(send, 431, "\n".join(said))
