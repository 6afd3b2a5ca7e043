"""The mailer of a worker. The worker's loop claims e-mails, and a thread sends them, so that no
computer player waits for the mail server."""

from __future__ import annotations

import logging
import smtplib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import Error as DatabaseFault

from games.core.rate_limits import EMAILS_PER_EMAIL_ADDRESS, RateLimited
from games.models import EmailAddress, EmailRequest
from games.notices import email_texts
from games.people import digests, emails
from games.people.emails import Delivery

EVERY_SECONDS = 2.0
"""Seconds between two checks for requested e-mails; the query for digests takes longer."""
OUTAGE_SECONDS = 60.0
"""Seconds between two attempts while the mail server does not answer."""

DIGESTS_EVERY_SECONDS = 20.0
REFUSALS = (ValueError, smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)
"""Errors that prove that an e-mail was not sent."""

logger = logging.getLogger(__name__)


Job = tuple[Sequence[EmailMessage], Callable[[Delivery], None]]
"""E-mails to send, and the function that stores how they were delivered."""


class Mailer:
    """Sends requested e-mails and digests."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="e-mails")
        self._sending: tuple[Callable[[Delivery], None], Future[Delivery]] | None = None
        self._next_look = self._next_digests = 0.0

    def work(self) -> bool:
        """Store which e-mails were sent, and send the next ones. Return False if there was nothing
        to do. Raises an error of django.db if the database does not answer."""
        if not settings.HAS_EMAIL or self.is_sending:
            return False
        noted = self._note_sent()
        if time.monotonic() < self._next_look:
            return noted
        if (job := request_job() or self._digest_job()) is None:
            self._next_look = time.monotonic() + EVERY_SECONDS
            return noted
        messages, note = job
        self._sending = note, self._thread.submit(send, messages)
        return True

    def close(self) -> None:
        """Wait for the e-mails that the thread is sending now, and store how that ended."""
        self._thread.shutdown()
        with suppress(DatabaseFault):
            self._note_sent()

    @property
    def is_sending(self) -> bool:
        """Whether the thread is busy."""
        return self._sending is not None and not self._sending[1].done()

    def _digest_job(self) -> Job | None:
        if time.monotonic() < self._next_digests:
            return None
        if (digest := digests.claim_digest()) is None:
            self._next_digests = time.monotonic() + DIGESTS_EVERY_SECONDS
            return None
        token = emails.email_token(digest.email, emails.DIGESTS)
        message = email_texts.digest(digest.email, digest.notices, token)
        return [message], partial(digests.note_digest, digest)

    def _note_sent(self) -> bool:
        """Store how the last e-mails were delivered, and pause while the mail server is away."""
        if self._sending is None:
            return False
        note, sent = self._sending
        delivery = sent.result()
        note(delivery)
        self._sending = None
        if delivery is Delivery.SERVER_GONE:
            self._next_look = time.monotonic() + OUTAGE_SECONDS
        return True


def request_job() -> Job | None:
    """Claim the next requested e-mail."""
    if (request := emails.claim_email_request()) is None:
        return None
    return requested_emails(request), partial(emails.note_email_request, request)


def requested_emails(request: EmailRequest) -> list[EmailMessage]:
    """Return the e-mails for a visitor's request; none for an address that gets too many."""
    if request.email is not None and request.is_test:
        found = [(request.email.address, email_texts.check(request.email))]
    elif request.email is not None:
        token = emails.email_token(request.email, emails.CONFIRM)
        found = [(request.email.pending, email_texts.confirmation(request.email, token))]
    else:
        found = [(email.address, _recovery(email)) for email in recoverable(request)]
    return [message for address, message in found if _may_get(address, request)]


def recoverable(request: EmailRequest) -> Sequence[EmailAddress]:
    """Return the addresses of the accounts whose name or address a visitor has typed."""
    return emails.recoverable_emails(request.typed)


def _recovery(email: EmailAddress) -> EmailMessage:
    return email_texts.recovery(email, emails.email_token(email, emails.PASSWORD))


def _may_get(address: str, request: EmailRequest) -> bool:
    """Count an e-mail against the limit of its address, at its first attempt, and return whether it
    may be sent."""
    try:
        if request.attempts == 1:
            EMAILS_PER_EMAIL_ADDRESS.hit(address.lower())
    except RateLimited:
        return False
    return address != ""


def send(messages: Sequence[EmailMessage]) -> Delivery:
    """Send e-mails over one connection, and return the outcome of the last one. An e-mail that the
    server refuses is logged, without its address. The connection itself may be refused with a reply
    4xx: then the server counts as away."""
    if not messages:
        return Delivery.SENT
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("The mail server does not answer: %s", type(error).__name__)
        return Delivery.SERVER_GONE
    delivery = Delivery.SENT
    try:
        for message in messages:
            delivery = _send(connection, message)
    finally:
        connection.close()
    return delivery


def _send(connection: BaseEmailBackend, message: EmailMessage) -> Delivery:
    try:
        connection.send_messages([message])
    except (OSError, ValueError, smtplib.SMTPException) as error:
        logger.warning("An e-mail was not sent: %s", type(error).__name__)
        if not isinstance(error, REFUSALS):
            return Delivery.SENT
        return Delivery.DEFERRED if _asks_to_try_again(error) else Delivery.REFUSED
    return Delivery.SENT


def _asks_to_try_again(error: Exception) -> bool:
    """Return whether all replies of the mail server are 4xx (RFC 5321, 4.2.1)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    else:
        codes = [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    return bool(codes) and all(400 <= code < 500 for code in codes)
