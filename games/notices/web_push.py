"""The cryptography of Web Push: the site's key, its signature, and the encryption of notices.
Libraries are imported where they are used, since not every site has them installed."""

from __future__ import annotations

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

VALID_SECONDS = 12 * 3600


def new_key() -> str:
    """Return a new private key: 32 bytes in base64."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode(number.to_bytes(32, "big"))


@lru_cache(1)
def public_key(private: str) -> str:
    """Return the public key in the format that browsers expect. Raises ValueError."""
    return encode(public_bytes(_signer(private).public_key))


def authorization(private: str, endpoint: str, contact: str) -> str:
    """Return the header that identifies the site to a push service (RFC 8292)."""
    parts = urlsplit(endpoint)
    # At most a day is allowed, and the clock of the service may differ.
    expires = int(time.time()) + VALID_SECONDS
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact, "exp": expires}
    header: str = _signer(private).sign(claims)["Authorization"]
    return header


def encrypt(content: bytes, key: str, secret: str) -> bytes:
    """Return a body that only this browser can read (RFC 8291). Raises ValueError for a bad key."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    own = ec.generate_private_key(ec.SECP256R1())
    body: bytes = http_ece.encrypt(
        content, private_key=own, dh=decode(key), auth_secret=decode(secret)
    )
    return body


def public_bytes(key: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point: bytes = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return point


def encode(value: bytes) -> str:
    """Return bytes in the base64 of URLs, without padding."""
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def decode(value: str) -> bytes:
    """Return the bytes of unpadded base64. Raises ValueError."""
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))


def _signer(private: str) -> Any:
    from py_vapid import Vapid02

    signer = Vapid02.from_raw(private.encode())
    # The library's check of contacts would refuse `http://localhost:8000`.
    signer.conf["no-strict"] = True
    return signer
