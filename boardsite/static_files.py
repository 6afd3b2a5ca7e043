"""Static files as browsers are sent them."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Those that begin with /*! are licences, and stay.
_COMMENT = re.compile(rb"/\*(?!!).*?\*/\n?", re.DOTALL)


class Storage(CompressedManifestStaticFilesStorage):
    """Hashes in the names, compressed copies beside them, and style sheets without comments."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            content = ContentFile(_COMMENT.sub(b"", b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved
