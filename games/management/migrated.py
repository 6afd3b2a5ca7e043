"""A check that all migrations have been applied."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

FIRST = {
    "0001_squashed_0032_analyses": "version 0.1",
    "0033_squashed_0050_turn_notices": "commit 340ae3ab",
}
"""The last state of the site with the migrations that a squashed one replaces."""


def require_current_tables() -> None:
    """Raise CommandError if the database is unusable or not migrated."""
    try:
        if refused := between_versions("default"):
            raise CommandError(refused)
        executor = MigrationExecutor(connection)
        unapplied = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    if unapplied:
        raise CommandError(
            "The database is older than the site: start the site once, or run migrate, first."
        )


def between_versions(alias: str) -> str:
    """Return the refusal of a database that has had some, but not all migrations that a squashed
    one replaces; '' for any other. Django has only a traceback for it, or does nothing."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    applied = set(MigrationRecorder(connections[alias]).applied_migrations())
    for name, first in FIRST.items():
        migration = loader.disk_migrations["games", name]
        if 0 < len(applied & set(migration.replaces)) < len(migration.replaces):
            return (
                f"The database was last used between two versions: start {first} of the site "
                "with it once, and then this one."
            )
    return ""
