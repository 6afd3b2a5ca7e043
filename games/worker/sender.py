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
from games.notices.channels import Attempt, Outcome
from games.notices.events import Notice, note_little_time
from games.notices.open_seats import SITE, claim_open_seats, site_channels

THREADS = 4
"""Notices that are sent at the same time; the others stay unclaimed."""
EVERY_SECONDS = 5.0
"""Seconds between two passes through all players with a channel."""
SOON_SECONDS = 0.5
"""The same while a player has more notices than the one under way."""
RETRY_SECONDS = 60.0
SENDERS: dict[type[Channel], Callable[[Any, Notice], Attempt]] = {
    WebHook: web_hooks.send,
    PushSubscription: push.send,
}
"""The function that sends a notice, by kind of channel. It runs in a thread without the
database."""

logger = logging.getLogger(__name__)


Claim = tuple[UUID, Notice]
"""A player and a notice."""


class _Sending(NamedTuple):
    player_id: UUID
    channel: Channel
    notice: Notice
    is_retry: bool
    sent: Future[Attempt]


class _Waiting(NamedTuple):
    player_id: UUID
    channel: Channel
    notice: Notice
    is_retry: bool = False


class _Retry(NamedTuple):
    waiting: _Waiting
    due: float


class Sender:
    """Sends notices, each to all channels of its player, and to one channel of a player at a time,
    so that no player's slow address keeps the threads from the others."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._sending: list[_Sending] = []
        self._waiting: list[_Waiting] = []
        self._retries: list[_Retry] = []
        self._claims: Iterator[Claim] | None = None
        self._last: UUID | None = None
        self._next_look = 0.0
        self._has_more = False

    def work(self) -> bool:
        """Store which notices were sent, and send the next ones. Return False if there was nothing
        to do. Raises an error of django.db if the database does not answer."""
        noted = self._note_sent()
        self._send_retries(due=time.monotonic())
        if self._claims is None and time.monotonic() >= self._next_look:
            self._claims = self._look()
        return self._send_waiting() or self._claim() or noted

    def close(self) -> None:
        """Send the notices that are claimed already, including those that wait for another try."""
        self._send_retries(due=math.inf)
        for waiting in self._waiting:
            self._send(waiting)
        self._waiting = []
        self._threads.shutdown()
        with suppress(DatabaseFault):
            self._note_sent()

    def _look(self) -> Iterator[Claim] | None:
        """Return the claims of the next players. After the last player come those of the site, and
        the next pass begins, after a pause."""
        players = channels.players_after(self._last)
        self._last = players[-1] if players else None
        if not players:
            note_little_time()
            site = [SITE] if site_channels() else []
            pause = SOON_SECONDS if self._has_more else EVERY_SECONDS
            self._next_look, self._has_more = time.monotonic() + pause, False
            return self._claims_of(site) if site else None
        self._next_look = 0.0
        return self._claims_of(players)

    def _claims_of(self, players: Collection[UUID]) -> Iterator[Claim]:
        """Yield the claims of players of whom no notice is under way. The others have a turn in
        the next pass."""
        for player_id in players:
            if self._is_busy(player_id):
                self._has_more = True
                continue
            for notice in _claim_notices(player_id):
                yield player_id, notice
                if self._is_busy(player_id):
                    self._has_more = True
                    break

    def _is_busy(self, player_id: UUID) -> bool:
        under_way = {sending.player_id for sending in self._sending}
        return player_id in under_way | {waiting.player_id for waiting in self._waiting}

    def _claim(self) -> bool:
        """Claim and send notices while threads are free; return False if nothing was done."""
        did_send = False
        while self._claims is not None and len(self._sending) < THREADS:
            if (claim := next(self._claims, None)) is None:
                self._claims = None
                return True
            player_id, notice = claim
            found = _channels_of(player_id)
            self._waiting += [_Waiting(player_id, channel, notice) for channel in found]
            self._send_waiting()
            did_send = True
        return did_send

    def _send_waiting(self) -> bool:
        """Send claimed notices to the next channels of players to whom none is under way; return
        False if there were none."""
        before, later = len(self._sending), []
        for waiting in self._waiting:
            is_busy = any(sending.player_id == waiting.player_id for sending in self._sending)
            if is_busy or len(self._sending) >= THREADS:
                later.append(waiting)
            else:
                self._send(waiting)
        self._waiting = later
        return len(self._sending) > before

    def _send(self, waiting: _Waiting) -> None:
        player_id, channel, notice, is_retry = waiting
        sent = self._threads.submit(SENDERS[type(channel)], channel, notice)
        self._sending.append(_Sending(player_id, channel, notice, is_retry, sent))

    def _send_retries(self, due: float) -> None:
        self._waiting += [retry.waiting for retry in self._retries if retry.due <= due]
        self._retries = [retry for retry in self._retries if retry.due > due]

    def _note_sent(self) -> bool:
        done = [sending for sending in self._sending if sending.sent.done()]
        self._sending = [sending for sending in self._sending if not sending.sent.done()]
        for sending in done:
            attempt = _attempt(sending.sent)
            if attempt.outcome is Outcome.BUSY and not sending.is_retry:
                due = time.monotonic() + RETRY_SECONDS
                again = _Waiting(sending.player_id, sending.channel, sending.notice, is_retry=True)
                self._retries.append(_Retry(again, due))
            else:
                channels.note_sent(channel=sending.channel, attempt=attempt)
        return bool(done)


def _claim_notices(player_id: UUID) -> Iterator[Notice]:
    return claim_open_seats() if player_id == SITE else turn_notices.claim_notices(player_id)


def _channels_of(player_id: UUID) -> list[Channel]:
    return site_channels() if player_id == SITE else channels.channels_of(player_id)


def _attempt(sent: Future[Attempt]) -> Attempt:
    """Return the outcome of sending a notice. No error may end the worker, which also runs the
    computer players."""
    try:
        return sent.result()
    except Exception:
        logger.exception("a notice was not sent")
        return Attempt(Outcome.FAILED, "broken")
