"""Bundles: several scripts served as one file, since a page with fewer requests loads sooner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

Found = tuple[str, FileSystemStorage]


class BundleFinder(finders.BaseFinder):
    """A finder of the files in ``settings.BUNDLES``, each made of the static files it names."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Return no errors: a missing part raises when it is read."""
        return []

    # The stubs have None for a missing file, where Django itself needs an empty list.
    def find(self, path: str, find_all: bool = False) -> str | list[str]:  # type: ignore[override]
        """Return the file of a bundle, in the form of `BaseFinder.find`."""
        if path not in settings.BUNDLES:
            return []
        found = str(self._write(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Found]:
        """Yield the name and storage of every bundle, written if need be."""
        for name in settings.BUNDLES:
            self._write(name)
            yield name, self.storage

    def _write(self, name: str) -> Path:
        """Write a bundle if it has changed: ``collectstatic`` compares modification times."""
        path = Path(self.storage.path(name))
        content = "\n".join(_read(part) for part in settings.BUNDLES[name])
        if not path.exists() or path.read_text() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return path


def _read(name: str) -> str:
    """Return the text of one static file. Raises FileNotFoundError."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_text()
