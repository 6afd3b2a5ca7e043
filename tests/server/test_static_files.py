"""Collected static files are minified and compressed."""

from __future__ import annotations

from pathlib import Path

from django.core.files.base import ContentFile

from boardsite.static_files import Storage


def collected(folder: Path, name: str, content: bytes) -> bytes:
    """Return the served bytes of a file with this content."""
    return _saved(folder, name, ContentFile(content))


def _saved(folder: Path, name: str, file: ContentFile) -> bytes:
    saved: str = Storage(location=folder, base_url="/static/").save(name, file)
    return (folder / saved).read_bytes()


def test_a_style_sheet_is_minified(tmp_path: Path) -> None:
    sheet = b"/* why\n   so */\na:is(b, c) > d { margin: calc(1px + 2px) 0; } /* and this */\n"
    assert collected(tmp_path, "a.css", sheet) == b"a:is(b,c)>d{margin:calc(1px + 2px) 0}"


def test_a_style_sheet_that_was_read_before_is_served_whole(tmp_path: Path) -> None:
    sheet = ContentFile(b"a{}")
    sheet.read()
    assert _saved(tmp_path, "a.css", sheet) == b"a{}"


def test_strings_in_a_style_sheet_stay_unchanged(tmp_path: Path) -> None:
    sheet = b'a{content:"/* b: c; { d }, e\'s */"}'
    assert collected(tmp_path, "a.css", sheet) == sheet


def test_licences_stay_in_sources(tmp_path: Path) -> None:
    assert b"/*! MIT */" in collected(tmp_path, "a.css", b"/*! MIT */a{}")
    assert b"/*! MIT */" in collected(tmp_path, "site/a.js", b"/*! MIT */play();")


def test_the_sites_own_scripts_are_minified(tmp_path: Path) -> None:
    script = b"// why\nplay( `a // ${b}` ); /* so */\n"
    assert collected(tmp_path, "site/a.js", script) == b"play(`a // ${b}`);"
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
