"""Letters: a row for each channel that gets one, claimed by `games.worker.outbox`.

A letter that has to wait, for its channel's rest or for another one to the same host, is not
claimed: so a worker that is killed loses only those that it was sending."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Channel, EmailAddress, NoticeKind, Outgoing, Sighting
from games.notices.channels import SLOW, Attempt, Outcome, channel_of
from games.storage.compiled_queries import any_of
from games.storage.write_lock import write_transaction

EMAIL_PATIENCE = timedelta(minutes=10)
"""How long an event waits before it is in a digest: most players come back by themselves."""
DIGEST_PAUSE = timedelta(hours=1)
"""The minimum time between two digests for a channel."""
SEEN_FOR = timedelta(seconds=30)
"""How long after its last sighting a game counts as on its player's screen."""
LONGEST_WAIT, FLAG_NEAR = timedelta(minutes=10), timedelta(minutes=2)
"""How long a notice waits while its game is on the screen, and before a flag it no longer does."""
REST = timedelta(minutes=10)
"""The rest of a channel that did not answer in time, or asks for one."""
RETRY = timedelta(minutes=1)
LEASE = timedelta(minutes=2)
"""The lease of a requested e-mail; it grows with each attempt."""
MOST_FAILURES, MOST_REFUSED_DIGESTS = 20, 5
"""The number of consecutive failures after which a channel is removed, or gets no more digests."""

logger = logging.getLogger(__name__)


def letter(
    channel: Channel | None, kind: str, *, wait: timedelta = timedelta(0), **event: Any
) -> Outgoing:
    """Return an unsaved letter, due after ``wait``; without a channel an e-mail to be found."""
    now = timezone.now()
    if channel is None:
        return Outgoing(channel=EmailAddress.kind, kind=kind, created=now, due=now, **event)
    due = now + wait
    if kind in NoticeKind.values:
        due = now + EMAIL_PATIENCE if channel.has_digests else due
        due = max(due, channel.rests_until or due)
    return Outgoing(
        channel=channel.kind,
        to=channel.pk or 0,
        target=channel.target,
        origin=channel.origin or "",
        kind=kind,
        created=now,
        due=due,
        **event,
    )


def insert(letters: Iterable[Outgoing]) -> None:
    """Insert letters. A repeated event inserts nothing."""
    if rows := [*letters]:
        Outgoing.objects.bulk_create(rows, ignore_conflicts=True)


_any_unclaimed = any_of(lambda: Outgoing.objects.filter(claimed=None))


def are_due() -> bool:
    unclaimed = Outgoing.objects.filter(claimed=None)
    return _any_unclaimed() and unclaimed.filter(due__lte=timezone.now()).exists()


def put_off() -> None:
    """Put off the notices of games that their players have on the screen."""
    now = timezone.now()
    seen = Sighting.objects.filter(
        game=OuterRef("game"), player=OuterRef("player"), seen__gt=now - SEEN_FOR
    )
    in_time = Q(game__flag_at=None) | Q(game__flag_at__gt=now + FLAG_NEAR)
    due = Outgoing.objects.filter(in_time, Exists(seen), claimed=None, due__lte=now)
    waiting = due.filter(kind__in=NoticeKind.values, created__gt=now - LONGEST_WAIT)
    if waiting.exists():
        with write_transaction():
            waiting.update(due=now + SEEN_FOR)


def claim(channel: str, under_way: Collection[Outgoing]) -> list[Outgoing]:
    """Claim and return the next letter through channels of a kind, with all others of the same
    digest; none to a channel or a host, or from an address, to which one is under way."""
    now = timezone.now()
    due = Outgoing.objects.filter(channel=channel, claimed=None, due__lte=now)
    for field in ("to", "target", "origin"):
        busy = {getattr(row, field) for row in under_way} - {""}
        due = due.exclude(**{f"{field}__in": busy})
    if not due.exists():
        return []
    with write_transaction():
        free = due.order_by("due", "pk").select_for_update(skip_locked=True)
        rows = [*free[:1]]
        if rows and rows[0].is_requested:
            changes = {"due": now + LEASE * (rows[0].attempts + 1)}
        else:
            changes = {"claimed": now}
            if rows and (found := channel_of(rows[0])) and found.has_digests:
                rows = [*free.filter(to=rows[0].to, kind__in=NoticeKind.values)] or rows
        claimed = Outgoing.objects.filter(pk__in=[row.pk for row in rows])
        claimed.update(attempts=F("attempts") + 1, **changes)
    for row in rows:
        row.attempts += 1
    return rows


