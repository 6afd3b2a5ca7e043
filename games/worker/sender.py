"""The sender of notices. The worker's loop claims notices, and threads post them, so that no
computer player waits for a slow address. A notice is claimed only when a thread is free, so that a
dying worker loses no others."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from django.db import Error as DatabaseFault

from games.models import Channel, PushSubscription, WebHook
from games.notices import channels, push, turn_notices, web_hooks
from games.notices.channels import Outcome
from games.notices.turn_notices import Notice

THREADS = 4
"""Notices that are sent at the same time; the others stay unclaimed."""
EVERY_SECONDS = 5.0
"""Seconds between two passes through all players with a channel."""
RETRY_SECONDS = 60.0
SENDERS: dict[type[Channel], Callable[[Any, Notice], Outcome]] = {
    WebHook: web_hooks.send,
    PushSubscription: push.send,
}
"""The function that sends a notice, by kind of channel. It runs in a thread without the
database."""

logger = logging.getLogger(__name__)


Claim = tuple[UUID, Notice]
"""A player and the notice of a turn."""


class _Sending(NamedTuple):
    channel: Channel
    notice: Notice
    is_retry: bool
    sent: Future[Outcome]


class _Retry(NamedTuple):
    channel: Channel
    notice: Notice
    due: float


class Messenger:
    """Sends notices of turns, each to all channels of its player."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._sending: list[_Sending] = []
        self._retries: list[_Retry] = []
        self._claims: Iterator[Claim] | None = None
        self._last: UUID | None = None
        self._next_look = 0.0

    def work(self) -> bool:
        """Store which notices were sent, and send the next ones. Return False if there was nothing
        to do. Raises an error of django.db if the database does not answer."""
        noted = self._note_sent()
        self._send_retries(due=time.monotonic())
        if self._claims is None and time.monotonic() >= self._next_look:
            self._claims = self._look()
        return self._send_claims() or noted

    def close(self) -> None:
        """Send the notices that are claimed already, including those that wait for another try."""
        self._send_retries(due=math.inf)
        self._threads.shutdown()
        with suppress(DatabaseFault):
            self._note_sent()

    def _look(self) -> Iterator[Claim] | None:
        """Return the claims of the next players. After the last player the next pass begins, after
        a pause."""
        players = channels.players_after(self._last)
        self._last = players[-1] if players else None
        self._next_look = 0.0 if players else time.monotonic() + EVERY_SECONDS
        return _claims_of(players) if players else None

    def _send_claims(self) -> bool:
        """Claim and send notices while threads are free; return False if nothing was done."""
        did_send = False
        while self._claims is not None and len(self._sending) < THREADS:
            if (claim := next(self._claims, None)) is None:
                self._claims = None
                return True
            player_id, notice = claim
            for channel in channels.channels_of(player_id):
                self._send(channel, notice)
            did_send = True
        return did_send

    def _send(self, channel: Channel, notice: Notice, *, is_retry: bool = False) -> None:
        sent = self._threads.submit(SENDERS[type(channel)], channel, notice)
        self._sending.append(_Sending(channel, notice, is_retry, sent))

    def _send_retries(self, due: float) -> None:
        ready = [retry for retry in self._retries if retry.due <= due]
        self._retries = [retry for retry in self._retries if retry.due > due]
        for retry in ready:
            self._send(retry.channel, retry.notice, is_retry=True)

    def _note_sent(self) -> bool:
        done = [each for each in self._sending if each.sent.done()]
        self._sending = [each for each in self._sending if not each.sent.done()]
        for each in done:
            outcome = _outcome(each.sent)
            if outcome is Outcome.BUSY and not each.is_retry:
                due = time.monotonic() + RETRY_SECONDS
                self._retries.append(_Retry(each.channel, each.notice, due))
            else:
                channels.note_sent(channel=each.channel, outcome=outcome)
        return bool(done)


def _claims_of(players: Collection[UUID]) -> Iterator[Claim]:
    for player_id in players:
        for notice in turn_notices.claim_notices(player_id):
            yield player_id, notice


def _outcome(sent: Future[Outcome]) -> Outcome:
    """Return the outcome of sending a notice. No error may end the worker, which also runs the
    computer players."""
    try:
        return sent.result()
    except Exception:
        logger.exception("a notice was not sent")
        return Outcome.FAILED
