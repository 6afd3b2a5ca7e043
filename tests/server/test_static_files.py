"""Collected static files are minified and compressed."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage

from boardsite.static_files import Storage
from tests.support.servers.site_process import ROOT


def collected(folder: Path, name: str, source: bytes) -> bytes:
    """Return the served bytes of a file with this content."""
    path = folder / "sources" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source)
    storage = Storage(location=folder / "collected", base_url="/static/")
    with FileSystemStorage(location=folder / "sources").open(name) as file:
        return (folder / "collected" / storage.save(name, file)).read_bytes()


def test_a_style_sheet_is_minified(tmp_path: Path) -> None:
    sheet = b"/* why\n   so */\na:is(b, c) > d { width: calc(1px + 2%); } /* and this */\n"
    assert collected(tmp_path, "a.css", sheet) == b"a:is(b,c)>d{width:calc(1px + 2%)}"


def test_nested_rules_are_spelled_out(tmp_path: Path) -> None:
    sheet = b".a { .b { color: red } &.c .d { color: blue } }"
    assert collected(tmp_path, "a.css", sheet) == b".a .b{color:red}.a.c .d{color:#00f}"


def test_a_style_sheet_holds_its_imports(tmp_path: Path) -> None:
    collected(tmp_path, "b.css", b"b { color: red }")
    sheet = b'@import "b.css"; a { color: blue }'
    assert collected(tmp_path, "a.css", sheet) == b"b{color:red}a{color:#00f}"


def test_the_copies_with_hashed_names_are_minified(tmp_path: Path) -> None:
    collected(tmp_path, "site/a.css", b"a { background: url(b.svg) }")
    collected(tmp_path, "site/b.svg", b"<svg></svg>")
    collected(tmp_path, "site/c.js", b"play( 1 );")
    sources, storage = tmp_path / "sources", Storage(location=tmp_path / "collected")
    names = ["site/a.css", "site/b.svg", "site/c.js"]
    paths = {name: (FileSystemStorage(location=sources), name) for name in names}
    hashed = {name: hashed for name, hashed, _ in storage.post_process(paths)}
    sheet, script = (
        (tmp_path / "collected" / hashed[name]).read_bytes() for name in (names[0], names[2])
    )
    assert sheet == f'a{{background:url("{hashed[names[1]].removeprefix("site/")}")}}'.encode()
    assert script == b"play(1)"


def test_a_style_sheet_is_collected_again_when_only_an_import_changed(tmp_path: Path) -> None:
    collected(tmp_path, "a.css", b"a { color: red }")
    collected(tmp_path, "a.js", b"play();")
    sources = FileSystemStorage(location=tmp_path / "sources")
    storage = Storage(location=tmp_path / "collected")
    assert storage.get_modified_time("a.css") < sources.get_modified_time("a.css")
    assert storage.get_modified_time("a.js") >= sources.get_modified_time("a.js")


def test_a_style_sheet_with_a_fault_is_not_served(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Unexpected"):
        collected(tmp_path, "a.css", b"a { color: red } }")


def test_strings_in_a_style_sheet_stay_unchanged(tmp_path: Path) -> None:
    sheet = b'a{content:"/* b: c; { d }, e\'s */"}'
    assert collected(tmp_path, "a.css", sheet) == sheet


def test_licences_stay_in_sources(tmp_path: Path) -> None:
    assert b"/*! MIT */" in collected(tmp_path, "a.css", b"/*! MIT */a{color:red}")
    assert b"/*! MIT */" in collected(tmp_path, "site/a.js", b"/*! MIT */play();")


def test_the_sites_own_scripts_are_minified(tmp_path: Path) -> None:
    script = b"// why\n(() => { const cell = 'a'; play( `// ${cell}` ); /* so */ })();\n"
    assert collected(tmp_path, "site/a.js", script) == b'(()=>{const e="a";play(`// ${e}`)})()'
    assert collected(tmp_path, "vendor/a.js", script) == script


def test_other_files_are_served_unchanged(tmp_path: Path) -> None:
    assert collected(tmp_path, "a.svg", b"<svg>/* not CSS */</svg>") == b"<svg>/* not CSS */</svg>"


def test_only_files_without_a_current_copy_are_compressed(tmp_path: Path) -> None:
    def compressed() -> list[str]:
        return sorted(copy for _, copy in storage.compress_files(["a.js"]))

    storage, file, both = Storage(location=tmp_path), tmp_path / "a.js", ["a.js.br", "a.js.gz"]
    file.write_text("play();" * 100)
    assert compressed() == both
    assert compressed() == []
    file.write_text("stop();" * 100)
    assert compressed() == both
    for name in both:
        # A start that was killed leaves half a copy.
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-1])
        assert compressed() == both


def test_a_public_site_has_smaller_copies_than_a_quick_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    for smallest in (False, True):
        monkeypatch.setattr(settings, "SMALLEST_FILES", smallest)
        folder = tmp_path / str(smallest)
        folder.mkdir()
        (folder / "a.css").write_bytes((ROOT / "static/site/site.css").read_bytes())
        list(Storage(location=folder).compress_files(["a.css"]))
        sizes.append((folder / "a.css.br").stat().st_size)
    assert sizes[1] < sizes[0]
