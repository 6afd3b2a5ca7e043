"""The catalogues hold every sentence of the Jinja templates.

Django's makemessages passes over a sentence that follows ``{{-``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import polib
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
SENTENCE = re.compile(r'\b_\(\s*("(?:[^"\\]|\\.)*")')


def test_every_sentence_of_a_jinja_template_is_in_a_catalogue() -> None:
    folders = [ROOT / "templates", ROOT / "games", ROOT / "locale"]
    templates = [path for folder in folders for path in folder.rglob("*.jinja")]
    used = {
        json.loads(sentence)
        for path in templates
        for sentence in SENTENCE.findall(path.read_text())
    }
    catalogues = [path for folder in folders for path in folder.rglob("*.po")]
    known = {entry.msgid for path in catalogues for entry in polib.pofile(str(path))}
    assert used
    assert used - known == set()
