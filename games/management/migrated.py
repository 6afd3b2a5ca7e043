"""A check that the tables of the database are those of the code."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def require_current_tables() -> None:
    """Raise CommandError where the database is unusable or older than the site."""
    try:
        executor = MigrationExecutor(connection)
        unapplied = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    if unapplied:
        raise CommandError(
            "The database is older than the site: start the site once, or run migrate, first."
        )
