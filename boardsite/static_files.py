"""The storage of collected static files: hashed names, minified sources, compressed copies.

Lightning CSS makes one file of a style sheet and the sheets that it imports, and spells out nested
rules for older browsers. tdewolff's minifier also shortens the names in the site's own scripts."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import brotli
from django.conf import settings
from django.core.files.base import ContentFile
from lightningcss import bundle_css
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The first browsers with `:has()`. Firefox got it later, and pages look well enough without it.
_OLDEST_BROWSERS = ["chrome 105", "firefox 115", "safari 15.4"]

_COPIES = {".br": brotli.decompress, ".gz": gzip.decompress}


class _QuickCompressor(Compressor):  # type: ignore[misc]  # has no types
    """A compressor that takes a twentieth of the time and leaves a tenth more bytes."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return brotli.compress(data, quality=5)  # type: ignore[no-any-return]


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """Whitenoise's storage with hashed names, which also minifies sources and recompresses only
    changed files."""

    def save(self, name: str, content: Any, max_length: int | None = None) -> str:
        """Store a source, minified if it is a style sheet or a script of the site, and return its
        name."""
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
        """Return the compressor of the files: a site with visitors takes time for small ones."""
        return (Compressor if settings.SMALLEST_FILES else _QuickCompressor)(**kwargs)

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress the files without a current copy. Compressing all would delay the start by ten
        seconds even when a single file has changed."""
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
    """Return whether the compressed copies of a file exist and are complete: a killed start leaves
    half a copy."""
    data = path.read_bytes()
    try:
        return all(
            decompress(path.with_name(f"{path.name}{suffix}").read_bytes()) == data
            for suffix, decompress in _COPIES.items()
        )
    except (OSError, EOFError, zlib.error, brotli.error):
        return False
