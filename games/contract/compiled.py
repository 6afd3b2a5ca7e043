"""Folders for compiled code, which later processes load instead of compiling it again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

UNUSED_DAYS = 90


def folder_of(kind: str, sources: Iterator[bytes], beside: Path) -> str:
    """Return the folder for the code of a kind, named by the hash of all its sources; '' if none
    is writable. It lies in NUMBA_CACHE_DIR, in ``beside``, or with the data of the site or user.
    Removes folders of the kind that no process has begun with for `UNUSED_DAYS`."""
    digest = sha256()
    for source in sources:
        digest.update(source)
    name = f"{kind}-{digest.hexdigest()[:12]}"
    for home in _homes(beside):
        with suppress(OSError):
            (home / name).mkdir(parents=True, exist_ok=True)
            if os.access(home / name, os.W_OK):
                os.utime(home / name)
                _remove_unused(home, kind)
                return str(home / name)
    return ""


def _remove_unused(home: Path, kind: str) -> None:
    for folder in home.glob(f"{kind}-{'[0-9a-f]' * 12}"):
        with suppress(OSError):  # another process may have removed it
            if folder.stat().st_mtime < time.time() - UNUSED_DAYS * 24 * 3600:
                rmtree(folder)


def _homes(beside: Path) -> Iterator[Path]:
    """Yield the possible places, the best first. None is writable by other users, as a folder for
    temporary files is, because the code is executed unchecked."""
    if "NUMBA_CACHE_DIR" in os.environ:
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    yield beside / "__pycache__"
    if "BOARDSITE_DATA" in os.environ:
        yield Path(os.environ["BOARDSITE_DATA"]) / "numba"
    with suppress(RuntimeError):
        yield Path.home() / ".cache" / "boardsite"
