"""Static files as browsers are sent them."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Those that begin with /*! are licences, and stay.
_COMMENT = re.compile(rb"/\*(?!!).*?\*/\n?", re.DOTALL)
# Licences and strings stay as they are; then space that says nothing, and space that says little.
_SPACE = re.compile(rb"""(/\*.*?\*/|"[^"]*"|'[^']*')|\s*([{};,])\s*|(:)\s+|(\s)\s*""", re.DOTALL)


class Storage(CompressedManifestStaticFilesStorage):
    """Hashes in the names, compressed copies beside them, and style sheets without what no browser
    reads: comments, and most of the space."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            content = ContentFile(_squeezed(b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved


def _squeezed(sheet: bytes) -> bytes:
    return _SPACE.sub(rb"\1\2\3\4", _COMMENT.sub(b"", sheet)).strip()
