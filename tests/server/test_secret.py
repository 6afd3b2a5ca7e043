"""The secret key that an installation creates for itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from boardsite.secret import NAME, stored_secret


def test_the_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    folder, other = tmp_path / "new", tmp_path / "other"
    folder.mkdir(), other.mkdir()
    assert stored_secret(folder) == stored_secret(folder) != stored_secret(other)
    assert (folder / NAME).stat().st_mode & 0o777 == 0o600
    assert os.listdir(folder) == [NAME]


def test_a_key_that_could_not_be_written_is_created_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        with pytest.raises(ImproperlyConfigured, match="no space"):
            stored_secret(tmp_path)
    assert os.listdir(tmp_path) == []
    assert stored_secret(tmp_path)


def test_concurrent_starts_share_the_key_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(made: str, path: Path) -> None:
        with monkeypatch.context() as first:
            first.setattr(os, "link", own)
            found.append(stored_secret(tmp_path))
        own(made, path)

    own, found = os.link, list[str]()
    monkeypatch.setattr(os, "link", link)
    assert [stored_secret(tmp_path)] == found


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        stored_secret(tmp_path)
