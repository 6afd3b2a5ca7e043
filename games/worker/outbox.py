"""The outboxes of a worker: its loop claims notices and e-mails, and threads send them, so that no
computer player waits for a slow address. A letter is claimed only when a thread is free, so that a
dying worker loses no others."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import Error as DatabaseFault

from games.models import Channel, PushSubscription, WebHook
from games.notices import channels, email_texts, push, turn_notices, web_hooks
from games.notices.channels import Attempt, Outcome
from games.notices.events import Notice, note_little_time
from games.notices.open_seats import SITE, claim_open_seats, site_channels
from games.people import digests, emails
from games.people.emails import Delivery
from games.worker import mailer

EVERY_SECONDS = 5.0
"""Seconds between two passes through all players with a channel."""
SOON_SECONDS = 0.5
"""The same while a player has more notices than the one under way."""
RETRY_SECONDS = 60.0
EMAILS_EVERY_SECONDS, DIGESTS_EVERY_SECONDS = 2.0, 20.0
"""Seconds between two checks; the query for digests takes longer."""
OUTAGE_SECONDS = 60.0
"""Seconds between two attempts while the mail server does not answer."""
SENDERS: dict[type[Channel], Callable[[Any, Notice], Attempt]] = {
    WebHook: web_hooks.send,
    PushSubscription: push.send,
}
"""The function that sends a notice, by kind of channel. It runs in a thread without the
database."""

logger = logging.getLogger(__name__)


class Letter(NamedTuple):
    """A claimed notice or e-mail. Nobody is sent two at a time. ``send`` runs in a thread without
    the database; ``note`` stores its outcome, and returns a letter to send later, if any."""

    to: UUID
    send: Callable[[], Any]
    note: Callable[[Any], Letter | None]


class Source(Protocol):
    """The letters of one kind, and the number of threads that send them."""

    threads: int

    def claim(self, is_busy: Callable[[UUID], bool]) -> Sequence[Letter] | None:
        """Claim and return the next letters; None if there are none now. ``is_busy`` says whether
        a letter to a player is under way."""


class _Sending(NamedTuple):
    letter: Letter
    sent: Future[Any]


class Outbox:
    """Sends the letters of a source, to each receiver one at a time, so that no player's slow
    address keeps the threads from the others."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._threads = ThreadPoolExecutor(source.threads, type(source).__name__)
        self._sending: list[_Sending] = []
        self._waiting: list[Letter] = []
        self._retries: list[tuple[float, Letter]] = []

    @property
    def is_sending(self) -> bool:
        """Whether a letter is under way or waits for another try."""
        return bool(self._sending or self._retries)

    def work(self) -> bool:
        """Store which letters were sent, and send the next ones. Return False if there was nothing
        to do. Raises an error of django.db if the database does not answer."""
        noted = self._note_sent()
        self._wake(time.monotonic())
        return self._send_waiting() or self._claim() or noted

    def close(self) -> None:
        """Send the letters that are claimed already, including those that wait for another try."""
        self._wake(math.inf)
        for letter in self._waiting:
            self._send(letter)
        self._waiting = []
        self._threads.shutdown()
        with suppress(DatabaseFault):
            self._note_sent()

    def _claim(self) -> bool:
        claimed = False
        while len(self._sending) < self._source.threads:
            if (letters := self._source.claim(self._is_busy)) is None:
                return claimed
            self._waiting += letters
            self._send_waiting()
            claimed = True
        return claimed

    def _is_busy(self, receiver: UUID) -> bool:
        letters = [*self._waiting, *(sending.letter for sending in self._sending)]
        return any(letter.to == receiver for letter in letters)

    def _send_waiting(self) -> bool:
        """Send claimed letters to receivers to whom none is under way; return False if there were
        none."""
        before, later = len(self._sending), []
        for letter in self._waiting:
            is_busy = any(sending.letter.to == letter.to for sending in self._sending)
            if is_busy or len(self._sending) >= self._source.threads:
                later.append(letter)
            else:
                self._send(letter)
        self._waiting = later
        return len(self._sending) > before

    def _send(self, letter: Letter) -> None:
        self._sending.append(_Sending(letter, self._threads.submit(letter.send)))

    def _wake(self, now: float) -> None:
        self._waiting += [letter for due, letter in self._retries if due <= now]
        self._retries = [retry for retry in self._retries if retry[0] > now]

    def _note_sent(self) -> bool:
        done = [sending for sending in self._sending if sending.sent.done()]
        self._sending = [sending for sending in self._sending if not sending.sent.done()]
        for sending in done:
            if again := sending.letter.note(sending.sent.result()):
                self._retries.append((time.monotonic() + RETRY_SECONDS, again))
        return bool(done)


