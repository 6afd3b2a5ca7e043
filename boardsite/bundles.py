"""Several scripts served as one file: a page that asks for fewer files is there sooner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage


class BundleFinder(finders.BaseFinder):
    """Finds the files of ``settings.BUNDLES``, made of the static files that each names."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> Sequence[Any]:
        """Nothing to check: a part that is missing raises when it is read."""
        return []

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every bundle, made if need be."""
        for name in settings.BUNDLES:
            self._make(name)
            yield name, self.storage

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> str | Sequence[str]:
        """Where a bundle is, as `BaseFinder.find` says it."""
        if path not in settings.BUNDLES:
            return []
        made = str(self._make(path))
        return [made] if find_all or kwargs.get("all") else made

    def _make(self, name: str) -> Path:
        """Write a bundle unless it is there as it should be: collecting goes by dates."""
        path = Path(self.storage.path(name))
        content = "\n".join(_read(part) for part in settings.BUNDLES[name])
        if not path.exists() or path.read_text() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return path


def _read(name: str) -> str:
    """The text of one static file. Raises FileNotFoundError."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return _without_comments(Path(found).read_text())


def _without_comments(script: str) -> str:
    """The script without indentation and lines of comment, which no browser needs."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
