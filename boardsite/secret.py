"""The secret key of a site without BOARDSITE_SECRET: created once, stored with its data."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured

NAME = "secret_key"


def stored_secret(folder: Path) -> str:
    """Return the key stored in an existing folder, created at the first start.

    Raises ImproperlyConfigured."""
    path = folder / NAME
    try:
        if not path.exists():
            _create(path)
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


def _create(path: Path) -> None:
    """Write a new key atomically. Of two processes that start at once one creates the key, and
    both read it."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, path)
