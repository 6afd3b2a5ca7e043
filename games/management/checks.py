"""Django system checks: of the files in the games' folders, and of a database before `migrate`.

A missing style sheet breaks the front page, which shows all games, and in place of a missing
template a page silently shows nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

import games
from games.core.registry import all_rules

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


MISSING, BETWEEN = "games.E001", "games.E002"
FILES = (
    "static/{slug}/board.css",
    "templates/{slug}/_cell.jinja",
    "templates/{slug}/_picture.jinja",
    "templates/{slug}/_preview.jinja",
    "templates/{slug}/rules.jinja",
)


def check_files(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each file that a game lacks."""
    names = [f"{slug}/{name.format(slug=slug)}" for slug in all_rules() for name in FILES]
    return [
        Error(f"games/{name} is missing: every game has one (README.md says what for).", id=MISSING)
        for name in names
        if not any((Path(folder) / name).is_file() for folder in games.__path__)
    ]


def check_history(
    app_configs: Any = None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database whose next migrations are not here any more."""
    refusals = [between_versions(alias) for alias in databases or ()]
    return [Error(refusal, id=BETWEEN) for refusal in refusals if refusal]
