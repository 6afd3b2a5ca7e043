"""The part of a worker that sends e-mails: claimed in the worker's own turn, sent by a thread, so
that no computer waits for the mail server."""

from __future__ import annotations

import logging
import smtplib
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from games import email_texts, services
from games.models import EmailAddress, EmailRequest
from games.rate_limits import EMAILS_PER_EMAIL_ADDRESS, RateLimited

EVERY_SECONDS = 2.0
"""Between two looks at the rows."""
OUTAGE_SECONDS = 60.0
"""Between two attempts while the mail server does not answer."""

logger = logging.getLogger(__name__)


class ServerGone(Exception):
    """The mail server does not answer: nothing was sent."""


class Mailer:
    """Sends the e-mails that visitors ask for."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="e-mails")
        self._sending: tuple[EmailRequest, Future[None]] | None = None
        self._next_look = 0.0

    def work(self) -> bool:
        """Note what was sent, and claim and send the next e-mail; False when there was nothing to
        do. Raises an error of django.db when the database does not answer."""
        if not settings.HAS_EMAIL or self.is_sending:
            return False
        noted = self._note_sent()
        if time.monotonic() < self._next_look:
            return noted
        if (request := services.claim_email_request()) is None:
            self._next_look = time.monotonic() + EVERY_SECONDS
            return noted
        self._sending = request, self._thread.submit(send, requested_emails(request))
        return True

    def close(self) -> None:
        """Send no more than what the thread is sending now."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    @property
    def is_sending(self) -> bool:
        """Whether the thread is busy."""
        return self._sending is not None and not self._sending[1].done()

    def _note_sent(self) -> bool:
        """Delete a request that was sent; leave it in the rows while the mail server is gone."""
        if self._sending is None:
            return False
        request, sent = self._sending
        self._sending = None
        try:
            sent.result()
        except ServerGone as error:
            logger.warning("The mail server does not answer: %s", error)
            self._next_look = time.monotonic() + OUTAGE_SECONDS
        else:
            services.finish_email_request(request)
        return True


def requested_emails(request: EmailRequest) -> list[EmailMessage]:
    """Return the e-mails that a visitor has asked for; none to an address that gets too many."""
    if request.email is not None:
        token = services.email_token(request.email, services.CONFIRM)
        found = [(request.email.pending, email_texts.confirmation(request.email, token))]
    else:
        found = [(email.address, _recovery(email)) for email in recoverable(request)]
    return [message for address, message in found if _may_get(address, request)]


def recoverable(request: EmailRequest) -> Sequence[EmailAddress]:
    """Return the addresses of the accounts that a visitor has typed the name or address of."""
    return services.recoverable_emails(request.typed)


def _recovery(email: EmailAddress) -> EmailMessage:
    return email_texts.recovery(email, services.email_token(email, services.PASSWORD))


def _may_get(address: str, request: EmailRequest) -> bool:
    """Count an e-mail to an address, once for all attempts, and return whether it may be sent."""
    try:
        if request.attempts == 1:
            EMAILS_PER_EMAIL_ADDRESS.hit(address.lower())
    except RateLimited:
        return False
    return address != ""


def send(messages: Sequence[EmailMessage]) -> None:
    """Send e-mails by one connection. Raises ServerGone where none was sent; one that the server
    refuses is logged, without its address."""
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise ServerGone(type(error).__name__) from error
    try:
        for message in messages:
            _send(connection, message)
    finally:
        connection.close()


def _send(connection: BaseEmailBackend, message: EmailMessage) -> None:
    try:
        connection.send_messages([message])
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("An e-mail was not sent: %s", type(error).__name__)
