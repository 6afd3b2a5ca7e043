"""Headers of requests and responses that do not go through Django's middleware, and compression:
fast deflate for answers to moves and events of streams, brotli for whole pages.

For a board of 12 KB, ISA-L (python-isal) at level 1 takes a quarter of the time of zlib at level 6,
for one of 90 KB a twentieth, and its output is a tenth larger. For the page of a game, the output
of Brotli at level 5 is a tenth smaller than zlib's, in half a millisecond; higher levels soon get
slow and gain little."""

from __future__ import annotations

import secrets
import struct
from collections.abc import Awaitable, Callable, Iterable
from hashlib import sha256
from typing import Any
from zlib import DEFLATED, MAX_WBITS, Z_SYNC_FLUSH, crc32

import brotli
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from isal import isal_zlib

from games.contract import text
from games.core.translation import translate


def content_policy(
    *, update: dict[str, Any] | None = None, replace: dict[str, Any] | None = None
) -> str:
    """Return the Content-Security-Policy of the settings with changes, see `build_policy`. Its
    directives are in alphabetical order: the library's order differs from process to process."""
    return "; ".join(sorted(build_policy(update=update, replace=replace).split("; ")))


SECURITY_HEADERS = [
    (b"content-security-policy", content_policy().encode()),
    (b"x-frame-options", settings.X_FRAME_OPTIONS.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
    (b"cross-origin-resource-policy", settings.CROSS_ORIGIN_RESOURCE_POLICY.encode()),
    (b"permissions-policy", settings.PERMISSIONS_POLICY.encode()),
]
"""Built once, since thousands of streams send them. Strict-Transport-Security is left to pages."""
if policy := settings.SECURE_CROSS_ORIGIN_OPENER_POLICY:
    SECURITY_HEADERS.append((b"cross-origin-opener-policy", policy.encode()))
MAX_HEADERS = 16_384
"""The maximum size of all headers of a request, as in other servers. A browser sends about a
thousand bytes, and more with cookies of other sites on the same host."""
MAX_CONTENT_TYPE = 256
"""The maximum size of the Content-Type header, which Django parses in quadratic time."""
TOO_LONG = text(
    "Your browser sends more data than this site accepts. Deleting this site’s cookies should help."
)

YEAR = 365 * 24 * 3600
Pairs = Iterable[tuple[bytes, bytes]]
Send = Callable[[Any], Awaitable[None]]


def for_anywhere(response: HttpResponse) -> HttpResponse:
    """Let other sites and readers of feeds load a response, without cookies, and return it."""
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    response["Access-Control-Allow-Origin"] = "*"
    return response


def unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a response with a digest of its content as ETag, or 304 for readers that have it."""
    etag = response["ETag"] = quote_etag(sha256(response.content).hexdigest()[:32])
    return get_conditional_response(request, etag=etag, response=response) or response


def keep_cookie(response: HttpResponse, name: str, value: str) -> None:
    """Set a cookie for a year, which scripts cannot read."""
    secure = settings.HTTPS
    response.set_cookie(name, value, YEAR, secure=secure, httponly=True, samesite="Lax")


def are_too_long(pairs: Pairs) -> bool:
    room = MAX_HEADERS
    for name, value in pairs:
        room -= len(name) + len(value)
        if name == b"content-type" and len(value) > MAX_CONTENT_TYPE:
            return True
    return room < 0


def join_headers(pairs: Pairs) -> dict[bytes, bytes]:
    """Return headers by name, repeated ones joined: HTTP/2 may send each cookie alone."""
    found: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    headers = {name: (b"; " if name == b"cookie" else b",").join(found[name]) for name in found}
    if b"\\" in headers.get(b"cookie", b""):
        headers[b"cookie"] = _without_backslashes(headers[b"cookie"])
    return headers


def _without_backslashes(cookies: bytes) -> bytes:
    """Remove quoted cookies, of which the site sets none: before Python 3.11.10 and 3.12.6 they are
    unquoted in quadratic time (CVE-2024-7592)."""
    return b";".join(cookie for cookie in cookies.split(b";") if b"\\" not in cookie)


async def send_response(
    send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes], content_type: bytes
) -> None:
    """Send a whole ASGI response that no cache stores, with further ``headers``."""
    start = [
        (b"content-type", content_type),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})


async def refuse(
    send: Send, status: int, sentence: str = "", *, close: bool = False, retry_after: int = 0
) -> None:
    """Send a plain response with a status and a sentence; ``close`` ends the connection, and
    ``retry_after`` are the seconds after which the request may be sent again."""
    closing = [(b"connection", b"close")] if close else []
    if retry_after:
        closing.append((b"retry-after", b"%d" % retry_after))
    plain = b"text/plain; charset=utf-8"
    body = sentence.encode()
    await send_response(send, status, body, *closing, *SECURITY_HEADERS, content_type=plain)


async def refuse_too_long(send: Send) -> None:
    """Send 431 in all languages, since the headers with the preferred language are not parsed."""
    sentences = []
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            sentences.append(translate(TOO_LONG))
    await refuse(send, 431, "\n".join(sentences))


LEVEL = 1
BROTLI_LEVEL = 5
MAX_RANDOM_BYTES = 100
"""The maximum number of random bytes in the header, which hide how well a secret in the page
compresses (BREACH), as in Django's `GZipMiddleware`."""

# RFC 1952: magic, deflate, FNAME, no time, no extra flags, unknown system.
_GZIP_HEADER = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"


def gzip(content: bytes) -> bytes:
    """Return ``content`` as one gzip member (RFC 1952) of a random length."""
    name = b"a" * secrets.randbelow(MAX_RANDOM_BYTES) + b"\0"
    packer = isal_zlib.compressobj(LEVEL, DEFLATED, -MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    return b"".join(
        (_GZIP_HEADER, name, packed, struct.pack("<LL", crc32(content), len(content) & 0xFFFFFFFF))
    )


def brotli_page(content: bytes) -> bytes:
    """Return a brotli stream (RFC 7932) of random length, by a block that decoders skip."""
    packer = brotli.Compressor(quality=BROTLI_LEVEL, mode=brotli.MODE_TEXT)
    packed: bytes = packer.process(content) + packer.flush()
    end: bytes = packer.finish()
    return packed + _metadata(1 + secrets.randbelow(MAX_RANDOM_BYTES)) + end


def _metadata(length: int) -> bytes:
    # RFC 7932, 9.2, from the lowest bit: not last, no content, reserved, one byte of length.
    head = 0 | 0b11 << 1 | 0 << 3 | 1 << 4 | (length - 1) << 6
    return head.to_bytes(2, "little") + b"a" * length


def deflate_block(content: bytes) -> bytes:
    """Return ``content`` as deflate blocks that refer to nothing before them and end on a whole
    byte, so that they can follow one another in any stream."""
    packer = isal_zlib.compressobj(LEVEL, DEFLATED, -MAX_WBITS)
    packed: bytes = packer.compress(content) + packer.flush(Z_SYNC_FLUSH)
    return packed
