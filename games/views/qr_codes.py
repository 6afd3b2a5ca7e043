"""Links as QR codes."""

from __future__ import annotations

from io import BytesIO

import segno
from django.http import HttpResponse


def qr_code(address: str) -> HttpResponse:
    """Return an address as the image of a QR code, which pages load on demand."""
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")
