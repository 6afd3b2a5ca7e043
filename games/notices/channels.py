"""The channels through which a player gets notices, which `games.worker.outbox` sends."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Collection
from enum import Enum
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import get_language

from games.contract import Text, text
from games.core.outgoing import BadAddress, parse_address
from games.core.refusals import Refusal
from games.models import Channel, Device, EmailAddress, Outgoing, Player, PushSubscription, WebHook
from games.models.channels import ENDPOINT_LENGTH, HOOK_LENGTH
from games.storage.compiled_queries import CompiledQuery, as_instance
from games.storage.write_lock import write_transaction

KINDS: tuple[type[Channel], ...] = (WebHook, PushSubscription, EmailAddress)
"""The models of channels. `games.worker` has a function that sends for each."""
PLAYERS_AT_ONCE = 50
KEY_BYTES, SECRET_BYTES = 65, 16


class Outcome(Enum):
    ARRIVED = "arrived"
    """Also if the outcome of an e-mail is unknown, so that nothing is sent twice."""
    FAILED = "failed"
    BUSY = "busy"
    """The service is busy, so the letter is sent again later."""
    AWAY = "away"
    """The mail server does not answer, so all e-mails wait."""
    GONE = "gone"
    """The channel no longer exists, so it is removed."""


class Attempt(NamedTuple):
    """An attempt to send a letter. ``failure`` is '' or the reason: a key of `FAILURES`, an HTTP
    status, or a word for the mail server's answer."""

    outcome: Outcome
    failure: str = ""


FAILURES = {
    "address": text("The address isn’t open to the internet."),
    "unreachable": text("The address can’t be reached."),
    "timeout": text("The address took more than ten seconds."),
    "broken": text("The address gave no proper answer."),
}
SLOW = {"unreachable", "timeout"}
"""The failures after which a channel rests."""


def failure_word(error: Exception) -> str:
    """Return the word for an error of `games.core.outgoing`."""
    if isinstance(error, BadAddress):
        return "address"
    return "timeout" if isinstance(error, TimeoutError) else "broken"


def failure_of(channel: Channel) -> Text | None:
    """Return why the last notice to a channel failed; None if it arrived."""
    if not channel.last_failure:
        return None
    answered = text("The address answered with the error %(status)s.", status=channel.last_failure)
    return FAILURES.get(channel.last_failure, answered)


def push_failure(device_id: UUID) -> Text | None:
    """Return why the last notice to a device failed; None if it arrived."""
    found = PushSubscription.objects.filter(device=device_id).first()
    return failure_of(found) if found else None


class BadHook(Refusal):
    """Raised for an address to which the site does not send."""

    reason = text("Enter an address that begins with https:// and is open to the internet.")


def set_hook(*, player: Player, url: str, site: str, origin: str = "") -> None:
    """Set the address of a player's web hook, from ``origin``; '' removes it. Raises BadHook."""
    cleaned = url.strip()
    if cleaned:
        try:
            parse_address(cleaned)
        except BadAddress as error:
            raise BadHook from error
        if len(cleaned) > HOOK_LENGTH:
            raise BadHook
    with write_transaction():
        WebHook.objects.filter(player=player).delete()
        if cleaned:
            language = get_language() or "en"
            WebHook.objects.create(
                player=player, url=cleaned, site=site, language=language, origin=origin or None
            )


def hook_of(player: Player) -> WebHook | None:
    return WebHook.objects.filter(player=player).first()


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


def _kinds() -> list[type[Channel]]:
    return [kind for kind in KINDS if is_on(kind.kind)]


def is_on(kind: str) -> bool:
    """Return whether the site sends through channels of a kind."""
    is_set = {PushSubscription.kind: settings.PUSH_KEY, EmailAddress.kind: settings.HAS_EMAIL}
    return bool(is_set.get(kind, True))


def _rows(kind: type[Channel]) -> QuerySet[Channel]:
    if kind is EmailAddress:
        return EmailAddress.objects.exclude(address="").filter(digests=True)
    return kind._default_manager.filter(stopped=None)


def _rows_of(kind: type[Channel]) -> QuerySet[Channel]:
    return _rows(kind).filter(**{kind.owner: UUID(int=0)})


_queries = {kind: CompiledQuery(partial(_rows_of, kind)) for kind in KINDS}


def channels_of(player_id: UUID) -> list[Channel]:
    """Return a player's channels, compiled: the end of a game asks for them under its lock."""
    key = Player._meta.pk.get_db_prep_value(player_id, connection)
    return [
        as_instance(kind, values)
        for kind in _kinds()
        for values in _queries[kind].rows(*([""] if kind is EmailAddress else []), key)
    ]


def gather(*, player: Player, kinds: Collection[str]) -> None:
    """Let the notices through a player's channels of some kinds come together, at most once an
    hour, and those through the others at once."""
    with write_transaction():
        for channel in channels_of(player.pk):
            gathered, rows = channel.kind in kinds, type(channel)._default_manager
            if channel.has_digests != gathered:
                rows.filter(pk=channel.pk).update(gathered=gathered, rests_until=None)


def channel_of(row: Outgoing) -> Channel | None:
    """Return the channel of a letter; None if it is gone or gets no such letters any longer."""
    kind = next(kind for kind in KINDS if kind.kind == row.channel)
    if kind is WebHook and not row.to:
        return site_hook()
    rows = kind._default_manager.all() if row.is_requested else _rows(kind)
    return rows.filter(pk=row.to).first()


def site_hook() -> WebHook | None:
    """Return the web hook of the site, such as that of a club's chat room. It is not stored."""
    url, site, language = settings.OPEN_SEATS_HOOK, settings.SITE_ADDRESS, settings.LANGUAGE_CODE
    return WebHook(url=url, site=site, language=language) if url else None


def players_after(last: UUID | None) -> list[UUID]:
    """Return the next players with a channel, in order of their ids."""
    found: set[UUID] = set()
    for kind in _kinds():
        rows = _rows(kind).order_by(kind.owner).distinct()
        if last is not None:
            rows = rows.filter(**{f"{kind.owner}__gt": last})
        found.update(rows.values_list(kind.owner, flat=True)[:PLAYERS_AT_ONCE])
    return sorted(found)[:PLAYERS_AT_ONCE]
