"""PostgreSQL connections with client-side timeouts, for a server that hangs instead of refusing.

PostgreSQL's own timeouts do not help, because the hanging server would have to enforce them."""

from __future__ import annotations

from typing import Any, ClassVar

import psycopg
from psycopg.pq import TransactionStatus

CHECK_SECONDS = 0.9
"""Seconds to check a connection, one round trip, before a request uses it."""
STATEMENT_SECONDS = 5.0
"""Seconds for a statement of a request."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed when a check or a statement is not answered in time."""

    patience: ClassVar[float | None] = None
    """Seconds for a statement; None, for commands that wait for locks, means no limit."""
    _checks = False

    def execute(self, query: Any, *args: Any, **options: Any) -> Any:
        self._checks = not query
        try:
            return super().execute(query, *args, **options)
        finally:
            self._checks = False

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for the end of ``gen``. Raises OperationalError when that takes too long."""
        patience = CHECK_SECONDS if self._checks else self.patience
        try:
            return super().wait(gen, interval, patience if timeout is None else timeout)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                # The answer may still arrive in place of that of another statement.
                self.pgconn.finish()
            raise
