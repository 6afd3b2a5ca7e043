"""Headers, for what does not pass through Django: those that come, and what every answer tells."""

from __future__ import annotations

from collections.abc import Iterable

from csp.utils import build_policy
from django.conf import settings

STRICT = [
    (b"content-security-policy", str(build_policy()).encode()),
    (b"x-frame-options", settings.X_FRAME_OPTIONS.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
    (b"cross-origin-opener-policy", settings.SECURE_CROSS_ORIGIN_OPENER_POLICY.encode()),
]
"""Made once: a stream's head is sent to thousands. That the host has https is not among them: of
that, pages tell."""


def joined(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers of a request by name; those that come twice are one: HTTP/2 sends each cookie by
    itself. In one go, or a hundred thousand of them would hold up everybody."""
    found: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: (b"; " if name == b"cookie" else b",").join(found[name]) for name in found}
