"""Digests: e-mails about the turns and other events of a player, at most one an hour.

A digest is about the notices claimed in a period (`games.notices.turn_notices`). The period is
claimed before the e-mail is sent, so that no notice is in two digests even if the worker dies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games.models import EmailAddress, Move, PendingNotice, TurnNotice
from games.notices.events import Notice, notice_of
from games.notices.turn_notices import turn_notice, waiting_games
from games.people.emails import DIGEST_PAUSE, Delivery, note_failure
from games.storage.write_lock import write_transaction

PATIENCE = timedelta(minutes=10)
"""How long a turn waits before it is in an e-mail: most players come back by themselves."""
LATER = timedelta(minutes=10)
"""The pause before the next attempt if the mail server asks for one."""
LOOKED_UP = 20
MOST_FAILURES = 5
"""The number of consecutive digests refused by the mail server after which an address gets no
more."""


class Digest(NamedTuple):
    """A digest of the notices claimed after ``since``, until ``until``."""

    email: EmailAddress
    notices: Sequence[Notice]
    since: datetime
    until: datetime


def claim_digest() -> Digest | None:
    now = timezone.now()
    until = now - PATIENCE
    player, since = OuterRef("account__player"), OuterRef("digested")
    turns = TurnNotice.objects.filter(player=player, claimed__lte=until, claimed__gt=since)
    events = PendingNotice.objects.filter(player=player, claimed__lte=until, claimed__gt=since)
    due = EmailAddress.objects.select_related("account").filter(
        Q(next_digest=None) | Q(next_digest__lte=now),
        Exists(turns) | Exists(events.exclude(game=None)),
        digests=True,
    )
    for email in due.exclude(address="").order_by("pk")[:LOOKED_UP]:
        if digest := _claim(email, until):
            return digest
    return None


def _claim(email: EmailAddress, until: datetime) -> Digest | None:
    """Claim the period until a time; return None if another worker was faster or no game waits."""
    since = email.digested
    if since is None:
        return None
    notices = [*_turns(email, since, until), *_events(email, since, until)]
    changes = {"digested": until}
    if notices:
        changes["next_digest"] = timezone.now() + DIGEST_PAUSE
    same = EmailAddress.objects.filter(pk=email.pk, digested=since, address=email.address)
    with write_transaction():
        claimed = same.filter(digests=True).update(**changes) == 1
    return Digest(email, notices, since, until) if claimed and notices else None


def _events(email: EmailAddress, since: datetime, until: datetime) -> list[Notice]:
    rows = PendingNotice.objects.filter(player=email.account.player_id).exclude(game=None)
    found = [notice_of(row) for row in rows.filter(claimed__gt=since, claimed__lte=until)]
    return [notice for notice in found if notice]


def _turns(email: EmailAddress, since: datetime, until: datetime) -> list[Notice]:
    """Return the notices of the turns of a period whose games still wait for the same move."""
    player_id = email.account.player_id
    rows = TurnNotice.objects.filter(player=player_id, claimed__gt=since, claimed__lte=until)
    noted = dict(rows.values_list("game", "claimed"))
    waiting = [game for game in waiting_games(player_id) if game.pk in noted]
    moves = Move.objects.filter(player=player_id)
    # If the player has moved since, the next turn in the game has a claim of its own.
    return [
        turn_notice(game, player_id)
        for game in waiting
        if not moves.filter(game=game, played__gt=noted[game.pk]).exists()
    ]


def note_digest(digest: Digest, delivery: Delivery) -> None:
    """Store how a digest was delivered. If it was not sent, its turns are in the next one."""
    email = digest.email
    if email.last_failure or delivery is not Delivery.SENT:
        note_failure(email, delivery)
    mine = EmailAddress.objects.filter(pk=email.pk, digested=digest.until)
    with write_transaction():
        if delivery is Delivery.SENT:
            mine.exclude(failures=0).update(failures=0)
        elif delivery is Delivery.SERVER_GONE:
            mine.update(digested=digest.since, next_digest=email.next_digest)
        elif delivery is Delivery.DEFERRED:
            mine.update(digested=digest.since, next_digest=timezone.now() + LATER)
        else:
            mine.update(digested=digest.since, failures=F("failures") + 1)
            failed = EmailAddress.objects.filter(pk=email.pk, failures__gte=MOST_FAILURES)
            failed.update(digests=False, failures=0)
