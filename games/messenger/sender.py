"""The sender of notices: found and claimed in the worker's own turn, posted by threads, so that no
computer waits for a slow address."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple
from uuid import UUID

from games import services
from games.messenger import push, web_hooks
from games.models import Channel, PushSubscription, WebHook
from games.services.channels import Outcome
from games.services.telling import Notice

THREADS = 2
EVERY_SECONDS = 5.0
"""Between two looks at all players with a channel."""
MOST_WAITING = 200
"""Notices that wait for a thread; the others are left in the rows."""
RETRY_SECONDS = 60.0
SENDERS: dict[type[Channel], Callable[[Any, Notice], Outcome]] = {
    WebHook: web_hooks.send,
    PushSubscription: push.send,
}
"""The function that sends, by the kind of channel. It runs in a thread, without the database."""

logger = logging.getLogger(__name__)


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
    """Sends the notices of turns, each to all channels of its player."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._sending: list[_Sending] = []
        self._retries: list[_Retry] = []
        self._last: UUID | None = None
        self._next_look = 0.0

    def work(self) -> bool:
        """Note the sent ones, and claim and send the next notices; False when there was nothing to
        do. Raises an error of django.db when the database does not answer."""
        noted = self._note_sent()
        self._send_retries()
        if time.monotonic() < self._next_look or len(self._sending) >= MOST_WAITING:
            return noted
        players = services.players_after(self._last)
        self._last = players[-1] if players else None
        # From the first one again, after a while.
        self._next_look = 0.0 if players else time.monotonic() + EVERY_SECONDS
        for player_id in players:
            for notice in services.claim_notices(player_id):
                for channel in services.channels_of(player_id):
                    self._send(channel, notice)
        return bool(players) or noted

    def close(self) -> None:
        """Send no more than threads are sending now."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _send(self, channel: Channel, notice: Notice, *, is_retry: bool = False) -> None:
        sent = self._threads.submit(SENDERS[type(channel)], channel, notice)
        self._sending.append(_Sending(channel, notice, is_retry, sent))

    def _send_retries(self) -> None:
        now = time.monotonic()
        due = [retry for retry in self._retries if retry.due <= now]
        self._retries = [retry for retry in self._retries if retry.due > now]
        for retry in due:
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
                services.note_sent(channel=each.channel, outcome=outcome)
        return bool(done)


def _outcome(sent: Future[Outcome]) -> Outcome:
    """Return how a sending ended. An error of one notice must not end the worker, which also plays
    for the computers."""
    try:
        return sent.result()
    except Exception:
        logger.exception("a notice was not sent")
        return Outcome.FAILED
