"""Secrets stored with the site's data: the secret key, unless BOARDSITE_SECRET is set, and the Web
Push key, which a command creates."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured

NAME = "secret_key"
PUSH_NAME = "push_key"


def stored_secret(folder: Path) -> str:
    """Return the secret key stored in a folder, and create it at the first start.

    Raises ImproperlyConfigured."""
    path = folder / NAME
    try:
        if not path.exists():
            create(path, secrets.token_urlsafe(50))
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
    """Write a key atomically unless there is one. If two processes start together, one creates the
    key and both read it."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, path)
