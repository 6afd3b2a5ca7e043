"""Static files: bundles of scripts, and the storage of collected files with hashed names, minified
sources and compressed copies.

The scripts of a page are served as one file, since a page with fewer requests loads sooner. They
are ES modules: a bundle holds each once, after its imports, and all share one scope, so two of them
must not use the same name at their top level. Bundlers that rename such clashes, such as esbuild,
need Node, which a server may not have.

Lightning CSS makes one file of a style sheet and the sheets that it imports, and spells out nested
rules for older browsers. tdewolff's minifier also shortens the names in the site's own scripts."""

from __future__ import annotations

import gzip
import posixpath
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from lightningcss import bundle_css
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The first browsers with `:has()`. Firefox got it later, and pages look well enough without it.
_OLDEST_BROWSERS = ["chrome 105", "firefox 115", "safari 15.4"]

_COPIES = {".br": brotli.decompress, ".gz": gzip.decompress}


class _Compressor(Compressor):  # type: ignore[misc]  # has no types
    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Compress in a twentieth of the time to a tenth more bytes, unless the settings say
        otherwise: a site with visitors takes time for small files, but no minute for a large one.
        """
        thorough = 11 if len(data) < 2**20 else 9
        packed: bytes = brotli.compress(data, quality=thorough if settings.SMALLEST_FILES else 5)
        return packed


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """Whitenoise's storage, which also minifies sources and compresses only changed files."""

    def save(self, name: str, content: Any, max_length: int | None = None) -> str:
        """Store a source, minified if it is the site's, and return its name."""
        if name.endswith(".css"):
            content = ContentFile(_minify_sheet(content.name))
        elif name.startswith("site/") and name.endswith(".js"):
            content = ContentFile(_minify_script(content.read()))
        saved: str = super().save(name, content, max_length)
        return saved

    def post_process(self, paths: Iterable[str], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Make the copies with hashed names of the stored files: Django takes the sources."""
        stored = {name: (self, name) for name in paths}
        found: Iterator[Any] = super().post_process(stored, *args, **kwargs)
        return found

    def get_modified_time(self, name: str) -> datetime:
        """Return the modification time of a collected file. A style sheet gets the earliest time,
        so that `collectstatic`, which compares times, collects it again when one of its imports has
        changed."""
        if name.endswith(".css"):
            return datetime.min.replace(tzinfo=UTC)
        collected: datetime = super().get_modified_time(name)
        return collected

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return _Compressor(**kwargs)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress the files without a current copy: all would delay the start by ten seconds."""
        found: Iterator[tuple[str, str]] = super().compress_files(
            [name for name in paths if not _is_compressed(Path(self.path(name)))]
        )
        return found


def _minify_sheet(path: str) -> bytes:
    """Return the style sheet at `path` with its imports, minified. Raises ValueError for a sheet
    that cannot be parsed and for an import that cannot be found."""
    return bundle_css(path, browsers_list=_OLDEST_BROWSERS).encode()


def _minify_script(source: bytes) -> bytes:
    """Return a script minified. Raises ValueError for one that cannot be parsed."""
    # Imported here because it starts a Go runtime, which a serving process does not need.
    from minify import string

    minified: str = string("text/javascript", source.decode())
    return minified.encode()


def _is_compressed(path: Path) -> bool:
    """Return whether the compressed copies exist whole: a killed start leaves half a copy."""
    data = path.read_bytes()
    try:
        return all(
            decompress(path.with_name(f"{path.name}{suffix}").read_bytes()) == data
            for suffix, decompress in _COPIES.items()
        )
    except (OSError, EOFError, zlib.error, brotli.error):
        return False


Found = tuple[str, FileSystemStorage]

_IMPORT = re.compile(r'^import (?:[^;"]* from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=\w)", re.MULTILINE)
_LIBRARY_EXPORT = re.compile(r"export(?: default (\w+);|\{([^}]+)\};)\s*$")


class BundleFinder(finders.BaseFinder):
    """A finder of ``settings.BUNDLES``, each made of some libraries and one module."""

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
    """Return a library, or a module together with everything it imports as one script."""
    if name.endswith(".min.js"):
        return _read(name)
    if name.endswith(".mjs"):
        return f"{{\n{_LIBRARY_EXPORT.sub(_as_globals, _read(name))}\n}}\n"
    modules: dict[str, str] = {}
    _add_module(name, modules)
    body = "\n".join(modules.values())
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def _as_globals(found: re.Match[str]) -> str:
    """Return statements that make the exported names of a library global ones."""
    default, names = found.groups()
    pairs = [name.split(" as ") for name in names.split(",")] if names else [[default]]
    return "".join(f"globalThis.{pair[-1]} = {pair[0]};" for pair in pairs)


def _add_module(name: str, modules: dict[str, str]) -> None:
    """Add a module to `modules` after its imports, unless it has been added already."""
    if name in modules:
        return
    source = _read(name)
    for path in _IMPORT.findall(source):
        _add_module(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)), modules)
    modules[name] = _EXPORT.sub("", _IMPORT.sub("", source))


def _read(name: str) -> str:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_text()
