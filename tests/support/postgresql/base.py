"""Django's PostgreSQL, whose tables are emptied row by row.

A test with transactions of its own leaves a few rows in a few tables. TRUNCATE makes new files for
every table and its indexes, and takes twenty times as long as to delete such rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.color import Style
from django.db.backends.postgresql import base, operations

from tests.support.sqlite.base import MADE_AGAIN


class DatabaseOperations(operations.DatabaseOperations):
    """Operations whose flush deletes rows."""

    def sql_flush(self, style: Style, tables: Sequence[str], **options: Any) -> list[str]:
        """Return one DELETE a table: the foreign keys are checked at the end of the transaction."""
        if options.get("reset_sequences"):
            return super().sql_flush(style, tables, **options)
        emptied = [table for table in tables if table not in MADE_AGAIN]
        return [f"DELETE FROM {self.quote_name(table)};" for table in emptied]


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection with these operations."""

    ops_class = DatabaseOperations
