"""The e-mails that visitors have requested, digests, and how the mail server takes them."""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from games.core.rate_limits import EMAILS_PER_EMAIL_ADDRESS, RateLimited
from games.models import Channel, EmailAddress, Outgoing
from games.notices import email_texts
from games.notices.channels import Attempt, Outcome
from games.notices.events import notice_of
from games.people import emails

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
            (email.address, email_texts.recovery(email, emails.email_token(email, first.kind)))
            for email in emails.recoverable_emails(first.name)
        ]
    elif not isinstance(channel, EmailAddress):
        return []
    elif first.kind == Outgoing.CONFIRM:
        token = emails.email_token(channel, first.kind)
        found = [(channel.pending, email_texts.confirmation(channel, token))]
    elif first.kind == Outgoing.TEST:
        found = [(channel.address, email_texts.check(channel))]
    else:
        notices = [notice for letter in letters if (notice := notice_of(letter))]
        token = emails.email_token(channel, emails.DIGESTS)
        return [email_texts.digest(channel, notices, token)] if notices else []
    return [message for address, message in found if _may_get(address, first)]


def _may_get(address: str, letter: Outgoing) -> bool:
    """Count an e-mail's first attempt against its address, and return whether it may go."""
    try:
        if letter.attempts == 1:
            EMAILS_PER_EMAIL_ADDRESS.hit(address.lower())
    except RateLimited:
        return False
    return address != ""


def send(_channel: Channel | None, messages: Sequence[EmailMessage]) -> Attempt:
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
        return [_send(connection, message) for message in messages][-1]
    finally:
        connection.close()


def _send(connection: BaseEmailBackend, message: EmailMessage) -> Attempt:
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
