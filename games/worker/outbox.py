"""The outbox of a worker: its loop writes the notices of turns and claims letters, and threads send
them, so that no computer player waits for a slow address; and the e-mails among them, as the mail
server takes them. A letter is claimed only when a thread is free, so that a dying worker loses no
others."""

from __future__ import annotations

import logging
import smtplib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import Error as DatabaseFault
from django.utils import timezone

from games.core.rate_limits import EMAILS_PER_EMAIL_ADDRESS, RateLimited
from games.models import Channel, EmailAddress, Outgoing, PushSubscription, WebHook
from games.notices import channels, events, outgoing, senders, texts
from games.notices.channels import Attempt, Outcome
from games.notices.events import notice_of
from games.people import emails

EVERY_SECONDS = 5.0
"""Seconds between two passes through all players with a channel."""
OUTAGE_SECONDS = 60.0
"""Seconds between two attempts while the mail server does not answer."""

REFUSALS = (ValueError, smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)
"""Errors that prove that an e-mail was not sent."""

logger = logging.getLogger(__name__)


def write_emails(letters: Sequence[Outgoing], channel: Channel | None) -> list[EmailMessage]:
    """Return the e-mails for a visitor's request, or a digest; none for an address that gets too
    many, or for a digest of notices that are all pointless by now."""
    first = letters[0]
    oldest = timezone.now() - timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    if first.is_requested and first.created < oldest:
        # Its link would be too old.
        return []
    if first.kind == Outgoing.PASSWORD:
        found = [
            (email.address, texts.recovery(email, emails.email_token(email, first.kind)))
            for email in emails.recoverable_emails(first.name)
        ]
    elif not isinstance(channel, EmailAddress):
        return []
    elif first.kind == Outgoing.CONFIRM:
        token = emails.email_token(channel, first.kind)
        found = [(channel.pending, texts.confirmation(channel, token))]
    elif first.kind == Outgoing.TEST:
        found = [(channel.address, texts.check(channel))]
    else:
        notices = [notice for letter in letters if (notice := notice_of(letter))]
        token = emails.email_token(channel, emails.DIGESTS)
        return [texts.digest(channel, notices, token)] if notices else []
    return [message for address, message in found if _may_get(address, first)]


def _may_get(address: str, letter: Outgoing) -> bool:
    """Count an e-mail's first attempt against its address, and return whether it may go."""
    try:
        if letter.attempts == 1:
            EMAILS_PER_EMAIL_ADDRESS.hit(address.lower())
    except RateLimited:
        return False
    return address != ""


def send_emails(_channel: Channel | None, messages: Sequence[EmailMessage]) -> Attempt:
    """Send e-mails over one connection, and return the outcome of the last one. An e-mail that the
    server refuses is logged, without its address. The connection itself may be refused with a reply
    4xx: then the server counts as away."""
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("The mail server does not answer: %s", type(error).__name__)
        return Attempt(Outcome.AWAY, "server gone")
    try:
        return [_send_email(connection, message) for message in messages][-1]
    finally:
        connection.close()


def _send_email(connection: BaseEmailBackend, message: EmailMessage) -> Attempt:
    try:
        connection.send_messages([message])
    except (OSError, ValueError, smtplib.SMTPException) as error:
        logger.warning("An e-mail was not sent: %s", type(error).__name__)
        if isinstance(error, REFUSALS):
            again = _asks_to_try_again(error)
            return (
                Attempt(Outcome.BUSY, "deferred") if again else Attempt(Outcome.FAILED, "refused")
            )
    return Attempt(Outcome.ARRIVED)


def _asks_to_try_again(error: Exception) -> bool:
    """Return whether all replies of the mail server are 4xx (RFC 5321, 4.2.1)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    else:
        codes = [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    return bool(codes) and all(400 <= code < 500 for code in codes)


class Sender(NamedTuple):
    """The sender of a kind of channel, whose ``send`` runs in a thread without the database."""

    threads: int
    send: Callable[[Any, Any], Attempt]


SENDERS = {
    WebHook.kind: Sender(4, senders.send_to_hook),
    PushSubscription.kind: Sender(4, senders.send_to_device),
    EmailAddress.kind: Sender(1, send_emails),
}


class _Sending(NamedTuple):
    letters: list[Outgoing]
    channel: Channel | None
    sent: Future[Attempt]


class Outbox:
    """Sends all letters, to each channel one at a time."""

    def __init__(self) -> None:
        self._pools = {
            kind: ThreadPoolExecutor(sender.threads, kind) for kind, sender in SENDERS.items()
        }
        self._sending: dict[str, list[_Sending]] = {kind: [] for kind in SENDERS}
        self._last: UUID | None = None
        self._next_look = self._next_emails = 0.0

    @property
    def is_sending(self) -> bool:
        return any(self._sending.values())

    def work(self) -> bool:
        """Store which letters were sent, and send the next ones. Return False if there was nothing
        to do. Raises an error of django.db if the database does not answer."""
        noted = self._note_sent()
        if time.monotonic() >= self._next_look:
            self._look()
        return (outgoing.are_due() and self._claim()) or noted

    def close(self) -> None:
        """Wait for the letters that are under way, and store which were sent."""
        for pool in self._pools.values():
            pool.shutdown()
        with suppress(DatabaseFault):
            self._note_sent()

    def _look(self) -> None:
        """Write letters about the next players' turns, at last about little time and open seats."""
        players = channels.players_after(self._last)
        for player_id in players:
            events.note_turns(player_id)
        self._last = players[-1] if players else None
        if len(players) < channels.PLAYERS_AT_ONCE:
            events.note_little_time()
            events.note_open_seats()
            self._last, self._next_look = None, time.monotonic() + EVERY_SECONDS

    def _claim(self) -> bool:
        """Claim letters and send them while threads are free; return False if there were none."""
        found = False
        outgoing.put_off()
        for kind, sender in SENDERS.items():
            sending = self._sending[kind]
            is_away = kind == EmailAddress.kind and time.monotonic() < self._next_emails
            while channels.is_on(kind) and not is_away and len(sending) < sender.threads:
                under_way = [each.letters[0] for each in sending]
                if not (letters := outgoing.claim(kind, under_way)):
                    break
                found = True
                self._send(kind, letters)
        return found

    def _send(self, kind: str, letters: list[Outgoing]) -> None:
        """Send letters, or delete them if there is nothing to say."""
        channel = channels.channel_of(letters[0])
        content: object = None
        if kind == EmailAddress.kind:
            content = write_emails(letters, channel)
        elif channel:
            content = [notice for letter in letters if (notice := notice_of(letter))]
        if not content:
            outgoing.delete(letters)
            return
        sent = self._pools[kind].submit(partial(_try, SENDERS[kind].send, channel, content))
        self._sending[kind].append(_Sending(letters, channel, sent))

    def _note_sent(self) -> bool:
        noted = False
        for sending in self._sending.values():
            for each in [each for each in sending if each.sent.done()]:
                sending.remove(each)
                attempt, noted = each.sent.result(), True
                if attempt.outcome is Outcome.AWAY:
                    self._next_emails = time.monotonic() + OUTAGE_SECONDS
                outgoing.note_sent(each.letters, channel=each.channel, attempt=attempt)
        return noted


def _try(send: Callable[[Any, Any], Attempt], channel: Channel | None, content: Any) -> Attempt:
    """Return the outcome; no error may end the worker, which plays for computers too."""
    try:
        return send(channel, content)
    except Exception:
        logger.exception("a letter was not sent")
        return Attempt(Outcome.FAILED, "broken")
