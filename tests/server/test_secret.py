"""The secret key that an installation makes for itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from boardsite.secret import NAME, kept_secret


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    folder, other = tmp_path / "new", tmp_path / "other"
    folder.mkdir(), other.mkdir()
    assert kept_secret(folder) == kept_secret(folder) != kept_secret(other)
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert os.listdir(folder) == [NAME]


def test_a_key_that_could_not_be_written_is_made_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(ImproperlyConfigured, match="no space"):
            kept_secret(tmp_path)
    assert os.listdir(tmp_path) == []
    assert kept_secret(tmp_path)


def test_of_two_that_start_at_once_both_have_the_key_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(made: str, path: Path) -> None:
        with monkeypatch.context() as first:
            first.setattr(os, "link", own)
            found.append(kept_secret(tmp_path))
        own(made, path)

    own, found = os.link, list[str]()
    monkeypatch.setattr(os, "link", link)
    assert [kept_secret(tmp_path)] == found


def test_no_site_starts_with_an_empty_key(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        kept_secret(tmp_path)
