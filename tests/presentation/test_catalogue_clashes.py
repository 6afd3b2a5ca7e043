"""A sentence in several catalogues has one translation, because Django merges them into one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.check_catalogues import clashes
from scripts.sources import ROOT, sources


def catalogue(folder: Path, name: str, translation: str) -> Path:
    path = folder / name / "locale" / "nl" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(f'msgid ""\nmsgstr ""\n\nmsgid "Over."\nmsgstr "{translation}"\n')
    return path


@pytest.mark.parametrize(("other", "faults"), [("Voorbij.", 0), ("Klaar.", 1), ("", 0)])
def test_two_translations_of_one_sentence_are_found(
    tmp_path: Path, other: str, faults: int
) -> None:
    paths = [catalogue(tmp_path, "one", "Voorbij."), catalogue(tmp_path, "two", other)]
    assert len(clashes(paths)) == faults


def test_no_sentence_of_the_site_is_translated_in_two_ways() -> None:
    assert clashes(ROOT / path for path in sources() if path.suffix == ".po") == []
