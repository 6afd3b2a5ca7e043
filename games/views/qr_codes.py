"""Links as QR codes."""

from __future__ import annotations

from io import BytesIO

import segno
from django.http import HttpResponse


def qr_code(address: str) -> HttpResponse:
    """Return an address as a QR code: an image of its own, loaded on demand."""
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
