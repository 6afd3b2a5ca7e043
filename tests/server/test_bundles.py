"""BundleFinder makes one file of several scripts."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from boardsite.bundles import BundleFinder


def test_a_bundle_holds_all_its_parts():
    for name, parts in settings.BUNDLES.items():
        content = Path(finders.find(name)).read_text()
        for part in parts:
            last_line = Path(finders.find(part)).read_text().strip().splitlines()[-1]
            assert last_line in content


def test_a_bundle_is_written_only_when_it_changes():
    path = Path(finders.find("site/game.js"))
    before = path.stat().st_mtime_ns
    finders.find("site/game.js")
    assert path.stat().st_mtime_ns == before
    path.write_text("old")
    finders.find("site/game.js")
    assert path.read_text() != "old"


def test_files_that_are_no_bundle_are_not_found():
    assert BundleFinder().find("site/board.js") == []
