"""The sender of notices: found and claimed in the worker's own turn, posted by threads, so that no
computer waits for a slow address."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from uuid import UUID

from games import services
from games.messenger import web_hooks
from games.models import Channel, WebHook
from games.services.channels import Outcome
from games.services.telling import Notice

THREADS = 2
EVERY_SECONDS = 5.0
"""Between two looks at all players with a channel."""
MOST_WAITING = 200
"""Notices that wait for a thread; the others are left in the rows."""
SENDERS: dict[type[Channel], Callable[[Any, Notice], Outcome]] = {WebHook: web_hooks.send}
"""The function that sends, by the kind of channel. It runs in a thread, without the database."""


class Messenger:
    """Sends the notices of turns, each to all channels of its player."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._sending: list[tuple[Channel, Future[Outcome]]] = []
        self._last: UUID | None = None
        self._next_look = 0.0

    def work(self) -> bool:
        """Note the sent ones, and claim and send the next notices; False when there was nothing to
        do. Raises an error of django.db when the database does not answer."""
        noted = self._note_sent()
        if time.monotonic() < self._next_look or len(self._sending) >= MOST_WAITING:
            return noted
        players = services.players_after(self._last)
        self._last = players[-1] if players else None
        # From the first one again, after a while.
        self._next_look = 0.0 if players else time.monotonic() + EVERY_SECONDS
        for player_id in players:
            for notice in services.claim_notices(player_id):
                self._send(player_id, notice)
        return bool(players) or noted

    def close(self) -> None:
        """Send no more than threads are sending now."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _send(self, player_id: UUID, notice: Notice) -> None:
        for channel in services.channels_of(player_id):
            sent = self._threads.submit(SENDERS[type(channel)], channel, notice)
            self._sending.append((channel, sent))

    def _note_sent(self) -> bool:
        done = [each for each in self._sending if each[1].done()]
        self._sending = [each for each in self._sending if not each[1].done()]
        for channel, sent in done:
            services.note_sent(channel=channel, outcome=sent.result())
        return bool(done)
