"""Whether the tables of a database are those of the code."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def need_tables() -> None:
    """Raises CommandError, a sentence, where the site's database is older than the site, or is
    not to be had."""
    try:
        executor = MigrationExecutor(connection)
        wanting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    if wanting:
        raise CommandError(
            "The database is older than the site: start the site once, or run migrate, first."
        )
