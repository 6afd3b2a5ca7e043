"""Web Push: notices to a device through the push service of its browser vendor."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from uuid import UUID

from django.db.models import Q
from django.utils.translation import get_language

from games.contract import text
from games.core.outgoing import BadAddress, parse_address
from games.core.refusals import Refusal
from games.models import Device, PushSubscription
from games.models.channels import ENDPOINT_LENGTH
from games.storage.write_lock import write_transaction

KEY_BYTES, SECRET_BYTES = 65, 16


class BadSubscription(Refusal):
    """Raised for a subscription to which the site cannot send."""

    reason = text("Your browser gave no address for notices. It needs scripts and your permission.")


def subscribe_device(
    *, device: Device, endpoint: str, key: str, secret: str, site: str, origin: str = ""
) -> None:
    """Store the push subscription of a device, which then gets notices. Raises BadSubscription."""
    _check(endpoint, key, secret)
    with write_transaction():
        # The browser may have been a device of another player before.
        PushSubscription.objects.filter(Q(device=device) | Q(endpoint=endpoint)).delete()
        PushSubscription.objects.create(
            device=device,
            endpoint=endpoint,
            key=key,
            secret=secret,
            site=site,
            language=get_language() or "en",
            origin=origin or None,
        )


def renew_subscription(*, device_id: UUID, endpoint: str, key: str, secret: str) -> None:
    """Replace the push subscription of a device, if it has one, by the one that the browser has got
    in its place. Raises BadSubscription."""
    _check(endpoint, key, secret)
    with write_transaction():
        PushSubscription.objects.filter(endpoint=endpoint).exclude(device=device_id).delete()
        PushSubscription.objects.filter(device=device_id).update(
            endpoint=endpoint, key=key, secret=secret, failures=0, last_failure=""
        )


def _check(endpoint: str, key: str, secret: str) -> None:
    try:
        host = parse_address(endpoint).hostname or ""
    except BadAddress as error:
        raise BadSubscription from error
    # No push service has an IPv6 address as host name.
    if len(endpoint) > ENDPOINT_LENGTH or ":" in host:
        raise BadSubscription
    # An uncompressed point begins with 4.
    if len(_decode(secret)) != SECRET_BYTES or len(point := _decode(key)) != KEY_BYTES:
        raise BadSubscription
    if point[0] != 4:
        raise BadSubscription


def _decode(value: str) -> bytes:
    """Return the bytes of unpadded base64; b'' for any other text."""
    try:
        return urlsafe_b64decode(value + "=" * (-len(value) % 4)) if len(value) < 100 else b""
    except ValueError:
        return b""


def unsubscribe_device(*, device_id: UUID) -> None:
    with write_transaction():
        PushSubscription.objects.filter(device=device_id).delete()


def is_subscribed(device_id: UUID) -> bool:
    """Return whether a device gets notices of turns."""
    return PushSubscription.objects.filter(device=device_id).exists()
