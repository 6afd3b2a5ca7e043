"""Secrets stored with the site's data: the secret key and that of Web Push."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.exceptions import ImproperlyConfigured

NAME = "secret_key"
PUSH_NAME = "push_key"


def stored_secret(folder: Path, has_games: Callable[[], bool]) -> str:
    """Return the secret key stored in a folder, created for a new database: with another key, a
    site in use would lose all seats. Raises ImproperlyConfigured."""
    path = folder / NAME
    try:
        if not path.exists() and not has_games():
            create(path, secrets.token_urlsafe(50))
        # Another process may have created the key, and then the tables.
        if not path.exists():
            raise ImproperlyConfigured(
                f"The secret key is missing: {path} does not exist, but the database is in use. "
                "Restore the file from a backup, or set BOARDSITE_SECRET. With a new key all "
                "browsers would lose their seats; if that is what you want, write 50 random "
                "letters into the file."
            )
        key = path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key cannot be stored in {folder} ({error}): let the site read and write "
            "there, or name another folder with BOARDSITE_DATA."
        ) from error
    if not key.strip():
        raise ImproperlyConfigured(
            f"{path} is empty. It held the secret key: restore it from a backup. Without one, "
            "delete the file; then a new key is created, and browsers lose their seats."
        )
    return key


def is_in_use(database: Mapping[str, Any]) -> bool:
    """Return whether a database, as Django's settings describe it, has players, who would lose
    their seats. Raises ImproperlyConfigured if it does not answer."""
    if database["ENGINE"].endswith("sqlite3"):
        return _has_players(Path(database["NAME"]))
    import psycopg

    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    names["PORT"] = "port"
    given = {names[key]: value for key, value in database.items() if key in names and value}
    try:
        with psycopg.connect(connect_timeout=5, **given) as connection:
            found = connection.execute("SELECT to_regclass('games_player')").fetchone()
            if found and found[0]:
                found = connection.execute("SELECT id FROM games_player LIMIT 1").fetchone()
    except psycopg.Error as error:
        raise ImproperlyConfigured(
            f"There is no secret key, and a new one is made only for a new database, which does "
            f"not answer: {error}"
        ) from error
    return found is not None and found[0] is not None


def _has_players(file: Path) -> bool:
    """Return whether a SQLite file has a player. One that cannot be read may have."""
    if not file.exists() or not file.stat().st_size:
        return False
    try:
        with closing(sqlite3.connect(file)) as connection:
            tables = "SELECT 1 FROM sqlite_master WHERE name = 'games_player'"
            if connection.execute(tables).fetchone() is None:
                return False
            return connection.execute("SELECT 1 FROM games_player LIMIT 1").fetchone() is not None
    except sqlite3.Error:
        return True


def stored_push_key(folder: Path) -> str:
    """Return the Web Push key, '' if none has been made."""
    path = folder / PUSH_NAME
    try:
        return path.read_text().strip() if path.exists() else ""
    except OSError as error:
        raise ImproperlyConfigured(
            f"The key of Web Push in {path} cannot be read: {error}"
        ) from error


def create(path: Path, key: str) -> None:
    """Write a key atomically unless there is one, which another process has just written."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, path)
