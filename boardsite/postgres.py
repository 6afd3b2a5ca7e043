"""Connections to PostgreSQL that do not wait for ever: a server may hang without refusing.

PostgreSQL's own timeouts do not help, since it is the server that would keep them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import psycopg
from psycopg.pq import TransactionStatus

CHECK_SECONDS = 0.9
"""Time for the check of a connection before a request uses it: a message there and back."""
STATEMENT_SECONDS = 5.0
"""Time for a statement of a request."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server leaves a check, or a statement, without an
    answer."""

    patience: ClassVar[float | None] = None
    """Seconds for a statement; None, for commands that wait for locks, is any time."""
    _checks = False

    def execute(self, query: Any, *args: Any, **options: Any) -> Any:
        """Execute a query. The pool checks a connection by an empty one."""
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
                # The answer may still come: no other statement may follow on this connection.
                self.pgconn.finish()
            raise
