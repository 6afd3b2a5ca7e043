"""The storage of collected static files: hashed names, minified sources, compressed copies."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import brotli
from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_COPIES = {".br": brotli.decompress, ".gz": gzip.decompress}


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """Whitenoise's storage with hashed names, which also minifies sources and recompresses only
    changed files."""

    def _save(self, name: str, content: Any) -> str:
        if minify := _minifier(name):
            source = b"".join(content.chunks())
            content = ContentFile(minify(source, keep_bang_comments=True))
        saved: str = super()._save(name, content)
        return saved

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress the files without a current copy. All of them would take ten seconds, for which
        an update of a single file would keep the site waiting."""
        found: Iterator[tuple[str, str]] = super().compress_files(
            [name for name in paths if not _is_compressed(Path(self.path(name)))]
        )
        return found


def _minifier(name: str) -> Callable[..., Any] | None:
    """Return the minifier of a file: of all style sheets, and of the site's own scripts. Scripts
    of libraries come minified."""
    minifiers: dict[str, Callable[..., Any]] = {".css": cssmin}
    if name.startswith("site/"):
        minifiers[".js"] = jsmin
    return minifiers.get(Path(name).suffix)


def _is_compressed(path: Path) -> bool:
    """Return whether the copies of a file are there and hold the same bytes. A start that was
    killed leaves half a copy."""
    data = path.read_bytes()
    try:
        return all(
            decompress(path.with_name(f"{path.name}{suffix}").read_bytes()) == data
            for suffix, decompress in _COPIES.items()
        )
    except (OSError, EOFError, zlib.error, brotli.error):
        return False
