"""Check that every sentence of the site is translated into every language of the site.

The sentences are collected again, in a copy of the repository, and compared with the catalogues.
Faults are sentences that are missing, fuzzy or no longer used; translations with other
``%(placeholders)s`` than the original; and sentences that two catalogues translate differently,
since the site would use only one. The exit status is then 1. Needs xgettext.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib

from scripts.sources import ROOT, sources

PLACE = re.compile(r"%\(\w+\)[a-z]")


def main() -> None:
    """Check all catalogues, print the faults and exit."""
    if not shutil.which("xgettext"):
        sys.exit("xgettext is missing (Debian: apt install gettext).")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        _copy_sources(copy)
        command = [sys.executable, "manage.py", "makemessages", "--verbosity=0"]
        subprocess.run(command, cwd=copy, check=True)
        faults = [fault for path in _catalogues(copy) for fault in _faults(copy, path)]
        faults += clashes(copy / path for path in _catalogues(copy))
    print("\n".join(faults) or "Every sentence is translated.")
    sys.exit(bool(faults))


def _copy_sources(target: Path) -> None:
    for path in sources():
        if path.suffix in {".py", ".html", ".jinja", ".txt", ".po", ".csv", ".json", ".tsv"}:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, target / path)


def _catalogues(copy: Path) -> list[Path]:
    return sorted(path.relative_to(copy) for path in copy.glob("**/LC_MESSAGES/*.po"))


def _faults(copy: Path, path: Path) -> Iterator[str]:
    kept = polib.pofile(str(ROOT / path)) if (ROOT / path).exists() else polib.POFile()
    fresh = polib.pofile(str(copy / path))
    wanted = {(entry.msgctxt, entry.msgid) for entry in fresh}
    for entry in fresh:
        if not entry.translated():
            yield f"{path}: not translated: {entry.msgid!r}"
        yield from _misplaced(path, entry)
    for entry in kept:
        if entry.obsolete or (entry.msgctxt, entry.msgid) not in wanted:
            yield f"{path}: no longer used: {entry.msgid!r}"


def _misplaced(path: Path, entry: polib.POEntry) -> Iterator[str]:
    allowed = _places(entry.msgid) | _places(entry.msgid_plural)
    for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
        # A plural form may leave placeholders out ("one disc"), a single form may not.
        places = _places(translation)
        if translation and not (places <= allowed if entry.msgid_plural else places == allowed):
            yield f"{path}: other places than the original: {entry.msgid!r}"


def clashes(catalogues: Iterable[Path]) -> list[str]:
    """Return a line for each sentence that several catalogues of a language translate differently.
    Untranslated sentences are another fault."""
    found: dict[tuple[str, str | None, str], dict[str, Path]] = {}
    for path in catalogues:
        for entry in filter(polib.POEntry.translated, polib.pofile(str(path))):
            translation = entry.msgstr or str(sorted(entry.msgstr_plural.items()))
            language = path.parent.parent.name
            found.setdefault((language, entry.msgctxt, entry.msgid), {})[translation] = path
    return [
        f"translated in several ways: {msgid!r}: {' / '.join(sorted(ways))}"
        for (_, _, msgid), ways in found.items()
        if len(ways) > 1
    ]


def _places(sentence: str) -> set[str]:
    return {match.group() for match in PLACE.finditer(sentence)}


if __name__ == "__main__":
    main()
