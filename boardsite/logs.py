"""The log formatter of the site, which removes secrets."""

from __future__ import annotations

import logging
import re

# The token of an invitation gives its seat to the bearer. Tokens occur in addresses only, which
# are percent-encoded inside another address.
_TOKEN = re.compile(r"""((?:/|%2F)join(?:/|%2F))[^\s/?#&%"'\\<>]+""", re.IGNORECASE)

# Scanners send such requests all day: one line each. The operator sets the variable named in it.
_DISALLOWED_HOST = "django.security.DisallowedHost"


class RedactingFormatter(logging.Formatter):
    """A formatter that replaces the tokens of invitations, in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        if record.name == _DISALLOWED_HOST:
            text = record.getMessage().replace("ALLOWED_HOSTS", "BOARDSITE_HOSTS")
        else:
            text = super().format(record)
        return _TOKEN.sub(r"\1…", text)
