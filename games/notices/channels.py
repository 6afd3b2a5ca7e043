"""The channels through which a player gets notices, which `games.worker.outbox` sends."""

from __future__ import annotations

import logging
from enum import Enum
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import get_language

from games.contract import Text, text
from games.core.outgoing import BadAddress, parse_address
from games.core.refusals import Refusal
from games.models import Channel, EmailAddress, Player, PushSubscription, WebHook
from games.models.channels import HOOK_LENGTH
from games.storage.compiled_queries import CompiledQuery
from games.storage.write_lock import write_transaction

logger = logging.getLogger(__name__)

KINDS: tuple[type[Channel], ...] = (WebHook, PushSubscription)
"""The models of channels. `games.worker` has a function that sends for each."""
PLAYERS_AT_ONCE = 50
MOST_FAILURES = 20
"""The number of consecutive failed notices after which a channel is removed."""


class Outcome(Enum):
    ARRIVED = "arrived"
    FAILED = "failed"
    BUSY = "busy"
    """The service is busy, so the notice is sent once more later."""
    GONE = "gone"
    """The channel no longer exists, so it is removed."""


class Attempt(NamedTuple):
    """An attempt to send a notice. ``failure`` is '' or the reason: a key of `FAILURES`, or an HTTP
    status."""

    outcome: Outcome
    failure: str = ""


FAILURES = {
    "address": text("The address isn’t open to the internet."),
    "unreachable": text("The address can’t be reached."),
    "timeout": text("The address took more than ten seconds."),
    "broken": text("The address gave no proper answer."),
}


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


def set_hook(*, player: Player, url: str, site: str) -> None:
    """Set the address for notices of a player's turns; '' removes it. Raises BadHook."""
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
            WebHook.objects.create(player=player, url=cleaned, site=site, language=language)


def hook_of(player: Player) -> WebHook | None:
    return WebHook.objects.filter(player=player).first()


def _kinds() -> list[type[Channel]]:
    return [kind for kind in KINDS if kind is not PushSubscription or settings.PUSH_KEY]


def channels_of(player_id: UUID) -> list[Channel]:
    return [channel for kind in _kinds() for channel in _channels_of(kind, player_id)]


def players_after(last: UUID | None) -> list[UUID]:
    """Return the next players with a channel or digests, in order of their ids."""
    found: set[UUID] = set()
    sources = [(kind._default_manager.filter(stopped=None), kind.owner) for kind in _kinds()]
    digests = EmailAddress.objects.filter(digests=True).exclude(address="")
    for source, owner in [*sources, (digests, "account__player")]:
        rows = source.order_by(owner).distinct()
        if last is not None:
            rows = rows.filter(**{f"{owner}__gt": last})
        found.update(rows.values_list(owner, flat=True)[:PLAYERS_AT_ONCE])
    return sorted(found)[:PLAYERS_AT_ONCE]


def _channels_of(kind: type[Channel], player_id: UUID) -> QuerySet[Channel]:
    return kind._default_manager.filter(**{kind.owner: player_id}, stopped=None)


_channel_queries = {kind: CompiledQuery(partial(_channels_of, kind, UUID(int=0))) for kind in KINDS}
_digest_query = CompiledQuery(
    lambda: EmailAddress.objects.filter(digests=True, account__player=UUID(int=0)).exclude(
        address=""
    )
)


def is_reached(player_id: UUID) -> bool:
    """Return whether a player has a channel or digests. The end of each game asks that for its
    players, while it holds the lock."""
    key = Player._meta.pk.get_db_prep_value(player_id, connection)
    found = any(_channel_queries[kind].rows(key) for kind in _kinds())
    return found or bool(_digest_query.rows(key, ""))


def note_sent(*, channel: Channel, attempt: Attempt) -> None:
    """Store the outcome of a notice: count failures, and remove a channel that is gone or keeps
    failing."""
    arrived = attempt.outcome is Outcome.ARRIVED
    today = timezone.now().date()
    if arrived and not channel.failures and channel.used == today:
        return
    if channel.pk is None:
        # Without the address, with which everybody could write there.
        logger.warning("The web hook of the site has failed: %s", attempt.failure)
        return
    mine = type(channel)._default_manager.filter(pk=channel.pk)
    with write_transaction():
        if attempt.outcome is Outcome.GONE:
            mine.delete()
            return
        mine.update(
            failures=0 if arrived else F("failures") + 1,
            last_failure=attempt.failure,
            failed_at=None if arrived else timezone.now(),
            used=today if arrived else channel.used,
        )
        mine.filter(failures__gte=MOST_FAILURES).delete()
