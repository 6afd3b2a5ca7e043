"""The e-mails that visitors have requested, and how the mail server takes them."""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from games.core.rate_limits import EMAILS_PER_EMAIL_ADDRESS, RateLimited
from games.models import EmailAddress, EmailRequest
from games.notices import email_texts
from games.people import emails
from games.people.emails import Delivery

REFUSALS = (ValueError, smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)
"""Errors that prove that an e-mail was not sent."""

logger = logging.getLogger(__name__)


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