def delete(letters: Collection[Outgoing]) -> None:
    if letters:
        with write_transaction():
            Outgoing.objects.filter(pk__in=[row.pk for row in letters]).delete()


def note_sent(letters: Sequence[Outgoing], *, channel: Channel | None, attempt: Attempt) -> None:
    """Store the outcome of a letter or digest. A busy service gets it once more, a mail server as
    often as it asks for that."""
    first, outcome = letters[0], attempt.outcome
    rows = Outgoing.objects.filter(pk__in=[row.pk for row in letters])
    with write_transaction():
        if first.is_requested:
            if outcome not in {Outcome.BUSY, Outcome.AWAY}:
                rows.delete()
        elif isinstance(channel, EmailAddress):
            if outcome is not Outcome.ARRIVED:
                rows.update(claimed=None)
        elif outcome is Outcome.BUSY and first.attempts == 1:
            until = timezone.now() + RETRY
            rows.update(claimed=None, due=until)
            if channel and channel.pk:
                let_rest(channel, until)
            return
        if channel:
            _note_channel(channel, attempt, is_notice=not first.is_requested)


def _note_channel(channel: Channel, attempt: Attempt, *, is_notice: bool) -> None:
    """Count failures, and remove a channel that is gone or keeps failing; let it rest."""
    if channel.pk is None:
        if attempt.failure:
            # Without the address, with which everybody could write there.
            logger.warning("The web hook of the site has failed: %s", attempt.failure)
        return
    mine: QuerySet[Any] = type(channel)._default_manager.filter(pk=channel.pk)
    arrived, is_email = attempt.outcome is Outcome.ARRIVED, isinstance(channel, EmailAddress)
    now = timezone.now()
    if attempt.outcome is Outcome.GONE:
        mine.delete()
        return
    if not arrived:
        counts = is_notice and not (is_email and attempt.outcome is not Outcome.FAILED)
        failures = F("failures") + int(counts)
        mine.update(failures=failures, last_failure=attempt.failure, failed_at=now)
    elif is_email:
        mine.exclude(failures=0, last_failure="").update(
            failures=0, last_failure="", failed_at=None
        )
    elif channel.failures or channel.last_failure or channel.used != now.date():
        mine.update(failures=0, last_failure="", failed_at=None, used=now.date())
    if is_email:
        mine.filter(failures__gte=MOST_REFUSED_DIGESTS).update(digests=False, failures=0)
    else:
        mine.filter(failures__gte=MOST_FAILURES).delete()
    if is_notice and (pause := _pause(channel, attempt)):
        let_rest(channel, now + pause)


def _pause(channel: Channel, attempt: Attempt) -> timedelta | None:
    is_email, outcome = isinstance(channel, EmailAddress), attempt.outcome
    if attempt.failure in SLOW or (is_email and outcome is Outcome.BUSY):
        return REST
    if (is_email and outcome is Outcome.FAILED) or (
        channel.has_digests and outcome is Outcome.ARRIVED
    ):
        return DIGEST_PAUSE
    return None


def let_rest(channel: Channel, until: datetime) -> None:
    """Let the notices to a channel wait until a time."""
    type(channel)._default_manager.filter(pk=channel.pk).update(rests_until=until)
    waiting = Outgoing.objects.filter(channel=channel.kind, to=channel.pk, claimed=None)
    waiting.filter(kind__in=NoticeKind.values, due__lt=until).update(due=until)
