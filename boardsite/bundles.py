"""Bundles: the scripts of a page served as one file, since a page with fewer requests loads sooner.

The site's scripts are ES modules. A bundle holds each module once, after its imports, and all
modules share one scope, so two of them must not use the same name at their top level. Bundlers that
rename such clashes, such as esbuild, need Node, which a server may not have."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

Found = tuple[str, FileSystemStorage]

_IMPORT = re.compile(r'^import (?:[^;"]* from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=\w)", re.MULTILINE)


class BundleFinder(finders.BaseFinder):
    """A finder of the files in ``settings.BUNDLES``. Each is made of some libraries and one
    module."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")
        super().__init__(*args, **kwargs)

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Return no errors: a missing part raises when it is read."""
        return []

    # The stubs have None for a missing file, where Django itself needs an empty list.
    def find(self, path: str, find_all: bool = False) -> str | list[str]:  # type: ignore[override]
        if path not in settings.BUNDLES:
            return []
        found = str(self._write(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Found]:
        """Yield the name and storage of every bundle, after writing those that have changed."""
        for name in settings.BUNDLES:
            self._write(name)
            yield name, self.storage

    def _write(self, name: str) -> Path:
        """Write a bundle if it has changed: ``collectstatic`` compares modification times."""
        path = Path(self.storage.path(name))
        content = "\n".join(_script(part) for part in settings.BUNDLES[name])
        if not path.exists() or path.read_text() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return path


def _script(name: str) -> str:
    """Return a library unchanged, or a module together with everything it imports as one script."""
    if name.endswith(".min.js"):
        return _read(name)
    modules: dict[str, str] = {}
    _add_module(name, modules)
    body = "\n".join(modules.values())
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def _add_module(name: str, modules: dict[str, str]) -> None:
    """Add a module to `modules` after its imports, unless it has been added already."""
    if name in modules:
        return
    source = _read(name)
    for path in _IMPORT.findall(source):
        _add_module(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)), modules)
    modules[name] = _EXPORT.sub("", _IMPORT.sub("", source))


def _read(name: str) -> str:
    """Return the text of one static file. Raises FileNotFoundError."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_text()
