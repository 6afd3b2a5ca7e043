"""What every answer tells the browser, for answers that do not pass through Django's middleware."""

from __future__ import annotations

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
