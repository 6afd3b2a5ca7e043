"""The key of Web Push, which a command makes and the next start of the site reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from boardsite.environment import check_push_key
from boardsite.secret import PUSH_NAME, stored_push_key
from games.notices import web_push

COMMAND = "make_push_keys"


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """Return the data folder of a site without a key."""
    settings.DATA_DIR, settings.PUSH_KEY = tmp_path, ""
    return tmp_path


def test_the_key_is_stored_for_the_next_start_and_readable_by_its_owner_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command(COMMAND)
    key = check_push_key(stored_push_key(folder))
    # An uncompressed point of the curve P-256, as browsers take it.
    assert web_push.decode(web_push.public_key(key))[0] == 4
    assert len(web_push.decode(web_push.public_key(key))) == 65
    assert (folder / PUSH_NAME).stat().st_mode & 0o777 == 0o600
    assert key not in capsys.readouterr().out


def test_a_stored_key_is_not_replaced(folder: Path) -> None:
    call_command(COMMAND)
    key = stored_push_key(folder)
    with pytest.raises(CommandError, match="There is a key already"):
        call_command(COMMAND)
    assert stored_push_key(folder) == key


def test_a_key_of_the_environment_is_not_shadowed(folder: Path, settings: Any) -> None:
    settings.PUSH_KEY = web_push.new_key()
    with pytest.raises(CommandError, match="There is a key already"):
        call_command(COMMAND)
    assert stored_push_key(folder) == ""


def test_a_printed_key_is_stored_nowhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command(COMMAND, "--print")
    call_command(COMMAND, "--print")
    first, second = capsys.readouterr().out.split()
    name, _, key = first.partition("=")
    assert name == "BOARDSITE_PUSH_KEY"
    assert check_push_key(key) == key
    assert first != second
    assert list(folder.iterdir()) == []


def test_a_site_without_the_packages_is_told_how_to_install_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    with pytest.raises(CommandError, match=r"requirements-services\.lock"):
        call_command(COMMAND)
    assert list(folder.iterdir()) == []
