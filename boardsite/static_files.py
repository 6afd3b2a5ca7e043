"""Static files as browsers are sent them."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import brotli
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What stays as it is: strings, and comments that begin with /*!, which are licences. Then other
# comments, the last semicolon of a rule, signs with space around them, and space behind signs.
_SHEET = re.compile(
    rb"""("[^"]*"|'[^']*'|/\*!.*?\*/)|/\*.*?\*/\n?|\s*;\s*(?=})|\s*([{};])\s*|(?<=[:,])\s+""",
    re.DOTALL,
)

_COPIES = {".br": brotli.decompress, ".gz": gzip.decompress}


class Storage(CompressedManifestStaticFilesStorage):
    """Hashes in the names, compressed copies beside them, and style sheets without comments and
    without space that nothing needs."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            content = ContentFile(_SHEET.sub(_kept, b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress what has no copies yet: all of it takes ten seconds, for which an update in
        which one file changed would keep the site waiting."""
        found: Iterator[tuple[str, str]] = super().compress_files(
            [name for name in paths if not _compressed(Path(self.path(name)))]
        )
        return found


def _compressed(path: Path) -> bool:
    """Whether there are copies of a file which hold what it holds, and not half of it."""
    data = path.read_bytes()
    try:
        return all(
            decompress(path.with_name(f"{path.name}{suffix}").read_bytes()) == data
            for suffix, decompress in _COPIES.items()
        )
    except (OSError, EOFError, zlib.error, brotli.error):
        return False


def _kept(found: re.Match[bytes]) -> bytes:
    return found[1] or found[2] or b""
