"""Digests: e-mails about the turns of a player, at most one an hour.

A digest is about the turns claimed for notices (`games.notices.turn_notices`) in a period. The
period is claimed before the e-mail is sent, so that no turn is in two digests even if the worker
dies.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games.models import EmailAddress, Game, Move, ToldTurn
from games.notices.turn_notices import waiting_games
from games.people.emails import DIGEST_PAUSE, Delivery
from games.storage.write_lock import write_transaction

PATIENCE = timedelta(minutes=10)
"""How long a turn waits before it is in an e-mail: most players come back by themselves."""
LOOKED_UP = 20
MOST_FAILURES = 5
"""The number of consecutive digests refused by the mail server after which an address gets no
more."""


class Digest(NamedTuple):
    """A digest of the games claimed after ``since``, until ``until``."""

    email: EmailAddress
    games: Sequence[Game]
    since: datetime
    until: datetime


def claim_digest() -> Digest | None:
    """Claim and return the next digest to send; None if none is due."""
    now = timezone.now()
    until = now - PATIENCE
    mine = ToldTurn.objects.filter(player=OuterRef("account__player"), told__lte=until)
    due = EmailAddress.objects.select_related("account").filter(
        Q(next_digest=None) | Q(next_digest__lte=now),
        Exists(mine.filter(told__gt=OuterRef("digested"))),
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
    games = _games(email, since, until)
    changes = {"digested": until}
    if games:
        changes["next_digest"] = timezone.now() + DIGEST_PAUSE
    same = EmailAddress.objects.filter(pk=email.pk, digested=since, address=email.address)
    with write_transaction():
        claimed = same.filter(digests=True).update(**changes) == 1
    return Digest(email, games, since, until) if claimed and games else None


def _games(email: EmailAddress, since: datetime, until: datetime) -> list[Game]:
    """Return the games of a period that still wait for the same move."""
    player_id = email.account.player_id
    rows = ToldTurn.objects.filter(player=player_id, told__gt=since, told__lte=until)
    told = dict(rows.values_list("game", "told"))
    waiting = [game for game in waiting_games(player_id) if game.pk in told]
    moves = Move.objects.filter(player=player_id)
    # If the player has moved since, the next turn in the game has a claim of its own.
    return [
        game for game in waiting if not moves.filter(game=game, played__gt=told[game.pk]).exists()
    ]


def note_digest(digest: Digest, delivery: Delivery) -> None:
    """Store how a digest was delivered. If it was not sent, its turns are in the next one."""
    email = digest.email
    mine = EmailAddress.objects.filter(pk=email.pk, digested=digest.until)
    with write_transaction():
        if delivery is Delivery.SENT:
            mine.exclude(failures=0).update(failures=0)
        elif delivery is Delivery.SERVER_GONE:
            mine.update(digested=digest.since, next_digest=email.next_digest)
        else:
            mine.update(digested=digest.since, failures=F("failures") + 1)
            failed = EmailAddress.objects.filter(pk=email.pk, failures__gte=MOST_FAILURES)
            failed.update(digests=False, failures=0)
