"""A check that all migrations have been applied."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def require_current_tables() -> None:
    """Raise CommandError if the database is unusable or not migrated."""
    try:
        executor = MigrationExecutor(connection)
        unapplied = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    if unapplied:
        raise CommandError(
            "The database is older than the site: start the site once, or run migrate, first."
        )
