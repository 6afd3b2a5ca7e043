"""Static files as browsers are sent them."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What stays as it is: strings, and comments that begin with /*!, which are licences. Then other
# comments, the last semicolon of a rule, signs with space around them, and space behind signs.
_SHEET = re.compile(
    rb"""("[^"]*"|'[^']*'|/\*!.*?\*/)|/\*.*?\*/\n?|\s*;\s*(?=})|\s*([{};])\s*|(?<=[:,])\s+""",
    re.DOTALL,
)


class Storage(CompressedManifestStaticFilesStorage):
    """Hashes in the names, compressed copies beside them, and style sheets without comments and
    without space that nothing needs."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            content = ContentFile(_SHEET.sub(_kept, b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved


def _kept(found: re.Match[bytes]) -> bytes:
    return found[1] or found[2] or b""
