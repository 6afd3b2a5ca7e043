"""Databases of older versions, as compressed SQL in ``tests/ops/databases``.

``python -m tests.support.old_database VERSION`` fills the empty database of the environment with
that version's tables and rows, and prints the ids of its games.
``python -m tests.support.old_database VERSION --store`` fills the database of the environment as
`tests.support.filled_site` does and stores it as that version's (docs/releasing.md); with
``--fill`` it only makes the rows, and with ``--dump`` it stores those that are there. ``--open``
opens the pages of such a database, and prints the faults; ``--send`` claims all letters that are
due, and prints them.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import django
from django.apps import apps
from django.db import connection, models

from scripts.services import find_postgres

FOLDER = Path(__file__).parents[1] / "ops/databases"
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)


def main(version: str, store: str = "") -> None:
    """Load or store the database of a version."""
    django.setup()
    file = FOLDER / f"{version}.{connection.vendor}.sql.gz"
    if store == "--open":
        from tests.support.filled_site import find_faults

        sys.stdout.writelines(f"{fault}\n" for fault in find_faults())
        return
    if store == "--send":
        from tests.support.letters import claimed_lines

        sys.stdout.writelines(f"{line}\n" for line in claimed_lines())
        return
    if store:
        if store != "--dump":
            fill()
        if store != "--fill":
            file.write_bytes(gzip.compress(dump().encode(), mtime=0))
        return
    load(gzip.decompress(file.read_bytes()).decode())
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM games_game")
        sys.stdout.writelines(f"{key}\n" for (key,) in cursor.fetchall())


def load(sql: str) -> None:
    """Run the SQL of a stored database."""
    connection.ensure_connection()
    raw: Any = connection.connection
    if connection.vendor == "sqlite":
        # The tables are in alphabetical order, so rows come before those that they point to.
        raw.executescript(f"PRAGMA foreign_keys = OFF; {sql}; PRAGMA foreign_keys = ON")
    else:
        raw.execute(f"{sql}; SET search_path TO DEFAULT")


def fill() -> None:
    """Migrate the database, and use every part of the site."""
    from django.core.management import call_command

    from tests.support.filled_site import fill_site

    call_command("migrate", verbosity=0)
    fill_site()
    fill_empty()


def fill_empty() -> None:
    """Insert a row of made-up values into each table that has none."""
    empty = [model for model in _models() if not model._default_manager.exists()]
    # A row needs the rows that it points to first.
    for model in [model for _ in empty for model in empty]:
        related = [field.related_model for field in _fields(model) if field.is_relation]
        if model._default_manager.exists() or not all(r.objects.exists() for r in related):
            continue
        model._default_manager.create(**{f.name: _value(f) for f in _fields(model)})


def _models() -> list[type[models.Model]]:
    return list(apps.get_app_config("games").get_models(include_auto_created=True))


def _fields(model: type[models.Model]) -> list[Any]:
    fields = model._meta.concrete_fields
    return [field for field in fields if not isinstance(field, models.AutoField)]


def _value(field: Any) -> Any:
    """Return a value that a field can store, other than nothing where it has no default."""
    if field.is_relation:
        return field.related_model.objects.first()
    if field.has_default():
        return field.get_default()
    if isinstance(field, models.CharField):
        return field.name[: field.max_length]
    values: dict[type[models.Field], Any] = {
        models.DateTimeField: MOMENT,
        models.DateField: MOMENT.date(),
        models.BinaryField: b"\x00packed",
        models.JSONField: {"stored": [1, "two", None]},
        models.IntegerField: 1,
        models.UUIDField: UUID(int=7),
        models.BooleanField: True,
    }
    return next(value for kind, value in values.items() if isinstance(field, kind))


def dump() -> str:
    """Return the database as SQL without comments."""
    if connection.vendor == "sqlite":
        raw: Any = connection.connection
        return "\n".join(raw.iterdump()) + "\n"
    programs = find_postgres()
    assert programs is not None
    options = ["--inserts", "--no-owner", "--no-privileges", "--no-comments"]
    url = _url(connection.settings_dict)
    command = [programs / "pg_dump", *options, url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    # A line that begins with a backslash is for psql.
    lines = [line for line in done.stdout.splitlines() if not line.startswith(("--", "\\"))]
    return "\n".join(filter(None, lines)) + "\n"


def _url(database: dict[str, Any]) -> str:
    user, password = database["USER"], database["PASSWORD"]
    return (
        f"postgresql://{user}:{password}@{database['HOST']}:{database['PORT']}/{database['NAME']}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
