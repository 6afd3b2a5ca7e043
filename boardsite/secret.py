"""The secret key of an installation that was given none: made once, and kept with its data."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured

NAME = "secret_key"


def kept_secret(folder: Path) -> str:
    """The key that is kept in ``folder``, which is there, made at the first start. Raises
    ImproperlyConfigured."""
    path = folder / NAME
    try:
        if not path.exists():
            _make(path)
        key = path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The secret key cannot be kept in {folder} ({error}): let the site read and write "
            "there, or name another folder with BOARDSITE_DATA."
        ) from error
    if not key.strip():
        raise ImproperlyConfigured(
            f"{path} is empty. It holds the secret key: put it back from a copy. If there is none, "
            "delete the file; then a new key is made, and browsers no longer know their seats."
        )
    return key


def _make(path: Path) -> None:
    """Make a key that is there as a whole or not at all; of two processes that start at once one
    makes it, and both read it."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(file.name, path)
