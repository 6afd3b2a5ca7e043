"""BundleFinder makes one file of a page's scripts."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from boardsite import static_files
from boardsite.static_files import BundleFinder

SCRIPTS = Path(settings.BASE_DIR) / "static" / "site" / "scripts"
MODULES = sorted(SCRIPTS.rglob("*.js"))
TOP_LEVEL_NAME = re.compile(r"^(?:export )?(?:const|let|function|class) (\w+)", re.MULTILINE)

SOURCES = {
    "a.js": 'import { b } from "./parts/b.js";\nimport "./c.js";\n\nb();\n',
    "parts/b.js": 'import "../c.js";\nimport {\n  c,\n} from "../c.js";\n\nexport const b = c;\n',
    "c.js": "export const c = () => play();\n",
    "library.min.js": "var library;export const no = 1;",
}


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> BundleFinder:
    """Return a finder of one bundle, of a library and the modules above."""
    monkeypatch.setattr(settings, "BUNDLES", {"all.js": ["library.min.js", "a.js"]})
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(static_files, "_read", SOURCES.__getitem__)
    return BundleFinder()


def bundled(name: str) -> str:
    """Return the text of one of the site's bundles."""
    found = finders.find(name)
    assert isinstance(found, str)
    return Path(found).read_text()


def test_a_module_stands_once_after_its_imports(finder: BundleFinder) -> None:
    script = Path(str(finder.find("all.js"))).read_text()
    assert script == (
        "var library;export const no = 1;\n"
        '(() => {\n"use strict";\n'
        "const c = () => play();\n\n\nconst b = c;\n\n\nb();\n"
        "})();\n"
    )


def test_every_module_of_the_site_is_in_a_bundle() -> None:
    bundles = [bundled(name) for name in settings.BUNDLES]
    last_lines = {
        module.stem: module.read_text().strip().splitlines()[-1].removeprefix("export ")
        for module in MODULES
    }
    assert [
        stem
        for stem, line in last_lines.items()
        if not line.startswith("import") and not any(line in bundle for bundle in bundles)
    ] == []


@pytest.mark.parametrize("name", settings.BUNDLES)
def test_no_two_modules_of_a_bundle_share_a_top_level_name(name: str) -> None:
    counts = Counter(TOP_LEVEL_NAME.findall(bundled(name)))
    assert [name for name, count in counts.items() if count > 1] == []


def test_a_bundle_is_written_only_when_it_changes() -> None:
    path = Path(str(finders.find("site/game.js")))
    before = path.stat().st_mtime_ns
    finders.find("site/game.js")
    assert path.stat().st_mtime_ns == before
    path.write_text("old")
    finders.find("site/game.js")
    assert path.read_text() != "old"


def test_files_that_are_no_bundle_are_not_found() -> None:
    assert BundleFinder().find("site/scripts/game.js") == []
