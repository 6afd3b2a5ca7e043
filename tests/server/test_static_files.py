"""Static files as they are collected."""

from __future__ import annotations

from pathlib import Path

from django.core.files.base import ContentFile

from boardsite.static_files import Storage


def collected(folder: Path, name: str, content: bytes) -> bytes:
    """What is served of a file with this content."""
    return _saved(folder, name, ContentFile(content))


def _saved(folder: Path, name: str, file: ContentFile) -> bytes:
    saved: str = Storage(location=folder, base_url="/static/").save(name, file)
    return (folder / saved).read_bytes()


def test_a_style_sheet_is_served_without_its_comments(tmp_path: Path) -> None:
    sheet = b"/* why\n   so */\na { color: red } /* and this */ b { color: blue }\n"
    assert collected(tmp_path, "a.css", sheet) == b"a{color:red} b{color:blue}"


def test_a_style_sheet_that_was_looked_at_before_is_served_whole(tmp_path: Path) -> None:
    sheet = ContentFile(b"a{}")
    sheet.read()
    assert _saved(tmp_path, "a.css", sheet) == b"a{}"


def test_a_style_sheet_is_served_without_space_that_nothing_needs(tmp_path: Path) -> None:
    sheet = b"a:is(b, c) > d { margin: calc(1px + 2px) 0; }\n"
    assert collected(tmp_path, "a.css", sheet) == b"a:is(b,c) > d{margin:calc(1px + 2px) 0}"


def test_what_a_style_sheet_quotes_stays_as_it_is(tmp_path: Path) -> None:
    sheet = b'a{content:"/* b: c; { d }, e\'s */"}'
    assert collected(tmp_path, "a.css", sheet) == sheet


def test_a_licence_stays_in_a_style_sheet(tmp_path: Path) -> None:
    assert collected(tmp_path, "a.css", b"/*! MIT */a{}") == b"/*! MIT */a{}"


def test_other_files_are_served_as_they_are(tmp_path: Path) -> None:
    assert collected(tmp_path, "a.svg", b"<svg>/* not CSS */</svg>") == b"<svg>/* not CSS */</svg>"


def test_what_was_compressed_at_an_earlier_start_is_not_compressed_again(tmp_path: Path) -> None:
    def compressed() -> list[str]:
        return sorted(copy for _, copy in storage.compress_files(["a.js"]))

    storage, file, both = Storage(location=tmp_path), tmp_path / "a.js", ["a.js.br", "a.js.gz"]
    file.write_text("play();" * 100)
    assert compressed() == both
    assert compressed() == []
    file.write_text("stop();" * 100)
    assert compressed() == both
    for name in both:
        # As a start leaves it that was killed meanwhile.
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-1])
        assert compressed() == both
