"""What is written to the log, without what must not stand there."""

from __future__ import annotations

import logging
import re

# The token of an invitation gives whoever has it the seat. It stands in the address alone, which
# is escaped where it is a part of another one.
_TOKEN = re.compile(r"""((?:/|%2F)join(?:/|%2F))[^\s/?#&%"'\\<>]+""", re.IGNORECASE)

# Scanners send such requests all day, and who has forgotten a name knows the variable alone.
_OTHER_HOST = "django.security.DisallowedHost"


class RedactingFormatter(logging.Formatter):
    """Blanks what leads to seats, in whatever is written: messages, tracebacks, what they quote."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines that are written of a record."""
        if record.name == _OTHER_HOST:
            text = record.getMessage().replace("ALLOWED_HOSTS", "BOARDSITE_HOSTS")
        else:
            text = super().format(record)
        return _TOKEN.sub(r"\1…", text)