class Notices:
    """The notices to players, each to all channels of its player, and those of the site."""

    threads = 4

    def __init__(self) -> None:
        self._claims: Iterator[tuple[UUID, Notice]] | None = None
        self._last: UUID | None = None
        self._next_look = 0.0
        self._has_more = False

    def claim(self, is_busy: Callable[[UUID], bool]) -> Sequence[Letter] | None:
        """Claim a notice and return it for each channel of its player."""
        if self._claims is None and time.monotonic() >= self._next_look:
            self._claims = self._look(is_busy)
        for player_id, notice in self._claims or ():
            is_site = player_id == SITE
            found = site_channels() if is_site else channels.channels_of(player_id)
            return [_notice_letter(player_id, channel, notice) for channel in found]
        self._claims = None
        return None

    def _look(self, is_busy: Callable[[UUID], bool]) -> Iterator[tuple[UUID, Notice]]:
        """Return the claims of the next players. After the last player come those of the site, and
        the next pass begins, after a pause."""
        players = channels.players_after(self._last)
        self._last, self._next_look = players[-1] if players else None, 0.0
        if not players:
            note_little_time()
            pause = SOON_SECONDS if self._has_more else EVERY_SECONDS
            self._next_look, self._has_more = time.monotonic() + pause, False
            players = [SITE] if site_channels() else []
        return self._claims_of(players, is_busy)

    def _claims_of(
        self, players: Collection[UUID], is_busy: Callable[[UUID], bool]
    ) -> Iterator[tuple[UUID, Notice]]:
        """Yield the claims of players of whom no notice is under way. The others have a turn in
        the next pass."""
        for player_id in players:
            if is_busy(player_id):
                self._has_more = True
                continue
            for notice in _claim_notices(player_id):
                yield player_id, notice
                if is_busy(player_id):
                    self._has_more = True
                    break


def _claim_notices(player_id: UUID) -> Iterator[Notice]:
    return claim_open_seats() if player_id == SITE else turn_notices.claim_notices(player_id)


def _notice_letter(
    player_id: UUID, channel: Channel, notice: Notice, *, is_retry: bool = False
) -> Letter:
    def note(attempt: Attempt) -> Letter | None:
        if attempt.outcome is Outcome.BUSY and not is_retry:
            return _notice_letter(player_id, channel, notice, is_retry=True)
        channels.note_sent(channel=channel, attempt=attempt)
        return None

    return Letter(player_id, partial(_send_notice, channel, notice), note)


def _send_notice(channel: Channel, notice: Notice) -> Attempt:
    """Return the outcome of sending a notice. No error may end the worker, which also runs the
    computer players."""
    try:
        return SENDERS[type(channel)](channel, notice)
    except Exception:
        logger.exception("a notice was not sent")
        return Attempt(Outcome.FAILED, "broken")


class Emails:
    """The e-mails that visitors have requested, and digests."""

    threads = 1

    def __init__(self) -> None:
        self._next_look = self._next_digests = 0.0

    def claim(self, is_busy: Callable[[UUID], bool]) -> Sequence[Letter] | None:
        """Claim the next e-mails; none while the mail server does not answer."""
        now = time.monotonic()
        if not settings.HAS_EMAIL or now < self._next_look:
            return None
        if request := emails.claim_email_request():
            messages = mailer.requested_emails(request)
            return [self._letter(messages, partial(emails.note_email_request, request))]
        if now >= self._next_digests:
            if digest := digests.claim_digest():
                token = emails.email_token(digest.email, emails.DIGESTS)
                message = email_texts.digest(digest.email, digest.notices, token)
                return [self._letter([message], partial(digests.note_digest, digest))]
            self._next_digests = now + DIGESTS_EVERY_SECONDS
        self._next_look = now + EMAILS_EVERY_SECONDS
        return None

    def _letter(
        self, messages: Sequence[EmailMessage], store: Callable[[Delivery], None]
    ) -> Letter:
        def note(delivery: Delivery) -> None:
            store(delivery)
            if delivery is Delivery.SERVER_GONE:
                self._next_look = time.monotonic() + OUTAGE_SECONDS

        return Letter(SITE, partial(mailer.send, messages), note)
