"""The log formatter of the site, which removes secrets."""

from __future__ import annotations

import logging
import math
import re
import time

from django.db.utils import InterfaceError, OperationalError

# The token of an invitation is enough to take the seat, and the token of an e-mail opens an
# account. A test compares this with the addresses that have a token. Tokens occur only in
# addresses, and percent-encoded in addresses within addresses.
_TOKEN = re.compile(
    r"""((?:/|%2F)(?:join|invite|device|pack|hand-in|results|email(?:/|%2F)\w+)(?:/|%2F))[^\s/?#&%"'\\<>]+""",
    re.IGNORECASE,
)

# Scanners send such requests all day, so each gets one line. It names the variable to set.
_DISALLOWED_HOST = "django.security.DisallowedHost"


OUTAGES = (OperationalError, InterfaceError)
OUTAGE_SECONDS = 60.0
"""Seconds between two log lines about the same outage."""


class OutageFilter(logging.Filter):
    """A filter that logs one line a minute during a database outage instead of a traceback for each
    request, and one line for each refused request."""

    def __init__(self) -> None:
        super().__init__()
        self._told_at = -math.inf

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record, and remove the traceback of an outage, and that of a
        request which was refused: it is no fault of the site."""
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, OUTAGES):
            return True
        now = time.monotonic()
        if now - self._told_at < OUTAGE_SECONDS:
            return False
        self._told_at = now
        reason = str(error).strip().partition("\n")[0]
        record.msg, record.args = f"The database does not answer: {reason}", ()
        record.exc_info = record.exc_text = None
        return True


class RedactingFormatter(logging.Formatter):
    """A formatter that replaces the tokens of invitations, in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name == _DISALLOWED_HOST:
            text = record.getMessage().replace("ALLOWED_HOSTS", "BOARDSITE_HOSTS")
        else:
            text = super().format(record)
        return _TOKEN.sub(r"\1…", text)
